/// What a merge could not keep: a value that another one replaced, because both sides had changed it.
public struct MergeLoss: Hashable, Sendable {
  /// A side of a merge.
  public enum Side: String, Hashable, Sendable {
    /// This store.
    case local
    /// The server or folder.
    case remote
  }

  /// Whose value was not kept.
  public var loser: Side
  /// The title of the item.
  public var title: String
  /// The occurrence of a series that it is about, as RECURRENCE-ID has it; `nil` for the item itself.
  public var occurrence: String?
  /// The property, or the name of a component that one side had removed: `SUMMARY`, `VALARM`.
  public var property: String
  /// The content lines that were kept; empty if the property is gone.
  public var kept: [String]
  /// The content lines that were not kept; empty if that side had removed them.
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
