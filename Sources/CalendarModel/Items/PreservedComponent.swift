/// A component of a calendar that is neither event nor reminder: a VJOURNAL, VFREEBUSY, VAVAILABILITY, VPOLL or another
/// program's own. It is kept as it stands and written again.
public struct PreservedComponent: Hashable, Sendable {
  /// Its name in upper case, such as `VJOURNAL`.
  public var name: String
  /// What tells it from the others of its name in a calendar: its UID, and which occurrence of a series it is.
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
