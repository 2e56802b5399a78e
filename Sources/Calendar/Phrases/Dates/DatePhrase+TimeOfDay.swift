import FencepostCalendarModel

extension DatePhrase {
  /// The second of the day at the start of the words, and the number of words that it uses.
  ///
  /// - Parameter dotted: Whether `14.30` can only be a time, because a day or a repetition is beside it.
  ///   `12.10` may still be a date.
  static func timeOfDay(_ words: ArraySlice<Substring>, dotted: Bool = false) -> (Int, Int)? {
    guard let first = words.first else { return nil }
    switch first {
    case "noon": return (12 * 3600, 1)
    case "midnight": return (0, 1)
    default: break
    }
    if let (part, used) = DayPart.leading(words) { return part.typicalSecond.map { ($0, used) } }
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
    // `7p` beside a day.
    if dotted, half.isEmpty, let letter = word.last, "ap".contains(letter), word.first?.isNumber == true {
      half = letter == "p" ? "pm" : "am"
      word = word.dropLast()
    }
    // `930am`
    if !half.isEmpty, (3...4).contains(word.count), word.allSatisfy({ $0.isASCII && $0.isNumber }) {
      word = word.dropLast(2) + ":" + word.suffix(2)
    }
    // `1h30` may be a length, and `16h30` hardly is.
    let isHours = word.count == 5 && word.contains("h")
    if dotted || isHours, half.isEmpty { word = clock(word) }
    let isDotted = !half.isEmpty || dotted && isClock(word)
    // `5:` is the bare hour of `at 5`.
    if word.last == ":" { word = word + "00" }
    let parts = word.split(omittingEmptySubsequences: false) { $0 == ":" || isDotted && $0 == "." }
    let numbers = parts.compactMap { $0.count <= 2 && !$0.isEmpty ? Int($0) : nil }
    guard (1...3).contains(parts.count), numbers.count == parts.count,
      parts.count > 1 || !half.isEmpty, numbers.allSatisfy({ $0 >= 0 }),
      // `1:1 with Ann` is no time.
      parts.dropFirst().allSatisfy({ $0.count == 2 })
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

  /// `21:00` for `21h`, `18:30` for `18h30` and `0930`: times only beside a day or after `at`.
  static func clock(_ word: Substring) -> Substring {
    let parts = word.split(separator: "h", omittingEmptySubsequences: false)
    if parts.count == 2, (1...2).contains(parts[0].count), parts[1].isEmpty || parts[1].count == 2 {
      return parts[0] + ":" + (parts[1].isEmpty ? "00" : parts[1])
    }
    guard word.count == 4, word.allSatisfy({ $0.isASCII && $0.isNumber }),
      word.prefix(2) < "20" || word < "2000"
    else { return word }
    return word.prefix(2) + ":" + word.suffix(2)
  }

  /// Whether it is a time like `14.30` and `9.00`, which can't be dates.
  private static func isClock(_ word: Substring) -> Bool {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 2, let minutes = Int(parts[1]) else { return false }
    return !(1...12).contains(minutes)
  }

  /// More times at the start of the words, and the number of words: `and 20`, `12 and 20`, `and at 8pm`.
  static func furtherTimes(_ words: ArraySlice<Substring>) -> ([Int], Int)? {
    var seconds: [Int] = []
    var rest = words
    var hasAnd = false
    while !hasAnd, !rest.isEmpty {
      var next = rest
      if next.first == "and" || next.first == "&" {
        hasAnd = true
        next.removeFirst()
      }
      if next.first == "at" { next.removeFirst() }
      if let (second, used) = timeOfDay(next, dotted: true) {
        seconds.append(second)
        rest = next.dropFirst(used)
      } else if let word = next.first, word.count <= 2, let hour = Int(word), (0...23).contains(hour) {
        seconds.append(hour * 3600)
        rest = next.dropFirst()
      } else {
        return nil
      }
    }
    // In `at 8 and 9 pm`, the first time may be in either half of the day; each needs its own.
    let halves = words.prefix(words.count - rest.count).filter { $0.hasSuffix("am") || $0.hasSuffix("pm") }
    guard hasAnd, halves.isEmpty || halves.count == seconds.count else { return nil }
    return (seconds, words.count - rest.count)
  }

  /// The next occurrence of a time without a day that is over today. `at 3` and `half past three` are in the
  /// afternoon unless it is still night: nobody means three at night. `03:00` and `3am` are.
  func next(_ second: Int, _ words: ArraySlice<Substring>) -> CivilDateTime {
    let start = CivilDateTime(day: now.day, secondOfDay: 0)
    let hasHalf = words.contains { $0.hasSuffix("am") || $0.hasSuffix("pm") }
    let isShort = words.first.map { "123456".contains($0.prefix(1)) } ?? false
    let isEarly = occasion?.isEarly(second / 3600) ?? false
    let isLate = (1..<7).contains(second / 3600) && isShort && !hasHalf && !isEarly
    let time = Int64(isLate ? second + 43_200 : second)
    let today = start.adding(seconds: time)
    return today > now ? today : start.adding(seconds: time + 86_400)
  }

  /// A time of a day that is said. `friday at 3` is in the afternoon, as `at 3` is; `3am`, `3:00` and `3 Uhr`
  /// are exact.
  static func onDay(_ second: Int, _ words: ArraySlice<Substring>) -> Int {
    words.first?.last == ":" ? second + 43_200 : second
  }

  /// The moment of a second of the day on a day that is said. Midnight of today is the coming one.
  func moment(
    _ second: Int, on start: CivilDateTime, _ words: ArraySlice<Substring>
  ) -> CivilDateTime {
    let isMidnight = second == 0 && start.day == now.day && words.first == "midnight"
    let isEarly = occasion?.isEarly(second / 3600) ?? false
    let time = isEarly ? second : DatePhrase.onDay(second, words)
    return start.adding(seconds: Int64(isMidnight ? 86_400 : time))
  }

  /// A time of day after `tonight`, in seconds from the start of the day: 9 is 21:00; midnight, 12, 0:30 and
  /// 1 are on the next day, unless it is that night already.
  func tonight(_ second: Int, words: ArraySlice<Substring>) -> Int {
    let hasHalf = words.contains { $0.hasSuffix("am") || $0.hasSuffix("pm") }
    let isNumber = words.first?.first?.isNumber == true
    switch second / 3600 {
    case 0...4 where isNumber || second == 0: return isLater(second) ? second : second + 86_400
    case 5...11 where isNumber && !hasHalf, 12 where isNumber && !hasHalf: return second + 43_200
    default: return second
    }
  }

  /// Whether it is night now, and the time is later in the same night.
  private func isLater(_ second: Int) -> Bool { now.secondOfDay < 5 * 3600 && second > now.secondOfDay }

  /// A time at night in seconds from the start of the day: 1 o'clock in the night of a day is on the next
  /// day.
  ///
  /// - Parameter isPartFirst: Whether it is `tomorrow night at 1`. `tomorrow at 1 at night` is tomorrow.
  func night(_ second: Int, isPartFirst: Bool, on day: CivilDay) -> Int {
    let isToday = day == now.day
    guard second < 5 * 3600, isPartFirst || isToday, !isToday || !isLater(second) else { return second }
    return second + 86_400
  }
}

/// A named part of the day.
enum DayPart: Equatable {
  case morning, afternoon, evening, night
  /// The end of the working day.
  case end

  /// The part at the start of the words, and the number of words that it uses: `evening`, `this evening`, `in
  /// the morning`, `end of day`.
  static func leading(_ words: ArraySlice<Substring>) -> (DayPart, Int)? {
    if words.starts(with: ["end", "of", "day"]) { return (.end, 3) }
    let lead = words.first == "this" || words.first == "in" || words.first == "of" ? 1 : 0
    switch words.dropFirst(lead).first {
    case "morning": return (.morning, lead + 1)
    case "afternoon": return (.afternoon, lead + 1)
    case "evening": return (.evening, lead + 1)
    case "night": return (.night, lead + 1)
    default: return nil
    }
  }

  /// The second of the day that it means without a time.
  var typicalSecond: Int? {
    switch self {
    case .morning: 9 * 3600
    case .afternoon: 15 * 3600
    case .evening: 18 * 3600
    case .night: 21 * 3600
    case .end: 17 * 3600
    }
  }

  /// The second of the day for a time in this part: `8` in the evening is 20:00. `nil` if the time is in
  /// another part.
  func second(_ second: Int) -> Int? {
    let isMorning = second < 43_200
    switch self {
    case .morning: return isMorning ? second : nil
    // Two at night is two in the morning, and twelve is midnight.
    case .night where second < 5 * 3600: return second
    case .night where (43_200..<46_800).contains(second): return second - 43_200
    // Twelve in the evening may be midnight or a slip.
    case .evening where (43_200..<46_800).contains(second): return nil
    case .afternoon, .evening, .night: return isMorning ? second + 43_200 : second
    case .end: return nil
    }
  }
}
