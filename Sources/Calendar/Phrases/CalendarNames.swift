public import FencepostCalendarModel

/// The English names of months and weekdays, to read and show dates.
public enum CalendarNames {
  /// The months from January on.
  public static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]

  /// The weekdays from Sunday on.
  public static let weekdays = Weekday.allCases.map { "\($0)".prefix(1).uppercased() + "\($0)".dropFirst() }

  /// `Friday, 1 May 2026`.
  public static func long(_ day: CivilDay) -> String {
    let (year, month, dayOfMonth) = day.components
    return "\(weekdays[day.weekday.rawValue - 1]), \(dayOfMonth) \(months[month - 1]) \(year)"
  }

  /// `Fri 1 May 2026`.
  public static func short(_ day: CivilDay) -> String {
    let (year, month, dayOfMonth) = day.components
    return
      "\(weekdays[day.weekday.rawValue - 1].prefix(3)) \(dayOfMonth) \(months[month - 1].prefix(3)) \(year)"
  }
}
