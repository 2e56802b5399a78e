public import FencepostCalendarModel

/// The alarm for reminders that have none, in the settings and for a list.
public enum DefaultAlarmPhrase {
  /// The offset from the due time: `15m` and `-15m` are before it, `+15m` is after it; `nil` for `none`.
  public static func offset(_ text: String) throws(WordError) -> CalendarDuration? {
    if text.lowercased() == "none" { return nil }
    guard let offset = OffsetPhrase.alarm(text) else {
      throw WordError("alarm before a due time", text, try: "0m, 15m or none")
    }
    return offset
  }

  /// The second of the day: `9:00`, `9am` or `9`.
  public static func hour(_ text: String) throws(WordError) -> Int {
    let words = text.lowercased().split(separator: " ")
    if words.count == 1, let hour = Int(words[0]), (0..<24).contains(hour) { return hour * 3600 }
    guard let (second, used) = DatePhrase.timeOfDay(words[...]), used == words.count else {
      throw WordError("time of day", text, try: "9:00, 9am or 18:30")
    }
    return second
  }

  /// The second of the day as `09:00`.
  public static func text(hour second: Int) -> String {
    CivilDateTime(day: CivilDay(dayNumber: 0), secondOfDay: second).hourAndMinute
  }
}

/// How often an alarm is told again until somebody answers.
public enum NagPhrase {
  /// The time between two rings, from a minute to a day: `5m`, `1h`.
  public static func interval(_ text: String) throws(WordError) -> CalendarDuration {
    guard let interval = OffsetPhrase.duration(text),
      ListAlarms.nagSeconds.contains(Double(interval.nominalSeconds))
    else { throw WordError("time between two rings, from 1m to 1d", text, try: "5m or 1h") }
    return interval
  }
}
