import CalendarModel

/// Writes the VTIMEZONEs that items need, each once.
struct TimeZoneEncoder {
  private let definitions: [TimeZoneID: TimeZoneDefinition]
  private var written: Set<TimeZoneID> = [.utc]

  /// An encoder that knows the zones of a document, and else asks the system.
  init(definitions: [TimeZoneDefinition]) {
    self.definitions = Dictionary(definitions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Writes the zone called `id`, unless that was done or nobody knows it.
  mutating func write(_ id: TimeZoneID, to writer: inout LineWriter) {
    guard written.insert(id).inserted else { return }
    if let definition = definitions[id] ?? SystemTimeZone.definition(id) { writer.lines(definition.text) }
  }

  /// Writes the zones that `item` names.
  mutating func write(zonesOf item: CalendarItem, to writer: inout LineWriter) {
    for time in TimeZoneEncoder.times(of: item) {
      if case .zoned(_, let zone) = time { write(zone, to: &writer) }
    }
  }

  private static func times(of item: CalendarItem) -> [CalendarTime] {
    var times = [item.start, item.event?.end, item.reminder?.due, item.detachment?.occurrence].compactMap(
      \.self)
    if let recurrence = item.recurrence {
      times += recurrence.dates.flatMap { [$0.start] + ($0.end.map { [$0] } ?? []) }
      times += recurrence.exceptionDates
    }
    return times
  }
}
