/// A calendar component that is neither event nor reminder: a VJOURNAL, VFREEBUSY, VAVAILABILITY, VPOLL or another
/// program's own. It is stored unchanged and exported again.
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
