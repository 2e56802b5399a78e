import CalendarModel

/// A date, or a date and time, as people write it.
///
/// Read are RFC 3339 (`2026-05-01T08:30:00+02:00`), `2026-05-01`, `2026-05-01 08:30`, `1 May 2026 8:30`, `24.12.`,
/// `today`, `tomorrow 9am`, `friday at 18:00`, `next monday noon`, `in 2 hours`, `in 3 days at 9`, `2 weeks ago`,
/// `next month`, `end of month`, `weekend`, `17:30`. What names no time of day is a whole day. What names no zone is
/// in the zone handed in.
///
/// `friday` is the next one, a week from now on a Friday; `next friday` is the same. `05/06` is not read: it is the
/// 5th of June to some and the 6th of May to others.
struct DatePhrase {
  /// What the wall clock reads now, in ``zone``.
  var now: CivilDateTime
  /// The zone in which the words are meant.
  var zone: TimeZoneID

  private static let examples = "2026-05-01, '2026-05-01 08:30', 'tomorrow 9am' or 'friday 18:00'"

  /// What `text` says.
  func time(_ text: String) throws(WordError) -> CalendarTime {
    if let exact = DatePhrase.exact(text) { return exact }
    let words = DatePhrase.words(text)
    if let time = relative(words) ?? absolute(words) { return time }
    throw WordError("date", text, try: DatePhrase.examples)
  }

  /// What `text` says, where a time of day alone means the day of `other`, in its zone.
  func time(_ text: String, onDayOf other: CalendarTime?) throws(WordError) -> CalendarTime {
    let words = DatePhrase.words(text)
    guard let other, let (second, used) = DatePhrase.timeOfDay(words[...]), used == words.count else {
      return try time(text)
    }
    let civil = CivilDateTime(day: other.day, secondOfDay: second)
    return other.isDate ? .zoned(civil, zone) : other.with(civil: civil)
  }

  /// The words that count, in lower case. `at 9` is `9:00`.
  private static func words(_ text: String) -> [Substring] {
    var words: [Substring] = []
    var isHour = false
    for word in spaced(text.lowercased()).split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" }) {
      if word == "at" {
        isHour = true
        continue
      }
      let isNumber = word.count <= 2 && word.allSatisfy { $0.isASCII && $0.isNumber }
      words.append(isHour && isNumber ? word + ":00" : word)
      isHour = false
    }
    // The half of the day may stand apart: `at 9 am`.
    for index in words.indices.dropFirst() where ["am", "pm"].contains(words[index]) {
      if words[index - 1].hasSuffix(":00") { words[index - 1] = words[index - 1].dropLast(3) }
    }
    return words
  }

  /// `2026-05-01t08:30` as two words.
  private static func spaced(_ text: String) -> String {
    var characters = Array(text)
    if characters.count > 10, characters[10] == "t", characters[4] == "-", characters[7] == "-" {
      characters[10] = " "
    }
    return String(characters)
  }

  /// RFC 3339 with its offset.
  private static func exact(_ text: String) -> CalendarTime? {
    Instant(rfc3339: text).map { CalendarTime($0) }
  }

  /// `in 2 hours`, `+3d`, `in 3 days 9:00`, `an hour ago`, `in a month`.
  private func relative(_ words: [Substring]) -> CalendarTime? {
    var words = words[...]
    var sign = 1
    if words.first == "in" {
      words = words.dropFirst()
    } else if words.last == "ago" {
      sign = -1
      words = words.dropLast()
    } else if words.first?.first != "+" {
      return nil
    }
    if let time = after(words, sign: sign) { return time }
    // A span of days may be followed by a time of day.
    for count in 1...2 where words.count > count {
      guard let (second, used) = DatePhrase.timeOfDay(words.suffix(count)), used == count,
        let day = after(words.dropLast(count), sign: sign), day.isDate
      else { continue }
      return .zoned(CivilDateTime(day: day.day, secondOfDay: second), zone)
    }
    return nil
  }

  /// A span of time from now: `2 hours`, `a week`, `half an hour`, `3 months`.
  private func after(_ words: ArraySlice<Substring>, sign: Int) -> CalendarTime? {
    var said = words.joined(separator: " ")
    if said == "half an hour" { said = "30m" }
    for article in ["a ", "an "] where said.hasPrefix(article) { said = "1 " + said.dropFirst(article.count) }
    if let months = DatePhrase.months(said) { return adding(months: sign * months).map { .date($0) } }
    guard let duration = OffsetPhrase.duration(said.filter { $0 != " " }) else { return nil }
    let day = now.day.adding(days: sign * duration.days)
    if duration.seconds == 0 && duration.days != 0 && !said.contains("h") { return .date(day) }
    let then = CivilDateTime(day: day, secondOfDay: now.secondOfDay)
    return .zoned(then.adding(seconds: Int64(sign * duration.seconds)), zone)
  }

  /// `3 months`, `+1 year` as months.
  private static func months(_ text: String) -> Int? {
    let text = text.drop { $0 == "+" }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard digits.count <= 4, let number = Int(digits) else { return nil }
    switch text.dropFirst(digits.count).drop(while: { $0 == " " }) {
    case "month", "months", "mo": return number
    case "year", "years", "y": return number * 12
    default: return nil
    }
  }

  /// The day some months from now, or the last of its month where that is shorter.
  private func adding(months: Int) -> CivilDay? {
    let (year, month, day) = now.day.components
    let count = year * 12 + month - 1 + months
    guard (0..<9999 * 12).contains(count) else { return nil }
    let (newYear, newMonth) = (count / 12, count % 12 + 1)
    return CivilDay(
      validYear: newYear, month: newMonth, day: min(day, CivilDay.daysInMonth(newMonth, ofYear: newYear)))
  }

  /// A day, a time of day, or both, in either order.
  private func absolute(_ words: [Substring]) -> CalendarTime? {
    var day: CivilDay?
    var second: Int?
    var rest = words[...]
    while !rest.isEmpty {
      if day == nil, let (found, used) = self.day(rest) {
        day = found
        rest = rest.dropFirst(used)
        if words[0] == "tonight" { second = second ?? 20 * 3600 }
        if words[0] == "now" { second = now.secondOfDay }
      } else if let (found, used) = DatePhrase.timeOfDay(rest), second == nil || words[0] == "tonight" {
        second = found
        rest = rest.dropFirst(used)
      } else {
        return nil
      }
    }
    guard let second else { return day.map { .date($0) } }
    if let day { return .zoned(CivilDateTime(day: day, secondOfDay: second), zone) }
    // A time alone is the next one to come.
    let today = CivilDateTime(day: now.day, secondOfDay: second)
    return .zoned(today > now ? today : today.adding(seconds: 86_400), zone)
  }

  /// The index of the name that `word` is, or abbreviates to three letters or more.
  private static func index(of word: Substring, in names: [String]) -> Int? {
    guard word.count >= 3 else { return nil }
    return names.firstIndex { $0.lowercased().hasPrefix(word) }
  }

  /// The day that the words begin with, and how many of them say it.
  private func day(_ words: ArraySlice<Substring>) -> (CivilDay, Int)? {
    guard let first = words.first else { return nil }
    switch first {
    case "now", "today", "tonight": return (now.day, 1)
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
    guard let found = CivilDay(validYear: year, month: month, day: day) else { return nil }
    return found >= now.day ? found : CivilDay(validYear: year + 1, month: month, day: day)
  }

  /// The second of the day that the words begin with, and how many of them say it.
  static func timeOfDay(_ words: ArraySlice<Substring>) -> (Int, Int)? {
    guard let first = words.first else { return nil }
    switch first {
    case "noon": return (12 * 3600, 1)
    case "midnight": return (0, 1)
    case "morning": return (9 * 3600, 1)
    case "afternoon": return (15 * 3600, 1)
    case "evening": return (18 * 3600, 1)
    case "night": return (21 * 3600, 1)
    default: break
    }
    var word = first
    var used = 1
    var half: Substring = ""
    if word.hasSuffix("am") || word.hasSuffix("pm") {
      half = word.suffix(2)
      word = word.dropLast(2)
    } else if let second = words.dropFirst().first, second == "am" || second == "pm" {
      half = second
      used = 2
    }
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.count <= 2 && !$0.isEmpty ? Int($0) : nil }
    guard (1...3).contains(parts.count), numbers.count == parts.count,
      parts.count > 1 || !half.isEmpty, numbers.allSatisfy({ $0 >= 0 })
    else { return nil }
    var hour = numbers[0]
    if !half.isEmpty {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (half == "pm" ? 12 : 0)
    }
    let minute = numbers.count > 1 ? numbers[1] : 0
    let second = numbers.count > 2 ? numbers[2] : 0
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return (hour * 3600 + minute * 60 + second, used)
  }
}
