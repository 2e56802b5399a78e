import CalendarModel

extension DatePhrase {
  /// The index of the name that `word` is, or abbreviates to three letters or more.
  private static func index(of word: Substring, in names: [String]) -> Int? {
    guard word.count >= 3 else { return nil }
    return names.firstIndex { $0.lowercased().hasPrefix(word) }
  }

  /// The day that the words begin with, and how many of them say it.
  func day(_ words: ArraySlice<Substring>) -> (CivilDay, Int)? {
    guard let first = words.first else { return nil }
    switch first {
    case "today", "tonight": return (now.day, 1)
    case "tomorrow": return (now.day.adding(days: 1), 1)
    case "yesterday": return (now.day.adding(days: -1), 1)
    default: break
    }
    if let day = numericDay(first) { return (day, 1) }
    if let found = named(words) { return found }
    // The next such weekday; "next friday" said on a Friday or before it is the same one.
    let named = first == "next" || first == "this" ? words.dropFirst() : words
    if let word = named.first, let index = DatePhrase.index(of: word, in: CalendarNames.weekdays) {
      let ahead = (index - (now.day.weekday.rawValue - 1) + 7) % 7
      return (now.day.adding(days: ahead == 0 ? 7 : ahead), words.count - named.count + 1)
    }
    return namedMonth(Array(words.prefix(3)))
  }

  /// `1 May 2026`, `May 1`, `1st may`.
  private func namedMonth(_ words: [Substring]) -> (CivilDay, Int)? {
    guard words.count >= 2 else { return nil }
    let number: (Substring) -> Int? = { word in
      let digits = word.prefix { $0.isASCII && $0.isNumber }
      guard ["", "st", "nd", "rd", "th", "."].contains(word.dropFirst(digits.count)) else { return nil }
      return Int(digits)
    }
    var month: Int?
    var dayOfMonth: Int?
    if let index = DatePhrase.index(of: words[0], in: CalendarNames.months) {
      (month, dayOfMonth) = (index + 1, number(words[1]))
    } else if let index = DatePhrase.index(of: words[1], in: CalendarNames.months) {
      (month, dayOfMonth) = (index + 1, number(words[0]))
    }
    guard let month, let dayOfMonth else { return nil }
    if words.count == 3, words[2].count == 4, let year = Int(words[2]) {
      return CivilDay(validYear: year, month: month, day: dayOfMonth).map { ($0, 3) }
    }
    return next(month: month, day: dayOfMonth).map { ($0, 2) }
  }

  /// `day after tomorrow`, `next week`, `end of month`, `weekend`.
  private func named(_ words: ArraySlice<Substring>) -> (CivilDay, Int)? {
    let (year, month, _) = now.day.components
    // Weeks begin on Monday (ISO 8601).
    let sinceMonday = (now.day.weekday.rawValue + 5) % 7
    let phrases: [(String, CivilDay?)] = [
      ("day after tomorrow", now.day.adding(days: 2)),
      ("day before yesterday", now.day.adding(days: -2)),
      ("next week", now.day.adding(days: 7 - sinceMonday)),
      ("end of week", now.day.adding(days: 6 - sinceMonday)),
      ("end of month", CivilDay(year: year, month: month, day: CivilDay.daysInMonth(month, ofYear: year))),
      ("end of year", CivilDay(validYear: year, month: 12, day: 31)),
      ("next month", CivilDay(validYear: month < 12 ? year : year + 1, month: month % 12 + 1, day: 1)),
      ("next year", CivilDay(validYear: year + 1, month: 1, day: 1)),
      ("weekend", now.day.adding(days: sinceMonday > 5 ? 6 : 5 - sinceMonday)),
    ]
    // `the end of the month` is the same.
    let said = words.filter { $0 != "the" && $0 != "this" }
    for (phrase, day) in phrases {
      let parts = phrase.split(separator: " ")
      guard let day, said.starts(with: parts) else { continue }
      var used = 0
      var left = parts.count
      for word in words where left > 0 {
        used += 1
        if word != "the" && word != "this" { left -= 1 }
      }
      return (day, used)
    }
    return nil
  }

  /// `2026-05-01`, `2026/05/01`, `1.5.2026`, `1.5.`.
  private func numericDay(_ word: Substring) -> CivilDay? {
    for separator in ["-", "/"] as [Character] {
      let parts = word.split(separator: separator, omittingEmptySubsequences: false)
      if parts.count == 3, parts[0].count == 4, let year = Int(parts[0]), let month = Int(parts[1]),
        let day = Int(parts[2])
      {
        return CivilDay(validYear: year, month: month, day: day)
      }
    }
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let day = Int(parts[0]), let month = Int(parts[1]) else { return nil }
    if parts[2].isEmpty { return next(month: month, day: day) }
    guard parts[2].count == 4, let year = Int(parts[2]) else { return nil }
    return CivilDay(validYear: year, month: month, day: day)
  }

  /// The next such day of the year.
  private func next(month: Int, day: Int) -> CivilDay? {
    let year = now.day.components.year
    // Up to eight years lie between two leap years: 1896 and 1904.
    return (year...year + 8).lazy.compactMap { CivilDay(validYear: $0, month: month, day: day) }
      .first { $0 >= now.day }
  }
}
