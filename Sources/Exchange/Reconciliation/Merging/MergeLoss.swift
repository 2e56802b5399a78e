/// A value that a merge dropped, because both sides had changed it.
public struct MergeLoss: Hashable, Sendable {
  /// A side of a merge.
  public enum Side: String, Hashable, Sendable {
    /// This store.
    case local
    /// The server or folder.
    case remote
  }

  /// The side that lost its value.
  public var loser: Side
  /// The title of the item.
  public var title: String
  /// The occurrence of a series, in the form of RECURRENCE-ID; `nil` for the item itself.
  public var occurrence: String?
  /// The property, or the name of a component that one side had removed: `SUMMARY`, `VALARM`.
  public var property: String
  /// The content lines that won; empty if the property was removed.
  public var kept: [String]
  /// The content lines that were dropped; empty if that side had removed them.
  public var lost: [String]

  /// A loss.
  public init(
    loser: Side, title: String, occurrence: String? = nil, property: String, kept: [String], lost: [String]
  ) {
    self.loser = loser
    self.title = title
    self.occurrence = occurrence
    self.property = property
    self.kept = kept
    self.lost = lost
  }
}
