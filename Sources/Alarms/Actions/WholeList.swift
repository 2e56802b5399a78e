public import FencepostCalendarModel
public import FencepostCalendarStore

extension StoreWriter {
  /// Lets a whole list go off at places: one alarm a visit, which tells what is open, and none if nothing is.
  ///
  /// A reminder of the list, with its name, has the alarms (``CalendarModel/CalendarItem/isForWholeList``), so
  /// they synchronize, and are undone, as any other.
  ///
  /// - Parameters:
  ///   - alarms: The alarms, in place of those before; empty to end that.
  ///   - list: The list.
  ///   - now: The time of the change.
  /// - Returns: The reminder; `nil` if there are no alarms.
  /// - Throws: ``ActionError`` if the list is read-only or a calendar, or `StoreError`.
  @discardableResult
  public borrowing func setAlarms(
    _ alarms: [Alarm], ofWholeList list: ItemCalendar, at now: Instant
  ) throws -> CalendarItem? {
    guard list.entities.contains(.reminders) else { throw ActionError.noReminders(calendar: list.title) }
    try list.checkChangeable()
    let before = try reader.wholeListReminders(in: list.id)
    for item in alarms.isEmpty ? before[...] : before.dropFirst() { _ = try remove(item.id) }
    guard !alarms.isEmpty else { return nil }
    var item =
      before.first
      ?? CalendarItem(calendar: list.id, title: list.title, details: .reminder(ReminderDetails()))
    item.isForWholeList = true
    item.alarms = alarms
    item.created = item.created ?? now
    item.lastModified = now
    item.reminder?.reopen()
    try save(item)
    return item
  }
}
