import CoreLocation
import FencepostCalendarModel
import FencepostGeodesy
import FencepostRecurrence
import FencepostStoreAccess
import Foundation

extension StoreSession {
  /// The uncommitted items.
  private var pendingItems: PendingItems { lock.withLock { pending.items } }

  /// The store's value of an item, with pending changes.
  func storedItem(_ id: Identifier<CalendarItem>) -> CalendarItem? {
    guard let store = storeIfAny() else { return nil }
    return try? VisibleItems(store: store, pending: pendingItems).item(id)
  }

  /// The store's value of an event or occurrence; `nil` if it is gone.
  func storedState(of id: Identifier<CalendarItem>, occurrence: CalendarTime?) -> ItemState? {
    guard let item = storedItem(id), let details = item.event else { return nil }
    let resolver = resolver
    guard let occurrence, item.detachment == nil, item.recurrence != nil else {
      return ItemState(event: item, start: details.start, end: details.end, resolver: resolver)
    }
    let start = resolver.instant(of: occurrence)
    // Another program may have detached it meanwhile.
    if let detached = detachedItem(of: item, at: start), let details = detached.event {
      return ItemState(event: detached, start: details.start, end: details.end, resolver: resolver)
    }
    let series = OccurrenceSeries(item, resolver: resolver)
    var occurrences = series.occurrences(startingIn: start..<Instant(seconds: start.wholeSeconds + 1))
    guard let found = occurrences.next() else { return nil }
    return ItemState(event: item, start: found.start, end: found.end, resolver: resolver)
  }

  /// The detached item for the occurrence of `master` whose original start is `start`.
  private func detachedItem(of master: CalendarItem, at start: Instant) -> CalendarItem? {
    guard let store = storeIfAny() else { return nil }
    let resolver = resolver
    return try? VisibleItems(store: store, pending: pendingItems).items(uid: master.uid).first {
      $0.calendar == master.calendar && $0.detachment.map { resolver.instant(of: $0.occurrence) } == start
    }
  }

  /// True if the app may read items of this kind, and the item's source is visible to it.
  func isReadable(_ item: CalendarItem) -> Bool {
    let isPermitted = storeIfAny()?.isEnforced == true && !pendingItems.isTouched(item)
    guard isPermitted || hasFullAccess(to: item.isEvent ? .event : .reminder) else { return false }
    guard let sourceFilter else { return true }
    guard let source = storedCalendar(item.calendar)?.source else { return false }
    return sourceFilter.contains(source)
  }

  /// The object for an item. For a series, its first occurrence by the rule.
  private func object(for item: CalendarItem) -> EKCalendarItem? {
    guard let details = item.event else { return EKReminder(item, session: self) }
    let resolver = resolver
    var state = ItemState(event: item, start: details.start, end: details.end, resolver: resolver)
    guard item.detachment == nil, item.recurrence != nil else {
      return EKEvent(state, occurrence: item.detachment?.occurrence, session: self)
    }
    var occurrences = OccurrenceSeries(item, resolver: resolver).occurrences
    guard let first = occurrences.next() else { return nil }
    state.times = EventTimes(start: first.start, end: first.end, resolver: resolver)
    return EKEvent(state, occurrence: first.recurrenceID ?? first.start, session: self)
  }

  /// The object for the item with an identifier, if the app may read it.
  func item(withIdentifier identifier: String) -> EKCalendarItem? {
    guard let item = storedItem(Identifier(rawValue: identifier)), isReadable(item) else { return nil }
    return object(for: item)
  }

  /// The objects for all items with a UID that the app may read.
  func items(withExternalIdentifier uid: String) -> [EKCalendarItem] {
    guard let store = storeIfAny() else { return [] }
    let items = (try? VisibleItems(store: store, pending: pendingItems).items(uid: uid)) ?? []
    return items.filter(isReadable).compactMap(object(for:))
  }

  // MARK: Queries

  /// The calendars to search: those of the query, otherwise all visible ones.
  private func searched(_ calendars: [Identifier<ItemCalendar>]?, _ type: EKEntityType)
    -> [Identifier<ItemCalendar>]?
  {
    guard sourceFilter != nil else { return calendars }
    let seen = self.calendars(for: [type]).map(\.value.id)
    return calendars.map { named in named.filter(seen.contains) } ?? seen
  }

  /// The events and occurrences in a range, in no order, with pending changes.
  func events(
    in range: Range<Instant>, calendars: [Identifier<ItemCalendar>]?
  ) throws -> [EKEvent] {
    guard hasFullAccess(to: .event), let store = storeIfAny() else { return [] }
    let searched = searched(calendars, .event)
    let resolver = resolver
    let pending = pendingItems
    var found: [EKEvent] = []
    // Series with pending changes are assembled below.
    var touched = Set(pending.saved.values.lazy.filter(\.isEvent).map { SeriesKey($0) })
    try store.forEachSeries(in: range, calendars: searched, resolver: resolver) { series in
      if !pending.isEmpty, let key = series.items.first.map({ SeriesKey($0) }),
        touched.contains(key) || series.items.contains(where: pending.isTouched)
      {
        touched.insert(key)
      } else {
        append(series, in: range, to: &found)
      }
    }
    let visible = VisibleItems(store: store, pending: pending)
    for key in touched where searched?.contains(key.calendar) ?? true {
      let series = try visible.items(uid: key.uid).filter { $0.calendar == key.calendar && $0.isEvent }
      if series.contains(where: { $0.detachment != nil }) {
        append(OccurrenceSeries(series, resolver: resolver), in: range, to: &found)
      } else {
        for item in series { append(OccurrenceSeries(item, resolver: resolver), in: range, to: &found) }
      }
    }
    return found
  }

  private struct SeriesKey: Hashable {
    let uid: String
    let calendar: Identifier<ItemCalendar>

    init(_ item: CalendarItem) {
      uid = item.uid
      calendar = item.calendar
    }
  }

  private func append(_ series: OccurrenceSeries, in range: Range<Instant>, to found: inout [EKEvent]) {
    var occurrences = series.occurrences(in: range)
    while let occurrence = occurrences.next() {
      let state = ItemState(
        event: SharedItem(series.items, index: occurrence.item), times: EventTimes(occurrence))
      found.append(EKEvent(state, occurrence: occurrence.recurrenceID, session: self))
    }
  }

  /// The committed reminders for a query.
  func reminders(_ query: ReminderQuery) throws -> [EKReminder] {
    guard hasFullAccess(to: .reminder), let store = storeIfAny() else { return [] }
    let lists = searched(query.calendars, .reminder)
    var items = try store.reminders(ReminderQuery(kind: query.kind, calendars: lists))
    if case .incomplete(let from, let to) = query.kind, from != nil || to != nil {
      // The store searches by local time; the exact instant depends on the zone.
      let resolver = resolver
      items = items.filter { item in
        guard let due = item.reminder?.due.map(resolver.instant) else { return false }
        return due >= from ?? .distantPast && due <= to ?? .distantFuture
      }
    }
    return items.map { EKReminder($0, session: self) }
  }
}

/// The named places of a store, for `CLGeocoder`.
extension StoreSession: PlaceSource {
  package func places(named name: String) -> [KnownPlace] {
    known(.named(name.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  package func places(at coordinate: Coordinate) -> [KnownPlace] {
    known(.at(latitude: coordinate.latitude, longitude: coordinate.longitude))
  }

  /// The user's named places, then places of items that the app may read.
  private func known(_ query: PlaceQuery) -> [KnownPlace] {
    guard hasFullAccess(to: .event) || hasFullAccess(to: .reminder),
      let found = try? storeIfAny()?.places(query)
    else { return [] }
    return found.filter { $0.item.map(isReadable) ?? true }.map(\.place).compactMap { place in
      place.coordinate.map { KnownPlace(name: place.title, coordinate: $0, radius: place.effectiveRadius) }
    }
  }
}
