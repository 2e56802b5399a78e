/// A span of the clock in one word: `9-10`, `14:00–15:30`, `2–3:30pm`.
struct ClockSpan: Equatable {
  /// Seconds of the day.
  let start: Int
  let end: Int

  /// - Parameter isBeside: Whether a day is beside it. Without one, two bare numbers are no span.
  init?(_ word: Substring, isBeside: Bool) {
    let sides = word.split(omittingEmptySubsequences: false) { "-–—".contains($0) }
    guard sides.count == 2, let from = Clock(sides[0]), let to = Clock(sides[1]),
      isBeside || !from.isBare || !to.isBare
    else { return nil }
    var (start, end) = (from.second, to.second)
    if to.half != nil, from.half == nil, from.hour <= 12 {
      // `2–3pm` is in the afternoon, and `11–1pm` goes over noon.
      let same = Clock.second(from.hour, from.minute, half: to.half)
      start = same < end ? same : start
    }
    // `11-1` and `12-1` go over noon, and `22:00-06:00` over midnight.
    if to.half == nil, from.half == nil, end <= start, start < 43_200 || start < 46_800 && to.isShort {
      end += 43_200
    }
    // `1pm-2` and `11am-1`
    if from.half != nil, to.half == nil, to.isShort, end <= start, end + 43_200 > start { end += 43_200 }
    // `2-5` is in the afternoon, as `at 2` is.
    if from.isBare, to.isBare, from.isShort, (1...6).contains(from.hour), start < end, end < 43_200 {
      (start, end) = (start + 43_200, end + 43_200)
    }
    guard start != end else { return nil }
    (self.start, self.end) = (start, end)
  }

  /// Joins `from 9 to 10`, `between 2 and 3:30 pm` and `2pm to 3pm` to one word.
  static func joined(_ words: [String]) -> [String] {
    var joined: [String] = []
    var rest = words[...]
    while let word = rest.first {
      let isLed = ["from", "between", "von", "vom", "zwischen"].contains(word)
      let isAfterAt = ["at", "um"].contains(joined.last)
      if let (span, used) = span(isLed ? rest.dropFirst() : rest, isLed: isLed, isAfterAt: isAfterAt) {
        rest = rest.dropFirst(used + (isLed ? 1 : 0))
        let isClock = ["uhr", "o'clock"].contains(rest.first)
        if isClock { rest = rest.dropFirst() }
        // `von 12 bis 13 Uhr` is a span, also without a day.
        joined.append(
          isClock && span.allSatisfy { $0.isNumber || $0 == "–" }
            ? span.split(separator: "–").map { $0 + ":00" }.joined(separator: "–") : span)
      } else {
        joined.append(word)
        rest = rest.dropFirst()
        if rest.first == "uhr", ClockSpan(word[...], isBeside: true) != nil { rest = rest.dropFirst() }
      }
    }
    return joined
  }

  private static func span(
    _ words: ArraySlice<String>, isLed: Bool, isAfterAt: Bool
  ) -> (String, Int)? {
    guard let (from, used) = clock(words), let link = words.dropFirst(used).first,
      ["to", "until", "till", "bis", "-", "–"].contains(link) || isLed && ["and", "und"].contains(link),
      let (to, more) = clock(words.dropFirst(used + 1))
    else { return nil }
    // `9 bis 10 Uhr`
    let isGerman = link == "bis" && words.dropFirst(used + 1 + more).first == "uhr"
    // `7am until 14 august` has no span.
    if !isLed, !isGerman, ["until", "till", "bis"].contains(link), Clock(to[...])?.isBare != false {
      return nil
    }
    // `at 10 to 11` is ten to eleven.
    if isAfterAt, link == "to", !isLed, Clock(from[...])?.isBare == true { return nil }
    return (from + "–" + to, used + 1 + more)
  }

  /// A clock time at the start of the words, `pm` after a space included.
  private static func clock(_ words: ArraySlice<String>) -> (String, Int)? {
    // `3.` is a day.
    guard let first = words.first?.trimming(",."), Clock(first) != nil,
      !(words.first?.hasSuffix(".") ?? false) || Int(first) == nil || words.count == 1
    else { return nil }
    if let half = words.dropFirst().first.map({ $0.filter { $0 != "." } }), half == "am" || half == "pm",
      Clock(first + half) != nil
    {
      return (first + half, 2)
    }
    return (String(first), 1)
  }

  /// `9`, `9:30`, `9.30`, `9pm`, `noon`.
  private struct Clock {
    let hour: Int
    let minute: Int
    /// `am` or `pm`.
    let half: Substring?
    /// Whether it is only a number.
    let isBare: Bool
    /// Whether the hour has one digit.
    var isShort: Bool { hour < 10 && !hasZero }
    private let hasZero: Bool

    init?(_ word: some StringProtocol) {
      var digits: Substring =
        switch word {
        case "noon", "midday", "mittag", "mittags": "12:00"
        case "midnight", "mitternacht": "12am"
        default: Substring(word)
        }
      half = digits.hasSuffix("am") || digits.hasSuffix("pm") ? digits.suffix(2) : nil
      // `14-16h`
      if digits.hasSuffix("h") { digits = digits.dropLast() }
      if half != nil { digits = digits.dropLast(2) }
      let parts = digits.split(omittingEmptySubsequences: false) { ":.".contains($0) }
      guard (1...2).contains(parts.count), (1...2).contains(parts[0].count),
        parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }), let hour = Int(parts[0]),
        let minute = parts.count == 1 ? 0 : parts[1].count == 2 ? Int(parts[1]) : nil,
        minute < 60, half == nil ? hour < 24 : (1...12).contains(hour)
      else { return nil }
      (self.hour, self.minute, isBare) = (hour, minute, half == nil && parts.count == 1)
      hasZero = parts[0].hasPrefix("0")
    }

    var second: Int { Clock.second(hour, minute, half: half) }

    static func second(_ hour: Int, _ minute: Int, half: Substring?) -> Int {
      let hour = half == nil ? hour : hour % 12 + (half == "pm" ? 12 : 0)
      return hour * 3600 + minute * 60
    }
  }
}

extension StringProtocol {
  /// Without these characters at the end.
  func trimming(_ characters: String) -> String {
    var text = String(self)
    while let last = text.last, characters.contains(last) { text.removeLast() }
    return text
  }
}
