public import FencepostCalendarModel
import FencepostRecurrence

/// A reminder in one line: `Buy milk tomorrow 9am #shopping !high @Bakery`.
///
/// - `#tag`, `!high` (`!medium`, `!low`, `!1` to `!9`, `!!`, `!!!`) and `@Place` can be anywhere, as separate
///   words. Double quotes allow spaces: `@"Main Office"`. A backslash keeps a word as it is: `\#1`.
/// - The due time and the repetition are at the end or at the start of the rest: `Water plants every monday
///   at 8`. Past times, and words with another common meaning (`weekend`, `sun`), stay in the title. So do
///   several weekdays without `every`, which may mean these days or each week.
public struct QuickEntry: Hashable, Sendable {
  /// The title: the rest of the line.
  public private(set) var title = ""
  /// The due time, or the first one.
  public private(set) var due: CalendarTime?
  /// The repetition.
  public private(set) var rule: RecurrenceRule?
  /// The tags, without `#` and without duplicates.
  public private(set) var tags: [String] = []
  /// The priority (RFC 5545).
  public private(set) var priority: Int?
  /// The name of the place for the alarm.
  public private(set) var place: String?
  /// The words at the end of the title that look like a time, if no time was read.
  public private(set) var unread: String?

  /// The maximum number of words in a time.
  private static let longest = 10

  /// Reads a line.
  ///
  /// - Throws: ``WordError`` if there is no title, or more than one priority or place.
  public init(_ text: String, dates: DatePhrase) throws(WordError) {
    var words: [Substring] = []
    for token in Token.tokens(text) {
      switch token {
      case .word(let word): words.append(word)
      case .tag(let name): if !tags.contains(name) { tags.append(name) }
      case .priority(let value):
        guard priority == nil else { throw WordError.plain("'\(text)' has two priorities") }
        priority = value
      case .place(let name):
        guard place == nil else { throw WordError.plain("'\(text)' has two places") }
        place = name
      }
    }
    if let time = QuickEntry.time(in: words, dates) {
      words.removeSubrange(time.range)
      (due, rule) = (time.due, time.rule)
      // `Dinner with Anna, tomorrow 9am`
      if time.range.lowerBound == words.count { QuickEntry.dropComma(&words) }
    } else {
      unread = QuickEntry.likeTime(words)
    }
    title = words.map { $0.hasPrefix("\\") ? String($0.dropFirst()) : String($0) }.joined(separator: " ")
    guard !title.isEmpty else { throw WordError.plain("'\(text)' has no title") }
  }

  // MARK: Times

  private struct Time {
    var range: Range<Int>
    var due: CalendarTime
    var rule: RecurrenceRule?
  }

  /// `leads` are words before a time that belong to it. After `bindings`, no time follows.
  private static let leads: Set<String> = ["on", "by", "due", "am", "bis"]
  private static let bindings: Set<String> = [
    "the", "a", "an", "my", "your", "our", "his", "her", "for", "of", "about", "with", "to", "from", "since",
    "before",
    "after", "until", "next", "last", "every", "der", "die", "das", "den", "dem", "für", "von", "seit", "vor",
    "nach",
  ]
  /// Words that can be times, but usually have another meaning if they stand alone.
  private static let weak: Set<String> = [
    "weekend", "night", "morning", "afternoon", "evening", "noon", "midnight", "now", "sun", "sat", "wed",
    "weekday",
    "weekdays", "wochenende", "nacht", "abend", "mittag", "früh",
  ]

  /// After a time at the start, these make it the subject of a sentence.
  private static let verbs: Set<String> = [
    "is", "isn't", "are", "aren't", "was", "wasn't", "were", "has", "had", "will", "can", "ist", "sind",
    "war",
    "waren", "hat", "wird", "kann",
  ]
  private static let connectors: Set<String> = ["and", "or", "&", "und", "oder"]

  /// Whether the words on either side of a possible time name more days.
  private static func isOneOfSeveral(_ words: [Substring], _ range: Range<Int>) -> Bool {
    func isDay(_ index: Int) -> Bool {
      words.indices.contains(index) && DatePhrase.isWeekday(String(words[index]))
    }
    func isConnector(_ index: Int) -> Bool {
      words.indices.contains(index) && connectors.contains(words[index].lowercased())
    }
    let (before, after) = (range.lowerBound - 1, range.upperBound)
    return isDay(before) || isDay(after) || isConnector(before) && isDay(before - 1)
      || isConnector(after) && isDay(after + 1)
  }

  /// The words at the end that look like a time.
  private static func likeTime(_ words: [Substring]) -> String? {
    func isClock(_ word: String) -> Bool {
      let parts = word.split(omittingEmptySubsequences: false) { ":.".contains($0) }
      return parts.count == 2 && (1...2).contains(parts[0].count) && parts[1].count >= 2
        && parts[0].allSatisfy(\.isNumber) && parts[1].prefix(2).allSatisfy(\.isNumber)
        && ["", "am", "pm", "h"].contains(parts[1].dropFirst(2))
    }
    let lowercased = words.map { String($0.drop { $0 == "," }.prefix { $0 != "," }).lowercased() }
    var start = words.count
    var isLike = false
    while start > 0 {
      let word = lowercased[start - 1]
      let isTime =
        DatePhrase.isWeekday(word) && !weak.contains(word) || isClock(word)
        || ["today", "tomorrow", "heute", "morgen"].contains(word)
      guard isTime || isLike && (connectors.contains(word) || DatePhrase.isWeekday(word)) else { break }
      isLike = isLike || isTime
      start -= 1
    }
    guard isLike, start > 0, !bindings.contains(lowercased[start - 1]) else { return nil }
    return words[start...].joined(separator: " ")
  }

  private static func dropComma(_ words: inout [Substring]) {
    while let last = words.last, last.hasSuffix(",") {
      words[words.count - 1] = last.dropLast()
      if words[words.count - 1].isEmpty { words.removeLast() }
    }
  }

  private static func time(in words: [Substring], _ dates: DatePhrase) -> Time? {
    // The longest match wins.
    for start in max(0, words.count - longest)..<max(0, words.count) {
      if start > 0, bindings.contains(words[start - 1].lowercased()) { continue }
      if isOneOfSeveral(words, start..<words.count) { continue }
      if let time = time(words, start..<words.count, dates) { return time }
    }
    for end in stride(from: min(words.count - 1, longest), to: 0, by: -1) {
      if let time = time(words, 0..<end, dates) {
        if verbs.contains(words[end].lowercased()) || isOneOfSeveral(words, 0..<end) { return nil }
        // `Daily report` is a title, but `every day` is a repetition.
        return time.rule == nil || PhraseWords.words(String(words[0])) == ["every"] ? time : nil
      }
    }
    return nil
  }

  private static func time(_ words: [Substring], _ range: Range<Int>, _ dates: DatePhrase) -> Time? {
    var phrase = words[range]
    if phrase.count > 1, let first = phrase.first, leads.contains(first.lowercased()) { phrase.removeFirst() }
    guard let first = phrase.first?.lowercased(),
      !["the", "der", "die", "das", "den"].contains(first) || phrase.count < range.count,
      phrase.count < range.count || phrase.count > 1 || !weak.contains(first)
    else { return nil }
    if let due = due(phrase, dates) { return Time(range: range, due: due) }
    for cut in (phrase.startIndex...phrase.endIndex).reversed() {
      let (head, tail) = (phrase[..<cut], phrase[cut...])
      if let found = repeating(head, from: tail, dates) ?? repeating(tail, from: head, dates) {
        return Time(range: range, due: found.0, rule: found.1)
      }
    }
    return nil
  }

  /// Reads a due time; `nil` if it is in the past.
  private static func due(_ words: ArraySlice<Substring>, _ dates: DatePhrase) -> CalendarTime? {
    guard let time = try? dates.time(words.joined(separator: " ")),
      !time.isOver(at: dates.instant, resolver: dates.resolver)
    else { return nil }
    return time
  }

  /// A repetition and its start. The other words give the start; without them it is the first day of the
  /// rule.
  private static func repeating(
    _ words: ArraySlice<Substring>, from start: ArraySlice<Substring>, _ dates: DatePhrase
  ) -> (CalendarTime, RecurrenceRule)? {
    let text = words.joined(separator: " ")
    guard RepeatPhrase.isRepetition(PhraseWords.words(text)), let rule = try? RepeatPhrase.rule(text) else {
      return nil
    }
    let others = PhraseWords.words(start.joined(separator: " "))
    if !others.isEmpty {
      guard let (second, used) = DatePhrase.timeOfDay(others[...], dotted: true), used == others.count else {
        return due(start, dates).map { ($0, rule) }
      }
      return dates.first(of: rule, at: second).map { ($0, rule) }
    }
    return dates.first(of: rule, at: nil).map { ($0, rule) }
  }
}

extension DatePhrase {
  /// The first time of a rule from now on, at a second of the day; a whole day without one.
  func first(of rule: RecurrenceRule, at second: Int?) -> CalendarTime? {
    if rule.frequency <= .hourly, second == nil { return .zoned(now, zone) }
    // `every other Thursday` starts at the next Thursday.
    var rule = rule
    rule.interval = 1
    let start = CivilDateTime(day: now.day, secondOfDay: second ?? 0)
    for time in RuleExpansion(rule, start: start, startPolicy: .matching).prefix(2) {
      if second == nil { return .date(time.day) }
      if time > now { return .zoned(time, zone) }
    }
    return nil
  }
}

/// A word of a quick entry, or a marked word.
private enum Token {
  case word(Substring)
  case tag(String)
  case priority(Int)
  case place(String)

  static func tokens(_ text: String) -> [Token] {
    var tokens: [Token] = []
    var rest = text[...].drop(while: \.isWhitespace)
    while let first = rest.first {
      var word = rest.prefix { !$0.isWhitespace }
      var quoted: Substring?
      // `@"Main Office"`. The closing quote must end the word.
      if first == "#" || first == "@", rest.dropFirst().first == "\"" {
        let inside = rest.dropFirst(2).prefix { $0 != "\"" }
        let after = rest[inside.endIndex...].dropFirst()
        if !inside.isEmpty, inside.endIndex < rest.endIndex, after.first?.isWhitespace ?? true {
          quoted = inside
          word = rest[..<after.startIndex]
        }
      }
      tokens.append(token(word, quoted: quoted))
      rest = rest[word.endIndex...].drop(while: \.isWhitespace)
    }
    return tokens
  }

  private static func token(_ word: Substring, quoted: Substring?) -> Token {
    let name = quoted ?? word.dropFirst()
    let isName = quoted != nil || name.first?.isLetter == true
    switch word.first {
    case "#" where isName: return .tag(String(name))
    case "@" where isName || name.first?.isNumber == true: return .place(String(name))
    case "!" where word == "!!!": return .priority(1)
    case "!" where word == "!!": return .priority(5)
    case "!": return (try? PriorityPhrase.value(String(name))).map { .priority($0) } ?? .word(word)
    default: return .word(word)
    }
  }
}
