public import FencepostCalendarModel
import FencepostRecurrence
import Synchronization

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
  /// The zones of the item's times, without duplicates, in order of appearance. A file with the item must
  /// define them.
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

/// The VTIMEZONE of a system zone, from 1970 on.
enum SystemTimeZone {
  /// The zone's definition under the name `id`; `nil` if the system does not know it.
  ///
  /// Cost: a millisecond for the first query of a zone, then a look-up.
  static func definition(_ id: TimeZoneID) -> TimeZoneDefinition? {
    if let known = known.withLock({ $0[id] }) { return known }
    let definition = make(id)
    known.withLock { known in
      // Names come from files, so their number needs a limit.
      if known.count >= 1_024 { known.removeAll(keepingCapacity: true) }
      known[id] = .some(definition)
    }
    return definition
  }

  /// The definitions so far; `nil` for zones that the system does not know.
  private static let known = Mutex<[TimeZoneID: TimeZoneDefinition?]>([:])

  private static func make(_ id: TimeZoneID) -> TimeZoneDefinition? {
    guard let rules = TimeZoneDatabase.system.zone(id) else { return nil }
    let observances = rules.observances()
    return TimeZoneDefinition(id: id, observances: observances, text: text(id, observances))
  }

  private static func text(_ id: TimeZoneID, _ observances: [TimeZoneDefinition.Observance]) -> String {
    var lines = ["BEGIN:VTIMEZONE", "TZID:\(TextValue.encode(id.rawValue))"]
    for observance in observances {
      let name = observance.isDaylight ? "DAYLIGHT" : "STANDARD"
      lines += [
        "BEGIN:\(name)", "DTSTART:\(TimeValue.text(.floating(observance.start)))",
        "TZOFFSETFROM:\(TimeValue.text(offset: observance.offsetFrom))",
        "TZOFFSETTO:\(TimeValue.text(offset: observance.offsetTo))",
      ]
      if let name = observance.name { lines.append("TZNAME:\(TextValue.encode(name))") }
      lines += observance.rules.map { "RRULE:\($0.text)" }
      if !observance.dates.isEmpty {
        lines.append("RDATE:\(observance.dates.map { TimeValue.text(.floating($0)) }.joined(separator: ","))")
      }
      lines.append("END:\(name)")
    }
    return (lines + ["END:VTIMEZONE"]).joined(separator: "\n")
  }
}
