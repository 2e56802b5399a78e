import FencepostCalendarModel

/// Finds the time in a line.
extension QuickEntry {
  /// Words before a time that belong to it.
  private static let leads: Set<String> = ["on", "by", "due", "am", "bis", "fällig", "deadline", "before"]
  /// After these, no time follows.
  static let bindings: Set<String> = [
    "the", "a", "an", "my", "your", "our", "his", "her", "for", "of", "about", "with", "to", "from",
    "since", "before", "after", "until", "next", "last", "every", "der", "die", "das", "den", "dem",
    "für", "von", "seit", "vor", "nach",
  ]
  /// Words that can be times, but usually have another meaning if they stand alone.
  static let weak: Set<String> = [
    "weekend", "weekends", "night", "morning", "afternoon", "evening", "noon", "midnight", "now", "sun",
    "sat", "wed", "weekday", "weekdays", "wochenende", "nacht", "abend", "mittag", "früh", "mo", "di",
    "mi", "do", "fr", "sa", "so", "midday", "christmas", "xmas", "halloween", "weihnachten", "heiligabend",
    "silvester", "neujahr",
  ]
  /// After a time at the start, these make it the subject of a sentence.
  private static let verbs: Set<String> = [
    "is", "isn't", "are", "aren't", "was", "wasn't", "were", "has", "had", "will", "can", "ist", "sind",
    "war", "waren", "hat", "wird", "kann",
  ]
  /// After a weekday at the start, these belong to it: `sunday roast`.
  private static let compounds: Set<String> = [
    "roast", "school", "times", "paper", "papers", "blues", "edition", "rate", "rates", "wage", "wages",
  ]
  /// A line that begins with one of these asks for something that was.
  static let questions: Set<String> = [
    "what", "who", "where", "which", "how", "why", "was", "wer", "wo", "wie",
  ]
  static let connectors: Set<String> = ["and", "or", "&", "und", "oder"]
  /// Before these, a time may stand within the line.
  static let prepositions: Set<String> = [
    "at", "with", "in", "from", "for", "about", "because", "when", "if", "near", "to", "on", "via",
    "using", "mit", "bei", "beim", "im", "in", "zum", "zur", "für", "wegen", "wenn", "and", "the", "a",
    "my", "our", "der", "die", "das", "den",
  ]

  /// Whether the words on either side of a possible time name more days.
  private static func isOneOfSeveral(_ words: [Substring], _ range: Range<Int>) -> Bool {
    func isDay(_ index: Int) -> Bool {
      words.indices.contains(index) && DatePhrase.isWeekday(words[index].trimming(","))
    }
    func isConnector(_ index: Int) -> Bool {
      words.indices.contains(index) && connectors.contains(words[index].lowercased())
    }
    let (before, after) = (range.lowerBound - 1, range.upperBound)
    return isDay(before) || isDay(after) || isConnector(before) && isDay(before - 1)
      || isConnector(after) && isDay(after + 1)
  }

  /// Removes commas, colons and dashes at the end, which stood between the title and what was read.
  static func removeTrailingMarks(_ words: inout [Substring]) {
    while let last = words.last, let mark = last.last, ",:-–".contains(mark), mark != "-" || last == "-" {
      words[words.count - 1] = last.dropLast()
      if words[words.count - 1].isEmpty { words.removeLast() }
    }
  }

  /// A time that was found in a line.
  struct FoundTime {
    /// Where it stands. For two parts, this is the latter one.
    var range: Range<Int>
    /// The other part, before it: `at 8 call bob tomorrow`.
    var earlier: Range<Int>?
    var clause: TimeClause
    /// Words at the start that say another time, which does not fit.
    var contradiction: Range<Int>?
  }

  /// The longest time at the end, else at the start, else within the line, with what an earlier part adds.
  static func time(in words: [Substring], _ dates: DatePhrase, isAsked: Bool) -> FoundTime? {
    let last = timeAtEnd(words, dates)
    let first = timeAtStart(words, dates, isAsked: isAsked)
    if let first, first.clause.rule != nil, let both = withLimit(first, words, dates) { return both }
    if var found = last {
      for earlier in [first].compactMap({ $0 }) + timesWithin(words, dates, before: found.range.lowerBound) {
        guard earlier.range.upperBound < found.range.lowerBound else { continue }
        if let both = joined(earlier, found, words, dates) { return both }
        if earlier.range.lowerBound == 0, earlier.clause.rule != nil || !earlier.clause.due.isDate {
          found.contradiction = earlier.range
        }
      }
      return found
    }
    if let first {
      return timesWithin(words, dates, before: words.count).lazy
        .filter { $0.range.lowerBound > first.range.upperBound }
        .compactMap { joined(first, $0, words, dates) }.first ?? first
    }
    return startIsSubject(words, dates) ? nil : timesWithin(words, dates, before: words.count).first
  }

  /// A repetition at the start, whose own start or end is at the end of the line: `every day feed the cat
  /// until friday`.
  private static func withLimit(_ first: FoundTime, _ words: [Substring], _ dates: DatePhrase) -> FoundTime? {
    let openers: Set<String> = ["until", "till", "til", "through", "bis", "for", "from", "starting", "ab"]
    for start in words.indices.dropFirst(first.range.upperBound + 1)
    where words.count - start <= maximumWords && openers.contains(words[start].lowercased()) {
      if let clause = TimeClause(phrase(words, first.range) + words[start...], dates) {
        return FoundTime(range: start..<words.count, earlier: first.range, clause: clause)
      }
    }
    return nil
  }

  /// One time of two parts; `nil` if they don't fit together.
  private static func joined(
    _ earlier: FoundTime, _ later: FoundTime, _ words: [Substring], _ dates: DatePhrase
  ) -> FoundTime? {
    let (first, second) = (phrase(words, earlier.range), phrase(words, later.range))
    guard let clause = TimeClause(first + second, dates) ?? TimeClause(second + first, dates) else {
      return nil
    }
    return FoundTime(range: later.range, earlier: earlier.range, clause: clause)
  }

  private static func timeAtEnd(_ words: [Substring], _ dates: DatePhrase) -> FoundTime? {
    for start in max(0, words.count - maximumWords)..<max(0, words.count) {
      let range = start..<words.count
      if start > 0, bindings.contains(words[start - 1].lowercased()) { continue }
      if isOneOfSeveral(words, range) { continue }
      if let clause = clause(words, range, dates) { return FoundTime(range: range, clause: clause) }
    }
    return nil
  }

  /// The longest time at the start, whatever it means there.
  private static func longestAtStart(_ words: [Substring], _ dates: DatePhrase) -> FoundTime? {
    for end in stride(from: min(words.count - 1, maximumWords), to: 0, by: -1) {
      if let clause = clause(words, 0..<end, dates) { return FoundTime(range: 0..<end, clause: clause) }
    }
    return nil
  }

  /// Whether the line begins with a time that is part of what is to be done: `Tomorrow is another day`.
  private static func startIsSubject(_ words: [Substring], _ dates: DatePhrase) -> Bool {
    longestAtStart(words, dates) != nil
  }

  private static func timeAtStart(
    _ words: [Substring], _ dates: DatePhrase, isAsked: Bool
  ) -> FoundTime? {
    guard let found = longestAtStart(words, dates) else { return nil }
    let end = found.range.upperBound
    if verbs.contains(words[end].lowercased()) || isOneOfSeveral(words, found.range) { return nil }
    if end == 1, compounds.contains(words[1].lowercased()) { return nil }
    // `Daily report` is a title, but `every day` is a repetition, and so are `hourly` and `täglich`.
    let isClear =
      isAsked || !found.clause.due.isDate || adverbs.contains(words[0].lowercased())
      || PhraseWords.words(words[0..<end].joined(separator: " ")).contains {
        $0 == "every" || $0 == "each" || $0.hasSuffix("days")
      }
    return found.clause.rule == nil || isClear ? found : nil
  }

  /// German words for repetitions that can't stand before a noun, as `daily` can.
  private static let adverbs: Set<String> = [
    "täglich", "wöchentlich", "monatlich", "jährlich", "stündlich", "werktags",
  ]

  /// The times within a line, before a preposition.
  private static func timesWithin(
    _ words: [Substring], _ dates: DatePhrase, before limit: Int
  ) -> [FoundTime] {
    var found: [FoundTime] = []
    for start in words.indices.dropFirst() where start < limit {
      if bindings.contains(words[start - 1].lowercased()) { continue }
      if let last = found.last, last.range.contains(start) { continue }
      let ends = start + 1..<min(limit, words.count, start + maximumWords)
      guard start + 1 < min(limit, words.count) else { break }
      for end in ends.reversed() where prepositions.contains(words[end].lowercased()) {
        guard !prepositions.contains(words[end - 1].lowercased()), isClear(words[start..<end]),
          !isOneOfSeveral(words, start..<end),
          let clause = clause(words, start..<end, dates)
        else { continue }
        found.append(FoundTime(range: start..<end, clause: clause))
        break
      }
    }
    return found
  }

  /// Whether a time within a line can be nothing else: `tomorrow`, `on friday`, `at 3pm`, `every monday`.
  private static func isClear(_ words: ArraySlice<Substring>) -> Bool {
    let plain = PhraseWords.words(words.joined(separator: " "))
    guard let first = plain.first else { return false }
    return ["today", "tomorrow", "tonight", "every", "each"].contains(first)
      || ["on", "at", "in", "am", "um"].contains(words.first?.lowercased()) && words.count > 1
      || plain.contains { $0.contains(":") } && plain.count > 1
  }

  /// The words of a range, without a word that leads a time.
  private static func phrase(_ words: [Substring], _ range: Range<Int>) -> [Substring] {
    let isLed = range.count > 1 && leads.contains(words[range.lowerBound].lowercased())
    return Array(words[range].dropFirst(isLed ? 1 : 0))
  }

  private static func clause(_ words: [Substring], _ range: Range<Int>, _ dates: DatePhrase) -> TimeClause? {
    let phrase = phrase(words, range)
    let isLed = phrase.count < range.count
    guard let first = phrase.first?.lowercased(),
      !["the", "der", "die", "das", "den"].contains(first) || isLed || phrase.count > 2,
      isLed || phrase.count > 1 || !weak.contains(first.trimming(",!?;")),
      let clause = TimeClause(phrase, dates) ?? TimeClause(phrase.map { $0.dropFullStop() }, dates),
      !clause.looksBack || !questions.contains(words[0].lowercased())
    else { return nil }
    return clause
  }
}

extension Substring {
  /// Without one full stop at the end.
  fileprivate func dropFullStop() -> Substring { hasSuffix(".") ? dropLast() : self }
}
