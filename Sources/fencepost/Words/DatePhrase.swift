import CalendarModel

/// A date, or a date and time, as people write it.
///
/// Read are RFC 3339 (`2026-05-01T08:30:00+02:00`), `2026-05-01`, `2026-05-01 08:30`, `1 May 2026 8:30`,
/// `today`, `tomorrow 9am`, `friday at 18:00`, `next monday noon`, `in 2 hours`, `17:30`. What names no time
/// of day is a whole day. What names no zone is in the zone handed in.
struct DatePhrase {
  /// What the wall clock reads now, in ``zone``.
  var now: CivilDateTime
  /// The zone in which the words are meant.
  var zone: TimeZoneID

  private static let examples = "2026-05-01, '2026-05-01 08:30', 'tomorrow 9am' or 'friday 18:00'"

  /// What `text` says.
  func time(_ text: String) throws(WordError) -> CalendarTime {
    if let exact = DatePhrase.exact(text) { return exact }
    let words = DatePhrase.spaced(text.lowercased()).split { $0 == " " || $0 == "," || $0 == "\t" }
      .filter { $0 != "at" }
    if words.first == "in" || words.first?.first == "+" {
      if let later = relative(words) { return later }
    } else if let time = absolute(words) {
      return time
    }
    throw WordError("date", text, try: DatePhrase.examples)
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

  /// `in 2 hours`, `+3d`.
  private func relative(_ words: [Substring]) -> CalendarTime? {
    let said = words.first == "in" ? words.dropFirst().joined() : words.joined()
    guard let duration = OffsetPhrase.duration(said) else { return nil }
    let day = now.day.adding(days: duration.days)
    if duration.seconds == 0 && duration.days != 0 && !said.contains("h") { return .date(day) }
    return .zoned(
      CivilDateTime(day: day, secondOfDay: now.secondOfDay).adding(seconds: Int64(duration.seconds)), zone)
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
    if let day = DatePhrase.numericDay(first) { return (day, 1) }
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
    let thisYear = now.day.components.year
    guard let day = CivilDay(validYear: thisYear, month: month, day: dayOfMonth) else { return nil }
    if day >= now.day { return (day, 2) }
    return CivilDay(validYear: thisYear + 1, month: month, day: dayOfMonth).map { ($0, 2) }
  }

  /// `2026-05-01`.
  private static func numericDay(_ word: Substring) -> CivilDay? {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2])
    else { return nil }
    return CivilDay(validYear: year, month: month, day: day)
  }

  /// The second of the day that the words begin with, and how many of them say it.
  static func timeOfDay(_ words: ArraySlice<Substring>) -> (Int, Int)? {
    guard let first = words.first else { return nil }
    switch first {
    case "noon": return (12 * 3600, 1)
    case "midnight": return (0, 1)
    case "morning": return (9 * 3600, 1)
    case "evening": return (18 * 3600, 1)
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
