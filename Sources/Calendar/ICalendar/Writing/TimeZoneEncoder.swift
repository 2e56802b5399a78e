public import FencepostCalendarModel

/// Writes the VTIMEZONEs of items, without duplicates.
struct TimeZoneEncoder {
  private let definitions: [TimeZoneID: TimeZoneDefinition]
  private var written: Set<TimeZoneID> = [.utc]

  /// An encoder with the zones of a document, and then the system's.
  init(definitions: [TimeZoneDefinition]) {
    self.definitions = Dictionary(definitions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Writes the zone called `id`, unless it is already written or unknown.
  mutating func write(_ id: TimeZoneID, to writer: inout LineWriter) {
    guard written.insert(id).inserted else { return }
    if let definition = definitions[id] ?? SystemTimeZone.definition(id) { writer.lines(definition.text) }
  }

  /// Writes the zones of `item`.
  mutating func write(zonesOf item: CalendarItem, to writer: inout LineWriter) {
    for zone in item.zonesOfTimes { write(zone, to: &writer) }
  }
}

extension CalendarItem {
  /// The zones of the item's times, without duplicates, in order of appearance. A file with the item must define them.
  public var zonesOfTimes: [TimeZoneID] {
    var times = [start, event?.end, reminder?.due, detachment?.occurrence].compactMap(\.self)
    if let recurrence {
      times += recurrence.dates.flatMap { [$0.start] + ($0.end.map { [$0] } ?? []) }
      times += recurrence.exceptionDates
    }
    var seen: Set<TimeZoneID> = []
    return times.compactMap { time in
      if case .zoned(_, let zone) = time, seen.insert(zone).inserted { zone } else { nil }
    }
  }
}
