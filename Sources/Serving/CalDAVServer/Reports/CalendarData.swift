import FencepostCalDAV
import FencepostCalendarModel
import FencepostICalendar
import FencepostRecurrence
import FencepostXML

/// The parts of an object to return as `calendar-data` (RFC 4791, section 9.6).
struct CalendarData {
  private let request: CalendarDataRequest
  private let resolver: TimeResolver
  /// The most occurrences of an object, and the most bytes of them. A rule can have very many, and each the
  /// whole text.
  private static let (maximumOccurrences, maximumBytes) = (10_000, ResponseList.maximumBytes)

  init(_ request: CalendarDataRequest, resolver: TimeResolver) {
    self.request = request
    self.resolver = resolver
  }

  /// The text of an object.
  ///
  /// - Throws: ``DAVRefusal`` if it has too many occurrences.
  func text(of object: StoredObject) throws -> String {
    var bytes = object.text
    switch request.recurrences {
    case nil: break
    case .expanded(let range):
      let limit = min(Self.maximumOccurrences, Self.maximumBytes / max(1, object.text.count))
      let items = try occurrences(of: object.items, in: range, atMost: limit)
      bytes = Array(ICalendarWriter().text(of: ICalendarDocument(items: items)).utf8)
    case .limited(let range):
      let items = limited(object.items, to: range)
      if items.count < object.items.count {
        bytes = Array(ICalendarWriter().text(of: ICalendarDocument(items: items)).utf8)
      }
    }
    guard let wanted = request.component, let calendar = ICalendarComponent(bytes) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return Self.part(wanted, of: calendar).text
  }

  private static func part(
    _ wanted: CalendarDataRequest.Component, of component: ICalendarComponent
  ) -> ICalendarComponent {
    var part = component
    if let names = wanted.properties { part.properties.removeAll { !names.contains($0.name) } }
    if let inner = wanted.components {
      part.components = component.components.compactMap { child in
        inner.first { $0.name.uppercased() == child.name }.map { Self.part($0, of: child) }
      }
    }
    return part
  }

  private func range(_ range: TimeRange) -> Range<Instant> {
    (range.start ?? .distantPast)..<(range.end ?? .distantFuture)
  }

  /// Each occurrence as an item of its own, in UTC.
  private func occurrences(
    of items: [CalendarItem], in range: TimeRange, atMost limit: Int
  ) throws -> [CalendarItem] {
    guard items.contains(where: { $0.recurrence != nil || $0.detachment != nil }) else { return items }
    let series = OccurrenceSeries(items, resolver: resolver)
    var found: [CalendarItem] = []
    for occurrence in series.occurrences(in: self.range(range)) {
      guard found.count < limit else {
        throw DAVRefusal(.dav("number-of-matches-within-limits"), status: 507, "too many occurrences")
      }
      var item = series.items[occurrence.item]
      let (start, end) = (utc(occurrence.start), utc(occurrence.end))
      if item.isEvent {
        item.event?.start = start
        item.event?.end = end
      } else {
        if item.reminder?.start != nil { item.reminder?.start = start }
        if item.reminder?.due != nil { item.reminder?.due = end }
      }
      item.recurrence = nil
      item.detachment = occurrence.recurrenceID.map { .init(occurrence: utc($0)) }
      item.timeZone = nil
      found.append(item)
    }
    return found
  }

  private func utc(_ time: CalendarTime) -> CalendarTime {
    time.isDate ? time : CalendarTime(resolver.instant(of: time))
  }

  /// The master, and the detached occurrences that are in a range or replace an occurrence in it.
  private func limited(_ items: [CalendarItem], to range: TimeRange) -> [CalendarItem] {
    let range = self.range(range)
    return items.filter { item in
      guard let detachment = item.detachment else { return true }
      if range.contains(resolver.instant(of: detachment.occurrence)) { return true }
      var occurrences = OccurrenceSeries([item], resolver: resolver).occurrences(in: range)
      return detachment.andFuture || occurrences.next() != nil
    }
  }
}
