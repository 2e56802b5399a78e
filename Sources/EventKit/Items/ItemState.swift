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

extension CalendarItem {
  /// This item, with what was not changed in it since `base` taken from `stored`: what two writers changed
  /// apart from one another is kept of both.
  func merging(_ stored: CalendarItem, since base: CalendarItem) -> CalendarItem {
    var merged = stored
    func take<Value: Equatable>(_ field: WritableKeyPath<CalendarItem, Value>) {
      if self[keyPath: field] != base[keyPath: field] { merged[keyPath: field] = self[keyPath: field] }
    }
    take(\.calendar)
    take(\.uid)
    take(\.title)
    take(\.location)
    take(\.structuredLocation)
    take(\.notes)
    take(\.url)
    take(\.timeZone)
    take(\.created)
    take(\.sequence)
    take(\.priority)
    take(\.categories)
    take(\.classification)
    take(\.alarms)
    take(\.recurrence)
    take(\.detachment)
    take(\.organizer)
    take(\.attendees)
    take(\.parentUID)
    take(\.preserved)
    merged.lastModified = lastModified
    if let mine = event, let old = base.event, let theirs = stored.event {
      merged.event = mine.merging(theirs, since: old)
    }
    if let mine = reminder, let old = base.reminder, let theirs = stored.reminder {
      merged.reminder = mine.merging(theirs, since: old)
    }
    return merged
  }
}

extension EventDetails {
  /// See `CalendarItem.merging`. Start and end go together, so that they never end up the wrong way round.
  func merging(_ stored: EventDetails, since base: EventDetails) -> EventDetails {
    var merged = stored
    if start != base.start || end != base.end {
      merged.start = start
      merged.end = end
    }
    if availability != base.availability { merged.availability = availability }
    if status != base.status { merged.status = status }
    return merged
  }
}

extension ReminderDetails {
  /// See `CalendarItem.merging`.
  func merging(_ stored: ReminderDetails, since base: ReminderDetails) -> ReminderDetails {
    var merged = stored
    if start != base.start { merged.start = start }
    if due != base.due { merged.due = due }
    if isCompleted != base.isCompleted || completed != base.completed {
      merged.isCompleted = isCompleted
      merged.completed = completed
    }
    if percentComplete != base.percentComplete { merged.percentComplete = percentComplete }
    return merged
  }
}
