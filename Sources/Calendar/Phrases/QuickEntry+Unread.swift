/// Finds words that belong to a time and were not read, so that nothing is guessed of half a date.
extension QuickEntry {
  /// Words that look like a time and were not read: those beside a time that was read, or at the end of the
  /// line.
  static func unreadWords(_ words: [Substring], beside found: Range<Int>?) -> Range<Int>? {
    let plain = words.map { $0.lowercased().trimming(",.!?;:") }
    guard let first = plain.first, !questions.contains(first) else { return nil }
    if let found, found.lowerBound == 0, found.upperBound < words.count {
      // `Tomorrow friday call`: what follows a time at the start.
      if isTemporal(plain[found.upperBound], after: nil) { return 0..<found.upperBound + 1 }
    }
    let isLast = found?.upperBound == words.count
    let end = isLast ? found?.lowerBound ?? words.count : words.count
    // Go back over what can belong to a time, to the first word that clearly does.
    var unread: Int?
    var at = end
    while at > 0, end - at < maximumWords {
      at -= 1
      if isTemporal(plain[at], after: at > 0 ? plain[at - 1] : nil) {
        unread = at
      } else if !(isLast && unread == nil ? isLink(plain[at]) : isBeside(plain[at])) {
        break
      }
    }
    if let start = unread, !isLast, found == nil, start > 0, bindings.contains(plain[start - 1]),
      plain[start - 1] != "every",
      plain[start - 1] != "the" || !plain[start].hasSuffix("d") && !plain[start].hasSuffix("th")
    {
      unread = nil
    }
    unread = unread ?? vagueRepeat(plain, end, isTime: isLast)
    guard var start = unread, start > 0 || found != nil else { return nil }
    while start > 1, ["every", "each", "on", "at", "jeden", "jede", "am", "the"].contains(plain[start - 1]) {
      start -= 1
    }
    return min(start, found?.lowerBound ?? start)..<words.count
  }

  /// Whether a word ties a time to what is before it.
  private static func isLink(_ word: String) -> Bool {
    connectors.contains(word) || ["at", "@", "on", "um", "am"].contains(word)
  }

  /// Where words at the end say how often or how long, without saying when: `every blue moon at 9`, `twice a
  /// week`, `in a few days`.
  ///
  /// - Parameter isTime: Whether a time follows them.
  private static func vagueRepeat(_ words: [String], _ end: Int, isTime: Bool) -> Int? {
    func isUnit(_ word: String) -> Bool {
      let english = PhraseWords.words(word).first ?? ""
      return ["hour", "day", "week", "weekday", "month", "quarter", "year"].contains {
        english == $0 || english == $0 + "s"
      }
    }
    for start in max(1, end - 5)..<max(1, end) {
      let rest = words[start + 1..<end]
      switch PhraseWords.words(words[start]).first {
      case "every", "each":
        if end - start < 4, isTime || rest.contains(where: isUnit) { return start }
      case "once", "twice", "thrice", "times":
        if rest.count == 2, rest.last.map(isUnit) == true { return start }
      case "in":
        if ["few", "couple", "some", "several", "paar", "einigen"].contains(where: rest.contains),
          rest.last.map(isUnit) == true
        {
          return start
        }
      default: break
      }
    }
    return nil
  }

  /// Whether a word names a time and hardly anything else.
  private static func isTemporal(_ word: String, after last: String?) -> Bool {
    func isClock(_ word: String) -> Bool {
      let parts = word.split(omittingEmptySubsequences: false) { ":.".contains($0) }
      return parts.count == 2 && (1...2).contains(parts[0].count) && parts[1].count >= 2
        && parts[0].allSatisfy(\.isNumber) && parts[1].prefix(2).allSatisfy(\.isNumber)
        && ["", "am", "pm", "h"].contains(parts[1].dropFirst(2))
    }
    let english = PhraseWords.words(word)
    guard let first = english.first, english.count == 1, !weak.contains(word) else { return false }
    if DatePhrase.isWeekday(word) || isClock(word) { return true }
    if ["today", "tomorrow", "tonight", "yesterday"].contains(first) || isDate(word) { return true }
    if first.hasSuffix("days"), DatePhrase.isWeekday(String(first.dropLast())) { return true }
    // `31 february`, `the 32nd`, `9am`.
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    let ending = word.dropFirst(digits.count)
    if !digits.isEmpty, digits.count <= 2, ["am", "pm"].contains(ending) { return true }
    if !digits.isEmpty, ["st", "nd", "rd", "th"].contains(ending) {
      return (Int(digits) ?? 0) > 31 && last == "the"
    }
    return CalendarNames.months.contains { $0.lowercased() == first }
      && (last.map { Ordinal.day($0[...]) != nil || (Int($0) ?? 0) > 31 } ?? false)
  }

  /// Whether a word can be part of a time that another word makes clear.
  private static func isBeside(_ word: String) -> Bool {
    connectors.contains(word) || weak.contains(word)
      || ["at", "@", "on", "until", "till", "um", "uhr", "bis", "am", "pm", "-"].contains(word)
      || word.count <= 4 && Int(word) != nil || Ordinal.day(word[...]) != nil
  }

  /// Whether a word has the form of a date: `30/2/2026`, `2026-13-05`.
  private static func isDate(_ word: String) -> Bool {
    let parts = word.split(omittingEmptySubsequences: false) { "-/.".contains($0) }
    return parts.count == 3 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
      && (parts[0].count == 4 || parts[2].count == 4)
  }
}
