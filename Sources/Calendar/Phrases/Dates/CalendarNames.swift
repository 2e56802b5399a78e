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
  public static func long(_ day: CivilDay, _ texts: Texts = .english) -> String {
    let (year, month, dayOfMonth) = day.components
    return texts(
      "{weekday}, {day} {month} {year}",
      [
        "weekday": texts(weekdays[day.weekday.rawValue - 1]), "day": "\(dayOfMonth)",
        "month": Self.month(month, texts), "year": "\(year)",
      ])
  }

  /// `Fri 1 May 2026`.
  public static func short(_ day: CivilDay, _ texts: Texts = .english) -> String {
    "\(brief(day, texts)) \(day.components.year)"
  }

  /// The name of a month, from 1.
  static func month(_ number: Int, _ texts: Texts) -> String {
    texts.named("month \(number)", otherwise: months[number - 1])
  }

  /// `Fri 1 May`, or without the weekday.
  public static func brief(
    _ day: CivilDay, _ texts: Texts = .english, hasWeekday: Bool = true
  ) -> String {
    let (_, month, dayOfMonth) = day.components
    let date = texts(
      "{day} {month}",
      ["day": "\(dayOfMonth)", "month": String(Self.month(month, texts).prefix(3))])
    let weekday = texts(String(weekdays[day.weekday.rawValue - 1].prefix(3)))
    return hasWeekday ? texts("{weekday} {date}", ["weekday": weekday, "date": date]) : date
  }
}
