public import FencepostCalendarModel

extension RecurrenceRule {
  /// Reads RFC 5545's text (section 3.3.10) with RFC 7529's RSCALE and SKIP, for example
  /// `FREQ=MONTHLY;BYDAY=-1FR;COUNT=10`.
  ///
  /// It accepts common variations: any case, any order, a leading `RRULE:`, blanks, empty parts and a final
  /// semicolon. It keeps parts that begin with `X-` in ``otherParts``. Values out of range, unknown parts and
  /// non-Gregorian calendars are errors, because the rule would have another meaning without them.
  ///
  /// - Throws: ``RecurrenceRuleError``, which names the part.
  public init(text: some StringProtocol) throws(RecurrenceRuleError) {
    var parser = RuleParser()
    try parser.read(text)
    self = try parser.rule()
  }

  /// RFC 5545's text, with the parts in the order of its grammar. It reads back as the same rule.
  ///
  /// The text can't contain a zone: an UNTIL in a named zone becomes local time.
  public var text: String {
    var parts: [String] = []
    if hasScale || skip != .omit { parts.append("RSCALE=GREGORIAN") }
    parts.append("FREQ=\(frequency.rawValue)")
    switch end {
    case .never: break
    case .count(let count): parts.append("COUNT=\(count)")
    case .until(let time): parts.append("UNTIL=\(time.basicText)")
    }
    if interval != 1 { parts.append("INTERVAL=\(interval)") }
    func list(_ name: String, _ values: [Int]) {
      if !values.isEmpty { parts.append("\(name)=\(values.map(String.init).joined(separator: ","))") }
    }
    list("BYSECOND", bySecond)
    list("BYMINUTE", byMinute)
    list("BYHOUR", byHour)
    if !byDay.isEmpty { parts.append("BYDAY=\(byDay.map(\.text).joined(separator: ","))") }
    list("BYMONTHDAY", byMonthDay)
    list("BYYEARDAY", byYearDay)
    list("BYWEEKNO", byWeekNumber)
    list("BYMONTH", byMonth)
    list("BYSETPOS", bySetPosition)
    if let weekStart { parts.append("WKST=\(weekStart.abbreviation)") }
    if skip != .omit { parts.append("SKIP=\(skip.rawValue)") }
    parts += otherParts
    return parts.joined(separator: ";")
  }
}

extension RecurrenceRule.WeekdayNumber {
  /// RFC 5545's text, for example `-1FR`.
  public var text: String { (ordinal == 0 ? "" : String(ordinal)) + weekday.abbreviation }
}

/// Collects the parts of a rule, without duplicates.
private struct RuleParser {
  private var parts: [String: Substring] = [:]
  private var others: [String] = []

  private static let known: Set<String> = [
    "FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY",
    "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST", "RSCALE", "SKIP",
  ]
  /// The maximum number of values in a list. No list without duplicates is longer.
  private static let listLimit = 1_000

  mutating func read(_ text: some StringProtocol) throws(RecurrenceRuleError) {
    var rest = Substring(text)
    if rest.prefix(6).uppercased() == "RRULE:" { rest = rest.dropFirst(6) }
    for part in rest.split(whereSeparator: { $0 == ";" || $0.isNewline }) {
      let trimmed = part.trimmingBlanks
      if trimmed.isEmpty { continue }
      guard let equals = trimmed.firstIndex(of: "=") else {
        throw RecurrenceRuleError(trimmed, .unknown)
      }
      let name = trimmed[..<equals].trimmingBlanks.uppercased()
      let value = trimmed[trimmed.index(after: equals)...].trimmingBlanks
      if name.hasPrefix("X-") {
        others.append("\(name)=\(value)")
      } else if !Self.known.contains(name) {
        throw RecurrenceRuleError(name, .unknown)
      } else if value.isEmpty && name != "FREQ" {
        continue
      } else if parts.updateValue(value, forKey: name) != nil {
        throw RecurrenceRuleError(name, .repeated)
      }
    }
  }

  func rule() throws(RecurrenceRuleError) -> RecurrenceRule {
    guard let name = parts["FREQ"] else { throw RecurrenceRuleError("FREQ", .missing) }
    guard let frequency = RecurrenceRule.Frequency(rawValue: name.uppercased()) else {
      throw RecurrenceRuleError("FREQ", .value(String(name), expected: "SECONDLY to YEARLY"))
    }
    var rule = RecurrenceRule(frequency)
    if let interval = try number("INTERVAL") { rule.interval = interval }
    if let count = try number("COUNT") { rule.end = .count(count) }
    if let text = parts["UNTIL"] {
      if parts["COUNT"] != nil { throw RecurrenceRuleError("UNTIL", .conflict(with: "COUNT")) }
      guard let time = CalendarTime(basicText: text) else {
        throw RecurrenceRuleError(
          "UNTIL",
          .value(String(text), expected: "a date such as 20301231 or a time such as 20301231T235959Z"))
      }
      rule.end = .until(time)
    }
    rule.bySecond = try list("BYSECOND", 0...60)
    rule.byMinute = try list("BYMINUTE", 0...59)
    rule.byHour = try list("BYHOUR", 0...23)
    rule.byDay = try weekdays()
    rule.byMonthDay = try list("BYMONTHDAY", 1...31, fromEnd: true)
    rule.byYearDay = try list("BYYEARDAY", 1...366, fromEnd: true)
    rule.byWeekNumber = try list("BYWEEKNO", 1...53, fromEnd: true)
    rule.byMonth = try list("BYMONTH", 1...12)
    rule.bySetPosition = try list("BYSETPOS", 1...366, fromEnd: true)
    if let text = parts["WKST"] {
      guard let weekday = Weekday(abbreviation: text) else {
        throw RecurrenceRuleError("WKST", .value(String(text), expected: "a weekday such as MO"))
      }
      rule.weekStart = weekday
    }
    if let scale = parts["RSCALE"] {
      guard scale.uppercased() == "GREGORIAN" else {
        throw RecurrenceRuleError("RSCALE", .value(String(scale), expected: "GREGORIAN, the only calendar"))
      }
      rule.hasScale = true
    }
    if let text = parts["SKIP"] {
      guard let skip = RecurrenceRule.Skip(rawValue: text.uppercased()) else {
        throw RecurrenceRuleError("SKIP", .value(String(text), expected: "OMIT, BACKWARD or FORWARD"))
      }
      rule.skip = skip
      if skip != .omit { rule.hasScale = true }
    }
    rule.otherParts = others
    return rule
  }

  private func number(_ part: String) throws(RecurrenceRuleError) -> Int? {
    guard let text = parts[part] else { return nil }
    guard let value = Int(text), value >= 1 else {
      throw RecurrenceRuleError(part, .value(String(text), expected: "a number from 1"))
    }
    return value
  }

  private func entries(_ part: String) throws(RecurrenceRuleError) -> [Substring] {
    guard let text = parts[part] else { return [] }
    let entries = text.split(separator: ",")
    if entries.count > Self.listLimit {
      throw RecurrenceRuleError(part, .value(String(text), expected: "a list of at most 1000 values"))
    }
    return entries.map(\.trimmingBlanks)
  }

  private func list(
    _ part: String, _ range: ClosedRange<Int>, fromEnd: Bool = false
  ) throws(RecurrenceRuleError) -> [Int] {
    var values: [Int] = []
    for entry in try entries(part) {
      guard let value = Int(entry), range.contains(value) || (fromEnd && range.contains(0 - max(value, -999)))
      else {
        let sign = fromEnd ? "±" : ""
        throw RecurrenceRuleError(
          part,
          .value(String(entry), expected: "from \(sign)\(range.lowerBound) to \(sign)\(range.upperBound)"))
      }
      values.append(value)
    }
    return values
  }

  private func weekdays() throws(RecurrenceRuleError) -> [RecurrenceRule.WeekdayNumber] {
    var days: [RecurrenceRule.WeekdayNumber] = []
    for entry in try entries("BYDAY") {
      let digits = entry.dropLast(2).trimmingBlanks
      let ordinal = digits.isEmpty ? 0 : Int(digits)
      guard let weekday = Weekday(abbreviation: entry.suffix(2)), let ordinal, (-53...53).contains(ordinal),
        digits.isEmpty || ordinal != 0
      else {
        throw RecurrenceRuleError(
          "BYDAY", .value(String(entry), expected: "a weekday such as MO, 2TU or -1FR"))
      }
      days.append(RecurrenceRule.WeekdayNumber(weekday, ordinal: ordinal))
    }
    return days
  }
}

extension Substring {
  /// The text without blanks at either end.
  fileprivate var trimmingBlanks: Substring {
    var text = self
    while let first = text.first, first == " " || first == "\t" || first == "\r" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
    return text
  }
}

/// The reason why a text is not a recurrence rule.
public struct RecurrenceRuleError: Error, Hashable, Sendable {
  /// The problem.
  public enum Problem: Hashable, Sendable {
    /// A required part is missing.
    case missing
    /// A part occurs twice.
    case repeated
    /// RFC 5545 and RFC 7529 don't define the part.
    case unknown
    /// A value is unreadable or out of range. `expected` describes a valid value.
    case value(String, expected: String)
    /// Two parts exclude each other.
    case conflict(with: String)
  }

  /// The wrong part, for example `BYDAY`.
  public var part: String
  /// The problem with the part.
  public var problem: Problem

  init(_ part: some StringProtocol, _ problem: Problem) {
    // Both come from files, so limit their length.
    self.part = String(part.prefix(40))
    self.problem =
      if case .value(let value, let expected) = problem {
        .value(String(value.prefix(80)), expected: expected)
      } else {
        problem
      }
  }
}

extension RecurrenceRuleError: CustomStringConvertible {
  /// The problem in one line.
  public var description: String {
    switch problem {
    case .missing: "recurrence rule: \(part) is missing"
    case .repeated: "recurrence rule: \(part) is repeated"
    case .unknown: "recurrence rule: \"\(part)\" is not a valid part"
    case .value(let value, let expected): "recurrence rule: \(part)=\(value) should be \(expected)"
    case .conflict(let other): "recurrence rule: \(part) can't be combined with \(other)"
    }
  }
}

extension CalendarTime {
  /// Reads RFC 5545's DATE or DATE-TIME as ``init(basicBytes:)`` does. It ignores dashes and colons between
  /// the parts, as in `2030-12-31T23:59:59Z`, and accepts lower case.
  public init?(basicText: some StringProtocol) {
    let bytes = basicText.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
    self.init(basicBytes: bytes.map { $0 >= UInt8(ascii: "a") ? $0 & ~0x20 : $0 }[...])
  }

  /// Reads RFC 5545's DATE, local DATE-TIME or UTC DATE-TIME: `20301231`, `20301231T235959`,
  /// `20301231T235959Z`. `nil` for other text or an invalid day. A 60th second becomes the 59th (section
  /// 3.3.12).
  public init?(basicBytes bytes: ArraySlice<UInt8>) {
    let first = bytes.startIndex
    func number(_ start: Int, _ count: Int) -> Int? {
      var value = 0
      for byte in bytes[first + start..<first + start + count] {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return value
    }
    guard bytes.count == 8 || bytes.count == 15 || bytes.count == 16,
      let year = number(0, 4), let month = number(4, 2), let dayOfMonth = number(6, 2),
      let day = CivilDay(validYear: year, month: month, day: dayOfMonth)
    else { return nil }
    if bytes.count == 8 {
      self = .date(day)
      return
    }
    guard bytes[first + 8] == UInt8(ascii: "T"), let hour = number(9, 2), let minute = number(11, 2),
      let second = number(13, 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    let civil = CivilDateTime(day: day, secondOfDay: hour * 3600 + minute * 60 + min(second, 59))
    if bytes.count == 16 {
      guard bytes[first + 15] == UInt8(ascii: "Z") else { return nil }
      self = .utc(civil)
    } else {
      self = .floating(civil)
    }
  }

  /// RFC 5545's text: `20301231` for a whole day, otherwise `20301231T235959`, with a `Z` for UTC. The zone
  /// of a zoned time is not included; it belongs in TZID.
  public var basicText: String {
    func digits(_ value: Int, _ count: Int) -> String {
      let text = String(max(0, value))
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    let (year, month, day) = civil.day.components
    let date = digits(year, 4) + digits(month, 2) + digits(day, 2)
    if isDate { return date }
    let time = digits(civil.hour, 2) + digits(civil.minute, 2) + digits(civil.second, 2)
    if case .utc = self { return "\(date)T\(time)Z" }
    return "\(date)T\(time)"
  }
}
