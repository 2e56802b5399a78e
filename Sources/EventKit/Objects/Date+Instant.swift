import CalendarModel
import Foundation
import Recurrence

extension Date {
  /// The date of a moment.
  init(_ instant: Instant) { self.init(timeIntervalSince1970: instant.secondsSince1970) }

  /// The moment, to the microsecond; the ends of the range for dates beyond it.
  var instant: Instant {
    Instant(secondsSince1970: timeIntervalSince1970)
      ?? (timeIntervalSince1970 < 0 ? .distantPast : .distantFuture)
  }
}

extension TimeResolver {
  /// The date that a time names; for a whole day its midnight.
  func date(of time: CalendarTime) -> Date { Date(instant(of: time)) }

  /// What the clocks show in a zone; the floating one where it is not given or not known.
  func civil(of date: Date, in zone: TimeZoneID? = nil) -> CivilDateTime {
    (zone.flatMap(zones.zone) ?? floating).civil(at: date.instant)
  }
}

extension TimeZoneID {
  /// The zone as Foundation knows it, by the name that the system has for it; `nil` where neither knows it.
  var foundation: TimeZone? {
    TimeZoneDatabase.system.zone(self).flatMap { TimeZone(identifier: $0.id.rawValue) }
      ?? TimeZone(identifier: rawValue)
  }

  /// Foundation's zone by its name. `GMT` is UTC.
  init(_ zone: TimeZone) {
    let name = zone.identifier
    self = name == "GMT" || name == "Etc/UTC" ? .utc : TimeZoneID(rawValue: name)
  }
}

extension Int {
  /// A number of seconds, rounded; the ends of a range that no calendar leaves for what is beyond it.
  init(clampingSeconds seconds: TimeInterval) {
    let limit = 1e12
    self = seconds.isNaN ? 0 : Int(Swift.max(-limit, Swift.min(limit, seconds.rounded())))
  }
}
