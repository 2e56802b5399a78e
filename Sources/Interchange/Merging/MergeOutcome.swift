public import CalendarModel

/// What becomes of an item as a file is merged into the store.
public enum MergeOutcome: String, Hashable, Sendable, CaseIterable {
  /// The store did not have it.
  case added
  /// The file tells a newer revision of it, or puts it into another list.
  case updated
  /// The file tells nothing new of it: nothing was written.
  case unchanged
  /// The store has a newer revision of it, which stays.
  case older
  /// The file does not have it, and was asked to have all there is.
  case removed
  /// A message that can't be followed; nothing was written.
  case refused
}

/// How often each outcome came about.
public struct MergeCounts: Hashable, Sendable {
  private var counts: [MergeOutcome: Int] = [:]
  /// How many components that are neither events nor reminders were kept as they stand, by their names.
  public internal(set) var preserved: [String: Int] = [:]
  /// True where one of these was not there just so.
  var isPreservedChange = false

  /// None yet.
  public init() {}

  /// How often `outcome` came about.
  public subscript(outcome: MergeOutcome) -> Int {
    get { counts[outcome] ?? 0 }
    set { counts[outcome] = newValue }
  }

  /// True where anything was written.
  public var isChange: Bool { isPreservedChange || self[.added] + self[.updated] + self[.removed] > 0 }
}

/// One item of a merge, for somebody to look at.
public struct MergeChange: Hashable, Sendable {
  /// What becomes of it.
  public var outcome: MergeOutcome
  /// The item's identifier in the store.
  public var item: Identifier<CalendarItem>
  /// Its title.
  public var title: String
  /// The calendar or list that it is in afterwards, or was in before; no calendar's where a message was refused.
  public var calendar: Identifier<ItemCalendar>
  /// Why a message was refused, with the file and line that it is on.
  public var warning: String?
}
