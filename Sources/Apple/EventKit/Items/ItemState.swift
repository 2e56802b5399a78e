import FencepostApps
import FencepostCalendarModel
import FencepostRecurrence
import Foundation

/// An item within the items of a series. The occurrences of the series share them.
struct SharedItem: Hashable, Sendable {
  private let items: [CalendarItem]
  private let index: Int

  /// The item at `index` of `items`, which must exist.
  init(_ items: [CalendarItem], index: Int) {
    self.items = items
    self.index = index
  }

  init(_ item: CalendarItem) { self.init([item], index: 0) }

  var value: CalendarItem { items[index] }

  static func == (one: SharedItem, other: SharedItem) -> Bool { one.value == other.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// The complete value of an `EKCalendarItem`. Two values show the changes.
struct ItemState: Hashable, Sendable {
  /// The item. Times that the app can set are in `times`, `start` and `due` until they are stored.
  var item: CalendarItem {
    get { shared.value }
    set { shared = SharedItem(newValue) }
  }
  private var shared: SharedItem
  /// The times of an event, or of one occurrence.
  var times: EventTimes
  private var dates: ReminderDates?

  /// A reminder's dates. Kept separate because they are large, and a month has many events.
  private final class ReminderDates: Hashable, Sendable {
    let start: DateComponents?
    let due: DateComponents?

    /// `nil` if there are no dates.
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

  /// A reminder from the store.
  init(reminder: CalendarItem) {
    shared = SharedItem(reminder)
    times = EventTimes(zone: .utc)
    dates = ReminderDates(
      start: reminder.reminder?.start.map { DateComponents($0) },
      due: reminder.reminder?.due.map { DateComponents($0) })
  }

  /// An event or occurrence from the store, from `start` to `end`.
  init(event: CalendarItem, start: CalendarTime, end: CalendarTime, resolver: TimeResolver) {
    self.init(
      event: SharedItem(event), times: EventTimes(start: start, end: end, resolver: resolver))
  }

  /// An event or occurrence from the store.
  init(event: SharedItem, times: EventTimes) {
    shared = event
    self.times = times
  }

  /// Combines `other` with the changes of this state since `base`.
  func merging(_ other: ItemState, since base: ItemState) -> ItemState {
    var merged = other
    merged.item = item.merging(other.item, since: base.item)
    if times != base.times { merged.times = times }
    if start != base.start { merged.start = start }
    if due != base.due { merged.due = due }
    return merged
  }

  /// True if it has a calendar.
  var hasCalendar: Bool { !item.calendar.rawValue.isEmpty }
}

/// The times of an event or occurrence in the form of `EKEvent`.
///
/// They are computed from the store's forms (whole days, local times in a zone, instants). They are converted
/// back only after a change, so that unchanged times keep their form.
struct EventTimes: Hashable, Sendable {
  var start: Date?
  /// For whole days, the last second of the last day.
  var end: Date?
  var isAllDay = false
  /// The zone; `nil` for a floating event.
  var zone: TimeZoneID?

  /// The times of a new event in the system's zone.
  init(zone: TimeZoneID) { self.zone = zone }

  /// The times from `start` up to, but not including, `end`.
  init(start: CalendarTime, end: CalendarTime, resolver: TimeResolver) {
    self.init(form: start, from: resolver.instant(of: start), until: resolver.instant(of: end))
  }

  /// The times of an occurrence.
  init(_ occurrence: Occurrence) {
    self.init(form: occurrence.start, from: occurrence.startInstant, until: occurrence.endInstant)
  }

  /// The times between two instants, in the form of `form`.
  private init(form: CalendarTime, from start: Instant, until end: Instant) {
    isAllDay = form.isDate
    zone = form.zone
    let first = Date(start)
    let last = Date(end)
    self.start = first
    self.end = isAllDay ? max(first, last.addingTimeInterval(-1)) : last
  }

  /// The times in the store's form; `nil` if one is missing.
  ///
  /// An all-day event includes the days of its start and its end in the default zone. If it ends at midnight,
  /// it includes the day that begins then, like Apple's.
  func stored(_ resolver: TimeResolver) -> (start: CalendarTime, end: CalendarTime)? {
    guard let start, let end else { return nil }
    if isAllDay {
      let first = resolver.civil(of: start).day
      let last = max(resolver.civil(of: end).day, first)
      return (.date(first), .date(last.adding(days: 1)))
    }
    return (form(start, resolver), form(end, resolver))
  }

  private func form(_ date: Date, _ resolver: TimeResolver) -> CalendarTime {
    guard let zone else { return .floating(resolver.civil(of: date)) }
    if zone == .utc || resolver.zones.zone(zone) == nil { return CalendarTime(date.instant) }
    return .zoned(resolver.civil(of: date, in: zone), zone)
  }
}
