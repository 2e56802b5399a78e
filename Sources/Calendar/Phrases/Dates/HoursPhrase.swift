public import FencepostCalendarModel

/// Part of a day: `08:00-18:30`, `9am-5pm`, `22:00-06:00`.
public enum HoursPhrase {
  /// Reads a part of a day. If it starts after it ends, it spans midnight.
  public static func hours(_ text: String) throws(WordError) -> TimeWindow.Hours {
    let ends = text.lowercased().split(separator: "-", omittingEmptySubsequences: false)
    if ends.count == 2, let from = second(ends[0]), let until = second(ends[1]), from != until, from < 86_400
    {
      // As an end, midnight is the end of the day.
      return TimeWindow.Hours(from: from, until: until == 0 ? 86_400 : until)
    }
    throw WordError("part of a day", text, try: "08:00-18:30 or 9am-5pm")
  }

  private static func second(_ text: Substring) -> Int? {
    let words = text.split(separator: " ")
    if words.count == 1, words[0] == "24:00" { return 86_400 }
    guard let (second, used) = DatePhrase.timeOfDay(words[...]), used == words.count else { return nil }
    return second
  }
}
