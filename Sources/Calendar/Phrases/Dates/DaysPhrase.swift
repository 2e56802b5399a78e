public import FencepostCalendarModel

/// Several days: `week`, `3d`, `next week`, `weekend`, `monday..friday`, or one date.
public enum DaysPhrase {
  /// The days that a phrase names.
  public enum Days: Hashable, Sendable {
    /// A number of days, from any first day.
    case count(Int)
    /// A range of days.
    case range(ClosedRange<CivilDay>)

    /// The range of days. A number of days starts at `first`.
    public func from(_ first: CivilDay) -> ClosedRange<CivilDay> {
      switch self {
      case .count(let count): first...first.adding(days: count - 1)
      case .range(let range): range
      }
    }
  }

  /// The maximum number of days in one phrase, about ten years.
  private static let most = 3660

  /// Reads several days. `week` means seven days, and `next week` starts on Monday.
  public static func days(_ text: String, dates: DatePhrase) throws(WordError) -> Days {
    if let dots = text.firstRange(of: "..") {
      let (first, last) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
      let from = try dates.day(first, weekdayFrom: dates.now.day)
      // The Friday of `monday..friday` is the one after that Monday.
      let to = try dates.day(last, weekdayFrom: from)
      guard from <= to else { throw WordError("range of days", text, try: "'monday..friday'") }
      return .range(from...to)
    }
    let words = PhraseWords.words(text)
    if let count = count(words) { return .count(count) }
    if let range = named(words, dates) { return .range(range) }
    do {
      let day = try dates.day(text)
      return .range(day...day)
    } catch {
      throw WordError(
        "day or range of days", text,
        try: "today, tomorrow, week, 3d, 'next week', 2026-05-01 or 'monday..friday'")
    }
  }

  /// `day`, `week`, `3d`, `2 weeks`, `next 3 days`.
  private static func count(_ words: [Substring]) -> Int? {
    var words = words[...]
    switch words {
    case ["day"]: return 1
    case ["week"]: return 7
    case ["month"]: return 31
    case ["year"]: return 366
    default: break
    }
    if words.first == "next", words.count > 1, words.dropFirst().first?.first?.isNumber == true {
      words.removeFirst()
    }
    let text = words.joined()
    // Neither a year in digits nor a time of day is a number of days.
    guard let first = text.first, first.isNumber, text.last?.isLetter == true,
      let span = OffsetPhrase.duration(text), span.seconds == 0, (1...most).contains(span.days)
    else { return nil }
    return span.days
  }

  /// `next week`, `this month`, `weekend`.
  private static func named(_ words: [Substring], _ dates: DatePhrase) -> ClosedRange<CivilDay>? {
    let today = dates.now.day
    let monday = today.adding(days: -dates.sinceMonday)
    let (thisYear, thisMonth, _) = today.components
    func month(_ offset: Int, from first: CivilDay? = nil) -> ClosedRange<CivilDay>? {
      let (year, month) = (thisYear + (thisMonth - 1 + offset) / 12, (thisMonth - 1 + offset) % 12 + 1)
      guard let start = CivilDay(validYear: year, month: month, day: 1) else { return nil }
      return (first ?? start)...start.adding(days: CivilDay.daysInMonth(month, ofYear: year) - 1)
    }
    switch words {
    case ["this", "week"]: return today...monday.adding(days: 6)
    case ["next", "week"]: return monday.adding(days: 7)...monday.adding(days: 13)
    case ["last", "week"]: return monday.adding(days: -7)...monday.adding(days: -1)
    case ["weekend"], ["this", "weekend"]: return max(today, monday.adding(days: 5))...monday.adding(days: 6)
    case ["this", "month"]: return month(0, from: today)
    case ["next", "month"]: return month(1)
    default: return nil
    }
  }
}
