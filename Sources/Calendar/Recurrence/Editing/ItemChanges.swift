public import FencepostCalendarModel

/// The items to save and remove after an edit.
public struct ItemChanges: Hashable, Sendable {
  /// Items to save.
  public var saved: [CalendarItem]
  /// Items to remove.
  public var removed: [Identifier<CalendarItem>]
  /// The item that now represents the edited one; `nil` for a removal.
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
