public import FencepostCalendarModel

/// The result of merging an item into the store.
public enum MergeOutcome: String, Hashable, Sendable, CaseIterable {
  /// The item is new to the store.
  case added
  /// The file has a newer revision, or moves the item to another list.
  case updated
  /// The file has nothing new, and nothing was written.
  case unchanged
  /// The store has a newer revision and keeps it.
  case older
  /// A complete file does not contain the item.
  case removed
  /// The message is not supported or invalid, and nothing was written.
  case refused
}

/// The number of items for each outcome.
public struct MergeCounts: Hashable, Sendable {
  private var counts: [MergeOutcome: Int] = [:]
  /// The number of other components that were kept unchanged, by name.
  public internal(set) var preserved: [String: Int] = [:]
  /// True if one of these was new or changed.
  var isPreservedChange = false

  /// Counts of zero.
  public init() {}

  /// The number of items with `outcome`.
  public subscript(outcome: MergeOutcome) -> Int {
    get { counts[outcome] ?? 0 }
    set { counts[outcome] = newValue }
  }

  /// True if anything was written.
  public var isChange: Bool { isPreservedChange || self[.added] + self[.updated] + self[.removed] > 0 }
}

/// A merged item, for display.
public struct MergeChange: Hashable, Sendable {
  /// The result.
  public var outcome: MergeOutcome
  /// The item's identifier in the store.
  public var item: Identifier<CalendarItem>
  /// Its title.
  public var title: String
  /// The calendar or list of the item, or its previous one; empty for a refused message.
  public var calendar: Identifier<ItemCalendar>
  /// The reason why a message was refused, with its file and line. Or a remark about the file, together with
  /// the first item that it concerns. That item is passed again without the remark.
  public var warning: String?
}
