package import FencepostCalendarModel
import FencepostRecurrence
import Foundation

extension Date {
  /// The date of an instant.
  init(_ instant: Instant) { self.init(timeIntervalSince1970: instant.secondsSince1970) }

  /// The instant, to the microsecond. Dates out of range become the first or last instant.
  package var instant: Instant {
    Instant(secondsSince1970: timeIntervalSince1970)
      ?? (timeIntervalSince1970 < 0 ? .distantPast : .distantFuture)
  }
}

extension TimeResolver {
  /// The date of a time; midnight for a whole day.
  func date(of time: CalendarTime) -> Date { Date(instant(of: time)) }

  /// The local time in a zone; in the floating zone if `zone` is `nil` or unknown.
  func civil(of date: Date, in zone: TimeZoneID? = nil) -> CivilDateTime {
    (zone.flatMap(zones.zone) ?? floating).civil(at: date.instant)
  }
}

extension TimeZoneID {
  /// Foundation's zone, by the system's name; `nil` if either does not know it.
  var foundation: TimeZone? {
    TimeZoneDatabase.system.zone(self).flatMap { TimeZone(identifier: $0.id.rawValue) }
      ?? TimeZone(identifier: rawValue)
  }

  /// The zone with Foundation's name. `GMT` is UTC.
  init(_ zone: TimeZone) {
    let name = zone.identifier
    self = name == "GMT" || name == "Etc/UTC" ? .utc : TimeZoneID(rawValue: name)
  }
}

extension Int {
  /// Rounds a number of seconds and limits it to a range far beyond any calendar.
  init(clampingSeconds seconds: TimeInterval) {
    let limit = 1e12
    self = seconds.isNaN ? 0 : Int(Swift.max(-limit, Swift.min(limit, seconds.rounded())))
  }
}
