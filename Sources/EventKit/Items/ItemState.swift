import CalendarModel
import Foundation
import Recurrence

/// An item where the occurrences of a series find it: among the series' items, which all of them share.
struct SharedItem: Hashable, Sendable {
  private let items: [CalendarItem]
  private let index: Int

  /// The item at `index` of `items`, which has one there.
  init(_ items: [CalendarItem], index: Int) {
    self.items = items
    self.index = index
  }

  init(_ item: CalendarItem) { self.init([item], index: 0) }

  var value: CalendarItem { items[index] }

  static func == (one: SharedItem, other: SharedItem) -> Bool { one.value == other.value }

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
  private var dates: ReminderDates?

  /// A reminder's dates: apart from the rest, for they are large, and a month has many events.
  private final class ReminderDates: Hashable, Sendable {
    let start: DateComponents?
    let due: DateComponents?

    /// `nil` where there is neither.
    init?(start: DateComponents?, due: DateComponents?) {
      if start == nil && due == nil { return nil }
      self.start = start
      self.due = due
    }

    static func == (one: ReminderDates, other: ReminderDates) -> Bool {
      one === other || (one.start, one.due) == (other.start, other.due)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(start)
      hasher.combine(due)
    }
  }

  /// A reminder's start.
  var start: DateComponents? {
    get { dates?.start }
    set { dates = ReminderDates(start: newValue, due: due) }
  }

  /// A reminder's due date.
  var due: DateComponents? {
    get { dates?.due }
    set { dates = ReminderDates(start: start, due: newValue) }
  }

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
    dates = ReminderDates(
      start: reminder.reminder?.start.map { DateComponents($0) },
      due: reminder.reminder?.due.map { DateComponents($0) })
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

  /// This state, with what was not changed in it since `base` taken from `other`.
  func merging(_ other: ItemState, since base: ItemState) -> ItemState {
    var merged = other
    merged.item = item.merging(other.item, since: base.item)
    if times != base.times { merged.times = times }
    if start != base.start { merged.start = start }
    if due != base.due { merged.due = due }
    return merged
  }

  /// True where it has a calendar.
  var hasCalendar: Bool { !item.calendar.rawValue.isEmpty }
}
