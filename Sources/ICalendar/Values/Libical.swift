import CLibical
import CalendarModel

/// What is asked of libical. No pointer of its leaves this file.
enum Libical {
  /// Reads a DATE or DATE-TIME (RFC 5545, sections 3.3.4 and 3.3.5) that ends at a zero byte; `nil` where it is
  /// none, or names a day or hour that there is not. A leap second is read as the one before.
  static func time(_ text: UnsafePointer<CChar>) -> (time: CivilDateTime, isDate: Bool, isUTC: Bool)? {
    let time = icaltime_from_string(text)
    guard icaltime_is_null_time(time) == 0, let value = civil(time) else { return nil }
    return (value, time.is_date != 0, icaltime_is_utc(time) != 0)
  }

  private static func civil(_ time: icaltimetype) -> CivilDateTime? {
    let (year, month, day) = (Int(time.year), Int(time.month), Int(time.day))
    guard (0...9999).contains(year), let day = CivilDay(validYear: year, month: month, day: day) else {
      return nil
    }
    if time.is_date != 0 { return CivilDateTime(day: day, secondOfDay: 0) }
    let (hour, minute, second) = (Int(time.hour), Int(time.minute), Int(time.second))
    guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second) else { return nil }
    return CivilDateTime(day: day, secondOfDay: hour * 3600 + minute * 60 + min(second, 59))
  }
}
