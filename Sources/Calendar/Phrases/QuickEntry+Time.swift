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
    "mi", "do", "fr", "sa", "so",
  ]
  /// After a time at the start, these make it the subject of a sentence.
  private static let verbs: Set<String> = [
    "is", "isn't", "are", "aren't", "was", "wasn't", "were", "has", "had", "will", "can", "ist", "sind",
    "war", "waren", "hat", "wird", "kann",
  ]
  /// After a weekday at the start, these belong to it: `sunday roast`.
  private static let compounds: Set<String> = [
    "roast", "school", "times", "paper", "papers", "blues", "edition",
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

  /// The longest time at the end, else at the start, else within the line.
  static func time(
    in words: [Substring], _ dates: DatePhrase, isAsked: Bool
  ) -> (range: Range<Int>, clause: TimeClause)? {
    for start in max(0, words.count - maximumWords)..<max(0, words.count) {
      let range = start..<words.count
      if start > 0, bindings.contains(words[start - 1].lowercased()) { continue }
      if isOneOfSeveral(words, range) { continue }
      if let clause = clause(words, range, dates) { return (range, clause) }
    }
    for end in stride(from: min(words.count - 1, maximumWords), to: 0, by: -1) {
      if let clause = clause(words, 0..<end, dates) {
        if verbs.contains(words[end].lowercased()) || isOneOfSeveral(words, 0..<end) { return nil }
        if end == 1, compounds.contains(words[1].lowercased()) { return nil }
        // `Daily report` is a title, but `every day` is a repetition.
        let first = PhraseWords.words(String(words[0])).first
        let isClear = isAsked || first == "every" || first == "each" || first?.hasSuffix("days") == true
        return clause.rule == nil || isClear ? (0..<end, clause) : nil
      }
    }
    for start in words.indices.dropFirst() {
      if bindings.contains(words[start - 1].lowercased()) { continue }
      let ends = start + 1..<min(words.count, start + maximumWords)
      for end in ends.reversed() where prepositions.contains(words[end].lowercased()) {
        guard !prepositions.contains(words[end - 1].lowercased()), isClear(words[start..<end]),
          !isOneOfSeveral(words, start..<end),
          let clause = clause(words, start..<end, dates)
        else { continue }
        return (start..<end, clause)
      }
    }
    return nil
  }

  /// Whether a time within a line can be nothing else: `tomorrow`, `on friday`, `at 3pm`, `every monday`.
  private static func isClear(_ words: ArraySlice<Substring>) -> Bool {
    let plain = PhraseWords.words(words.joined(separator: " "))
    guard let first = plain.first else { return false }
    return ["today", "tomorrow", "tonight", "every", "each"].contains(first)
      || ["on", "at", "in", "am", "um"].contains(words.first?.lowercased()) && words.count > 1
      || plain.contains { $0.contains(":") } && plain.count > 1
  }

  private static func clause(_ words: [Substring], _ range: Range<Int>, _ dates: DatePhrase) -> TimeClause? {
    var phrase = words[range]
    if phrase.count > 1, let first = phrase.first, leads.contains(first.lowercased()) { phrase.removeFirst() }
    let isLed = phrase.count < range.count
    guard let first = phrase.first?.lowercased(),
      !["the", "der", "die", "das", "den"].contains(first) || isLed || phrase.count > 2,
      isLed || phrase.count > 1 || !weak.contains(first.trimming(",!?;")),
      let clause = TimeClause(Array(phrase), dates) ?? TimeClause(phrase.map { $0.dropFullStop() }, dates),
      !clause.looksBack || !questions.contains(words[0].lowercased())
    else { return nil }
    return clause
  }
}

extension Substring {
  /// Without one full stop at the end.
  fileprivate func dropFullStop() -> Substring { hasSuffix(".") ? dropLast() : self }
}
