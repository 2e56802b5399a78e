import FencepostCalendarModel

/// Months as a whole, and parts of months and weeks.
extension DatePhrase {
  /// `in june`, `in december 2027`: its first day. `nil` for other words, and for this month if it began before
  /// today, because it is not clear which day is meant.
  func wholeMonth(_ words: ArraySlice<Substring>) -> (CivilDay, Int)? {
    let tokens = Array(words.prefix(3))
    guard tokens.count > 1, tokens[0] == "in", let month = DatePhrase.month(tokens[1]) else { return nil }
    return day(1, of: month, tokens.dropFirst(2).first).map { ($0, 2 + $1) }
  }

  /// `early june`, `mid-june`, `the middle of next month`, `beginning of next week`.
  func partOfMonth(_ words: ArraySlice<Substring>) -> (CivilDay, Int)? {
    let isLed = words.first == "in"
    guard let (part, lead) = DatePhrase.part(isLed ? words.dropFirst() : words) else { return nil }
    let before = lead + (isLed ? 1 : 0)
    let tokens = Array(words.dropFirst(before).prefix(2))
    guard let first = tokens.first else { return nil }
    let number = part == .early ? 1 : 15
    if let month = DatePhrase.month(first) {
      return day(number, of: month, tokens.dropFirst().first).map { ($0, before + 1 + $1) }
    }
    let (year, month, _) = now.day.components
    switch (first, tokens.dropFirst().first) {
    case ("month", _):
      let day = CivilDay(validYear: year, month: month, day: number).flatMap { $0 >= now.day ? $0 : nil }
      return day.map { ($0, before + 1) }
    case ("next", "month"):
      let day = CivilDay(validYear: year + month / 12, month: month % 12 + 1, day: number)
      return day.map { ($0, before + 2) }
    case ("next", "week"):
      return (now.day.adding(days: 7 - sinceMonday + (part == .early ? 0 : 2)), before + 2)
    default: return nil
    }
  }

  /// The next such day of a month, or that of a year. The second value is 1 if the word is a year.
  private func day(_ number: Int, of month: Int, _ word: Substring?) -> (CivilDay, Int)? {
    if let word, word.count == 4, let year = Int(word), year > 1000 {
      return CivilDay(validYear: year, month: month, day: number).map { ($0, 1) }
    }
    let (year, thisMonth, today) = now.day.components
    if month == thisMonth, number < today { return nil }
    return CivilDay(validYear: month < thisMonth ? year + 1 : year, month: month, day: number).map { ($0, 0) }
  }

  private enum Part { case early, mid }

  /// A part at the start of the words, and the number of words: `early`, `beginning of`, `the middle of`.
  private static func part(_ words: ArraySlice<Substring>) -> (Part, Int)? {
    let hasOf = words.dropFirst().first == "of"
    switch words.first {
    case "early", "anfang": return (.early, hasOf ? 2 : 1)
    case "beginning", "start": return hasOf ? (.early, 2) : nil
    case "mid", "mitte": return (.mid, hasOf ? 2 : 1)
    case "middle": return hasOf ? (.mid, 2) : nil
    default: return nil
    }
  }

  /// The number of a month by its name, or three letters of it or more.
  static func month(_ word: Substring) -> Int? {
    guard word.count >= 3 else { return nil }
    return CalendarNames.months.firstIndex { $0.lowercased().hasPrefix(word) }.map { $0 + 1 }
  }
}
