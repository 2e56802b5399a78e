import FencepostApps
package import FencepostCalendarModel
import FencepostRecurrence
import Foundation

extension DateComponents {
  /// The time in the form of `EKReminder`: Gregorian, without an hour for a whole day, without a zone for a
  /// floating time.
  init(_ time: CalendarTime) {
    let date = time.day.components
    self.init(
      calendar: Calendar(identifier: .gregorian), timeZone: time.zone?.foundation, year: date.year,
      month: date.month, day: date.day)
    if !time.isDate {
      hour = time.civil.hour
      minute = time.civil.minute
      second = time.civil.second
    }
  }

  /// The time in the store's form; `nil` if these components have no day.
  ///
  /// Without hour, minute and second it is a whole day; without a zone it floats. Components of another
  /// calendar are read in that calendar. Apple's class raises an exception for them.
  package var stored: CalendarTime? {
    let zone = timeZone.map { TimeZoneID($0) }
    guard let civil else { return nil }
    if hour == nil && minute == nil && second == nil { return .date(civil.day) }
    guard let zone else { return .floating(civil) }
    return zone == .utc ? .utc(civil) : .zoned(civil, zone)
  }

  /// The local time.
  private var civil: CivilDateTime? {
    let isGregorian = calendar.map { [.gregorian, .iso8601].contains($0.identifier) } ?? true
    if isGregorian, let year, let month, let day, era == nil || era == 1, weekOfYear == nil,
      (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...24).contains(hour ?? 0), (0...59).contains(minute ?? 0), (0...60).contains(second ?? 0)
    {
      return CivilDateTime(
        year: year, month: month, day: day, hour: hour ?? 0, minute: minute ?? 0, second: second ?? 0)
    }
    // Foundation computes everything else, for example the second Tuesday of a month.
    var calendar = calendar ?? Calendar(identifier: .gregorian)
    guard let utc = TimeZone(secondsFromGMT: 0) else { return nil }
    calendar.timeZone = utc
    var plain = self
    plain.calendar = nil
    plain.timeZone = nil
    guard year != nil || weekOfYear != nil || yearForWeekOfYear != nil || dayOfYear != nil,
      let date = calendar.date(from: plain)
    else { return nil }
    let instant = date.instant
    guard abs(instant.wholeSeconds) < 300_000_000_000 else { return nil }
    return CivilDateTime(secondsSinceEpoch: instant.wholeSeconds)
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
