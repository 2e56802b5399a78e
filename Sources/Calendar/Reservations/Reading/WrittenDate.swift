/// A date as people and programs write it, in forms other than ISO 8601: `2 Feb 2018 6:35 PM`, `Fri, 2 Feb
/// 2018 18:35:00 +0100`, `02.04.2018 18:35`, `2/4/2018`, `21MAY19`, and seconds or milliseconds since 1970.
struct WrittenDate {
  /// The order of day and month in `02/04/2018`.
  enum Order { case dayFirst, monthFirst }

  /// The numbers and the month of the date, in order.
  private var parts: [Part] = []
  private var hasDots = false
  private var clock: (hour: Int, minute: Int, second: Int)?
  private var offset: String?

  private enum Part {
    case number(Int, digits: Int)
    case month(Int)
  }

  /// Reads a text; `nil` if it has anything but a date and a time.
  init?(_ text: String) {
    guard text.utf8.count <= 80 else { return nil }
    var tokens = Tokens(text)
    while let token = tokens.next() {
      switch token {
      case .number(let number, let digits): guard accept(number, digits, &tokens) else { return nil }
      case .word(let word): guard accept(word) else { return nil }
      case .mark("+"), .mark("-"):
        if clock != nil, offset == nil, let read = tokens.offset() { offset = "\(token.text)\(read)" }
      case .mark("("): tokens.skip(to: ")")
      case .mark("."): if clock == nil { hasDots = true }
      case .mark: break
      }
    }
    guard parts.count == 3 else { return nil }
  }

  private mutating func accept(_ number: Int, _ digits: Int, _ tokens: inout Tokens) -> Bool {
    guard clock == nil, tokens.accept(":") else {
      parts.append(.number(number, digits: digits))
      return parts.count <= 3 && digits <= 4
    }
    guard case .number(let minute, _)? = tokens.next() else { return false }
    var second = 0
    if tokens.accept(":"), case .number(let read, _)? = tokens.next() { second = read }
    // A fraction.
    if tokens.accept(".") { _ = tokens.next() }
    clock = (number, minute, second)
    return true
  }

  private mutating func accept(_ word: String) -> Bool {
    if let month = Self.months.firstIndex(where: { $0 == word || $0.prefix(3) == word }) {
      parts.append(.month(month + 1))
      return true
    }
    guard let time = clock else {
      return Self.days.contains { word.hasPrefix($0) }
        || ["t", "at", "st", "nd", "rd", "th", "of"].contains(word)
    }
    switch word {
    case "am", "pm":
      guard (1...12).contains(time.hour) else { return word == "pm" && time.hour < 24 }
      clock?.hour = time.hour % 12 + (word == "pm" ? 12 : 0)
    case "z", "utc", "gmt": offset = "Z"
    // Uhr, hrs, or a zone's abbreviation: the time is local to the place.
    default: break
    }
    return true
  }

  /// True if day and month could also be the other way round.
  var isAmbiguous: Bool {
    guard let pair else { return false }
    return !hasDots && pair.first <= 12 && pair.second <= 12 && pair.first != pair.second
  }

  /// The order that the numbers prove; `nil` if they prove none.
  var order: Order? {
    guard let pair else { return nil }
    if hasDots || pair.first > 12 { return .dayFirst }
    return pair.second > 12 ? .monthFirst : nil
  }

  /// Day and month as numbers in their order; `nil` if a word names the month, or if the year is first.
  private var pair: (first: Int, second: Int)? {
    guard case .number(let first, let digits) = parts[0], case .number(let second, _) = parts[1], digits <= 2
    else {
      return nil
    }
    guard case .number = parts[2] else { return nil }
    return (first, second)
  }

  /// The date in ISO 8601; `nil` if it has no year. Its day may not exist.
  ///
  /// - Parameter order: Of day and month, if the numbers don't tell.
  func iso(_ usual: Order) -> String? {
    var numbers = parts.compactMap {
      if case .number(let number, let digits) = $0 { (number, digits) } else { nil }
    }
    var month = parts.lazy.compactMap { if case .month(let month) = $0 { month } else { nil } }.first
    guard numbers.count == (month == nil ? 3 : 2) else { return nil }
    let first = numbers[0].1 == 4
    let written = first ? numbers.removeFirst() : numbers.removeLast()
    guard written.1 == 4 || written.1 == 2 else { return nil }
    let year = written.1 == 2 ? 2000 + written.0 : written.0
    if month == nil {
      let isMonthFirst = first || (order ?? usual) == .monthFirst
      month = isMonthFirst ? numbers.removeFirst().0 : numbers.removeLast().0
    }
    guard let month, let day = numbers.first?.0 else { return nil }
    let date = "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))"
    guard let clock else { return date }
    let time = [clock.hour, clock.minute, clock.second].map { Self.padded($0) }.joined(separator: ":")
    return "\(date)T\(time)\(offset ?? "")"
  }

  private static func padded(_ number: Int, _ digits: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november",
    "december",
  ]
  private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
}

/// Numbers, words in small letters, and marks.
private struct Tokens {
  enum Token {
    case number(Int, digits: Int)
    case word(String)
    case mark(Character)

    var text: String { if case .mark(let mark) = self { String(mark) } else { "" } }
  }

  private var rest: Substring

  init(_ text: String) { rest = text[...] }

  mutating func next() -> Token? {
    rest = rest.drop(while: \.isWhitespace)
    guard let first = rest.first else { return nil }
    let isDigit: (Character) -> Bool = { $0.isASCII && $0.isNumber }
    let isLetter: (Character) -> Bool = { $0.isLetter }
    let kind: ((Character) -> Bool)? = isDigit(first) ? isDigit : isLetter(first) ? isLetter : nil
    guard let kind else { return .mark(rest.removeFirst()) }
    let token = rest.prefix(while: kind)
    rest = rest.dropFirst(token.count)
    guard isDigit(first) else { return .word(token.lowercased()) }
    return Int(token).map { .number($0, digits: token.count) } ?? .mark("?")
  }

  /// Passes `mark` if it comes next.
  mutating func accept(_ mark: Character) -> Bool {
    guard rest.first == mark else { return false }
    rest.removeFirst()
    return true
  }

  mutating func skip(to mark: Character) { rest = rest.drop { $0 != mark }.dropFirst() }

  /// `0100`, `01:00` or `1` as `01:00`.
  mutating func offset() -> String? {
    guard case .number(let number, let digits)? = next(), digits <= 4 else { return nil }
    var (hours, minutes) = digits > 2 ? (number / 100, number % 100) : (number, 0)
    if digits <= 2, accept(":"), case .number(let read, _)? = next() { minutes = read }
    guard hours < 24, minutes < 60 else { return nil }
    hours += 100
    minutes += 100
    return "\(String(hours).suffix(2)):\(String(minutes).suffix(2))"
  }
}
