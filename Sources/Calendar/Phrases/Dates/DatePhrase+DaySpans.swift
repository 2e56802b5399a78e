import FencepostCalendarModel
import FencepostRecurrence

/// Several days, and days with a name.
extension DatePhrase {
  private static let links: Set<Substring> = ["to", "until", "till", "through", "thru", "bis", "-", "–"]

  /// The first and the last day at the start of the words, and the number of words: `10–14 august`, `dec 28
  /// - jan 3`, `28. bis 30. Dezember`, `from monday to friday`, `2027-01-10 to 2027-01-12`.
  func dayRange(_ words: ArraySlice<Substring>) -> (CivilDay, CivilDay, Int)? {
    // Each part with the number of its word: `28.-30.12.` has three parts.
    var parts: [(text: Substring, word: Int)] = []
    for (number, word) in words.prefix(10).enumerated() {
      let sides = word.split(omittingEmptySubsequences: false) { "-–".contains($0) }
      let isSpan = sides.count == 2 && sides.allSatisfy { !$0.isEmpty }
      parts += (isSpan ? [sides[0], "–", sides[1]] : [word]).map { ($0, number) }
    }
    let texts = parts.map(\.text)
    let isBetween = ["between", "zwischen"].contains(texts.first)
    let start = isBetween || ["from", "von", "vom", "ab", "starting"].contains(texts.first) ? 1 : 0
    let links = isBetween ? ["and"] : DatePhrase.links
    guard let link = texts.firstIndex(where: links.contains), link > start else { return nil }
    var second = link + 1
    if texts[second...].first == "zum" { second += 1 }
    for end in stride(from: min(second + 5, texts.count), to: second, by: -1) {
      // A word is used as a whole.
      guard end == parts.count || parts[end].word != parts[end - 1].word,
        let (first, last) = range(texts[start..<link], texts[second..<end])
      else { continue }
      return (first, last, parts[end - 1].word + 1)
    }
    return nil
  }

  /// The days of a span. What one side lacks, the other says: `28. bis 30. Dezember`, `dec 28-30 2027`.
  private func range(
    _ left: ArraySlice<Substring>, _ right: ArraySlice<Substring>
  ) -> (CivilDay, CivilDay)? {
    func whole(_ words: ArraySlice<Substring>, _ dates: DatePhrase) -> CivilDay? {
      dates.day(words).flatMap { $0.1 == words.count ? $0.0 : nil }
    }
    func isDated(_ words: ArraySlice<Substring>) -> Bool {
      words.count > 1 && words.contains(where: DatePhrase.isMonth)
        || words.count == 1 && words.first.flatMap(numericDay) != nil
    }
    func hasYear(_ words: ArraySlice<Substring>) -> Bool {
      words.contains { $0.split { "-./".contains($0) }.contains { $0.count == 4 && Int($0) != nil } }
    }
    if left.count == 1, let number = left.first.flatMap(Ordinal.day), isDated(right),
      let last = whole(right, self)
    {
      let (year, month, _) = last.components
      return CivilDay(validYear: year, month: month, day: number).flatMap { $0 < last ? ($0, last) : nil }
    }
    var right = right
    if right.first.flatMap(Ordinal.day) != nil, !isDated(right), isDated(left),
      let month = left.first(where: DatePhrase.isMonth)
    {
      right = [month] + right
    }
    guard var first = whole(left, self), var last = whole(right, self) else { return nil }
    if hasYear(right), !hasYear(left), isDated(left) {
      // The last such days before the end.
      let (year, month, day) = (last.components.year, first.components.month, first.components.day)
      let starts = (year - 8...year).reversed().lazy.compactMap {
        CivilDay(validYear: $0, month: month, day: day)
      }
      guard let start = starts.first(where: { $0 < last }) else { return nil }
      first = start
    } else if last <= first, !hasYear(right) {
      let start = CalendarTime.zoned(CivilDateTime(day: first, secondOfDay: 0), zone)
      let dates = DatePhrase(at: resolver.instant(of: start), resolver: resolver, order: order)
      guard let next = whole(right, dates) else { return nil }
      // `dec 30 to dec 28` is rather a slip than a year.
      guard next <= first.adding(days: 183) else { return nil }
      last = next
    }
    return first < last ? (first, last) : nil
  }

  /// Whether the words name one day.
  func isDay(_ words: ArraySlice<Substring>) -> Bool { day(words).map { $0.1 == words.count } ?? false }

  static func isMonth(_ word: Substring) -> Bool {
    word.count >= 3 && CalendarNames.months.contains { $0.lowercased().hasPrefix(word) }
  }

  /// `christmas`, `new year's eve`: the next one.
  func holiday(_ words: ArraySlice<Substring>) -> (CivilDay, Int)? {
    let plain = words.prefix(3).map { $0.filter { $0 != "'" && $0 != "’" } }
    let names: [([String], Int, Int)] = [
      (["christmas", "eve"], 12, 24), (["christmas", "day"], 12, 25), (["christmas"], 12, 25),
      (["boxing", "day"], 12, 26), (["new", "years", "eve"], 12, 31), (["new", "years", "day"], 1, 1),
      (["new-years-eve"], 12, 31), (["new-years-day"], 1, 1), (["halloween"], 10, 31),
      (["valentines", "day"], 2, 14),
    ]
    guard let (name, month, day) = names.first(where: { plain.starts(with: $0.0) }) else { return nil }
    return next(month: month, day: day).map { ($0, name.count) }
  }

  /// The local day and time of `2026-12-24T08:00Z` and `2026-12-24T08:00`, as two words.
  func localWords(_ word: Substring) -> [String]? {
    let text = word.uppercased().trimming(",.;")
    let sides = text.split(separator: "T", omittingEmptySubsequences: false)
    guard sides.count == 2, sides[0].utf8.count == 10, let day = numericDay(sides[0]),
      DatePhrase.timeOfDay([sides[1].prefix(5)]) != nil
    else { return nil }
    if sides[1].count <= 8, !sides[1].hasSuffix("Z") { return ["\(day)", String(sides[1])] }
    // RFC 3339 asks for seconds, which people leave out.
    let hasSeconds = sides[1].dropFirst(5).first == ":"
    let exact = sides[0] + "T" + sides[1].prefix(5) + (hasSeconds ? "" : ":00") + sides[1].dropFirst(5)
    guard let instant = Instant(rfc3339: String(exact)) else { return nil }
    let local = resolver.floating.civil(at: instant)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (minutes, seconds) = (local.secondOfDay / 60, local.secondOfDay % 60)
    return ["\(local.day)", "\(minutes / 60):\(two(minutes % 60)):\(two(seconds))"]
  }
}
