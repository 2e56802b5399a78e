public import CalendarModel

/// What becomes of items when one is changed or removed.
public struct ItemChanges: Hashable, Sendable {
  /// Items to keep as they stand here.
  public var saved: [CalendarItem]
  /// Items to remove.
  public var removed: [Identifier<CalendarItem>]
  /// The item that stands for what was changed from now on; `nil` for a removal.
  public var subject: CalendarItem?

  /// Changes.
  public init(
    saved: [CalendarItem] = [], removed: [Identifier<CalendarItem>] = [], subject: CalendarItem? = nil
  ) {
    self.saved = saved
    self.removed = removed
    self.subject = subject
  }
}
