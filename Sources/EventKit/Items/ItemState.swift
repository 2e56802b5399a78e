import CalendarModel
import Foundation
import Recurrence

/// An item that the occurrences of a series have in common: each holds a reference, not a copy.
final class SharedItem: Hashable, Sendable {
  let value: CalendarItem

  init(_ value: CalendarItem) { self.value = value }

  static func == (one: SharedItem, other: SharedItem) -> Bool { one === other || one.value == other.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// All that an `EKCalendarItem` says of itself: two of them tell what was changed.
struct ItemState: Hashable, Sendable {
  /// The item. Times that an object can set stand in `times`, `start` and `due` instead, until they are stored.
  var item: CalendarItem {
    get { shared.value }
    set { shared = SharedItem(newValue) }
  }
  private var shared: SharedItem
  /// An event's, or those of one occurrence of it.
  var times: EventTimes
  /// A reminder's start.
  var start: DateComponents?
  /// A reminder's due date.
  var due: DateComponents?

  /// A new item.
  init(_ type: EKEntityType, zone: TimeZoneID) {
    let nowhere = CalendarTime.date(CivilDay(dayNumber: 0))
    var item = CalendarItem(
      calendar: Identifier(rawValue: ""), title: "",
      details: type == .event
        ? .event(EventDetails(start: nowhere, end: nowhere)) : .reminder(ReminderDetails()))
    if type == .event { item.timeZone = zone }
    shared = SharedItem(item)
    times = EventTimes(zone: zone)
  }

  /// A reminder out of the store.
  init(reminder: CalendarItem) {
    shared = SharedItem(reminder)
    times = EventTimes(zone: .utc)
    start = reminder.reminder?.start.map { DateComponents($0) }
    due = reminder.reminder?.due.map { DateComponents($0) }
  }

  /// An event out of the store, or one occurrence of it, from `start` until `end`.
  init(event: CalendarItem, start: CalendarTime, end: CalendarTime, resolver: TimeResolver) {
    self.init(
      event: SharedItem(event), times: EventTimes(start: start, end: end, resolver: resolver))
  }

  /// An event out of the store, or one occurrence of it.
  init(event: SharedItem, times: EventTimes) {
    shared = event
    self.times = times
  }

  /// True where it has a calendar.
  var hasCalendar: Bool { !item.calendar.rawValue.isEmpty }
}
