import FencepostCalendarModel
import FencepostRecurrence
import Synchronization

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
