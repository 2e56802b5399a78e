/// Content of an item or alarm in a file that the model has no field for.
///
/// Other programs need these properties, so they are stored unchanged and exported again.
public struct PreservedContent: Hashable, Sendable {
  /// Content lines of RFC 5545 (section 3.1), unfolded and without their line ends.
  public var properties: [String]
  /// Whole components, from BEGIN to END, lines unfolded and joined by newlines.
  public var components: [String]

  /// The given content; empty by default.
  public init(properties: [String] = [], components: [String] = []) {
    self.properties = properties
    self.components = components
  }

  /// Whether there is no content.
  public var isEmpty: Bool { properties.isEmpty && components.isEmpty }
}

/// A calendar component that is neither event nor reminder: a VJOURNAL, VFREEBUSY, VAVAILABILITY, VPOLL or
/// another program's own. It is stored unchanged and exported again.
public struct PreservedComponent: Hashable, Sendable {
  /// Its name in upper case, such as `VJOURNAL`.
  public var name: String
  /// Its key among the components with its name in a calendar: its UID, and its occurrence of a series.
  public var id: String
  /// Its text from BEGIN to END, lines unfolded and joined by newlines.
  public var text: String

  /// A component.
  public init(name: String, id: String, text: String) {
    self.name = name
    self.id = id
    self.text = text
  }
}

/// How an object on another side, such as a server, and the items here belong together.
public enum SyncState: String, Hashable, Sendable {
  /// Both sides had the same at the last synchronization.
  case agreed
  /// It was sent, and not seen there yet.
  case sent
  /// It can't be read here, or is of a kind that the list does not take. It stays there as it is. Items of an
  /// earlier version stay here.
  case unusable
  /// The other side lists it, and does not give it; it is asked for in each run. Items of an earlier version
  /// stay here.
  case unread
  /// Another object of the collection has its UID. It stays there as it is, and there are no items of it
  /// here.
  case duplicate
}
