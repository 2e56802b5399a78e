import CalendarModel

/// RRULE's text (RFC 5545, section 3.3.10, and RFC 7529) to the model's rule and back.
enum RuleText {
  /// Reads a rule; names in either case, parts in any order.
  static func read(_ text: String) throws(BrokenValue) -> RecurrenceRule {
    var rule = RecurrenceRule(.daily)
    var hasFrequency = false
    for part in text.uppercased().split(separator: ";") {
      guard let equals = part.firstIndex(of: "=") else { throw broken(part) }
      let value = part[part.index(after: equals)...]
      switch part[..<equals] {
      case "FREQ":
        guard let frequency = RecurrenceRule.Frequency(rawValue: String(value)) else { throw broken(part) }
        rule.frequency = frequency
        hasFrequency = true
      case "INTERVAL":
        guard let interval = Int(value), interval > 0 else { throw broken(part) }
        rule.interval = interval
      case "COUNT":
        guard let count = Int(value), count > 0 else { throw broken(part) }
        rule.end = .count(count)
      case "UNTIL":
        let bytes = Array(value.utf8)
        rule.end = .until(try TimeValue.read(bytes, 0..<bytes.count, zone: nil))
      case "BYSECOND": rule.bySecond = try numbers(value, 0...60)
      case "BYMINUTE": rule.byMinute = try numbers(value, 0...59)
      case "BYHOUR": rule.byHour = try numbers(value, 0...23)
      case "BYDAY": rule.byDay = try weekdays(value)
      case "BYMONTHDAY": rule.byMonthDay = try numbers(value, -31...31)
      case "BYYEARDAY": rule.byYearDay = try numbers(value, -366...366)
      case "BYWEEKNO": rule.byWeekNumber = try numbers(value, -53...53)
      case "BYMONTH": rule.byMonth = try numbers(value, 1...12)
      case "BYSETPOS": rule.bySetPosition = try numbers(value, -366...366)
      case "WKST":
        guard let day = Weekday(abbreviation: value) else { throw broken(part) }
        rule.weekStart = day
      case "RSCALE":
        guard value == "GREGORIAN" else { throw broken(part) }
        rule.hasScale = true
      case "SKIP":
        guard let skip = RecurrenceRule.Skip(rawValue: String(value)) else { throw broken(part) }
        rule.skip = skip
      default: throw broken(part)
      }
    }
    guard hasFrequency else { throw BrokenValue(message: "the rule has no FREQ") }
    return rule
  }

  /// The text of `rule`.
  static func text(_ rule: RecurrenceRule) -> String {
    var parts: [String] = []
    if rule.hasScale { parts.append("RSCALE=GREGORIAN") }
    parts.append("FREQ=\(rule.frequency.rawValue)")
    if rule.interval != 1 { parts.append("INTERVAL=\(rule.interval)") }
    switch rule.end {
    case .never: break
    case .count(let count): parts.append("COUNT=\(count)")
    case .until(let time): parts.append("UNTIL=\(TimeValue.text(time))")
    }
    func add(_ name: String, _ values: [Int]) {
      if !values.isEmpty { parts.append("\(name)=\(values.map(String.init).joined(separator: ","))") }
    }
    add("BYSECOND", rule.bySecond)
    add("BYMINUTE", rule.byMinute)
    add("BYHOUR", rule.byHour)
    if !rule.byDay.isEmpty {
      let days = rule.byDay.map { ($0.ordinal == 0 ? "" : String($0.ordinal)) + $0.weekday.abbreviation }
      parts.append("BYDAY=\(days.joined(separator: ","))")
    }
    add("BYMONTHDAY", rule.byMonthDay)
    add("BYYEARDAY", rule.byYearDay)
    add("BYWEEKNO", rule.byWeekNumber)
    add("BYMONTH", rule.byMonth)
    add("BYSETPOS", rule.bySetPosition)
    if let weekStart = rule.weekStart { parts.append("WKST=\(weekStart.abbreviation)") }
    if rule.skip != .omit { parts.append("SKIP=\(rule.skip.rawValue)") }
    return parts.joined(separator: ";")
  }

  private static func numbers(_ text: Substring, _ range: ClosedRange<Int>) throws(BrokenValue) -> [Int] {
    var result: [Int] = []
    for part in text.split(separator: ",") {
      guard let number = Int(part), range.contains(number), number != 0 || range.lowerBound == 0 else {
        throw broken(part)
      }
      result.append(number)
    }
    return result
  }

  private static func weekdays(_ text: Substring) throws(BrokenValue) -> [RecurrenceRule.WeekdayNumber] {
    var result: [RecurrenceRule.WeekdayNumber] = []
    for part in text.split(separator: ",") {
      let ordinal = part.dropLast(2)
      guard let weekday = Weekday(abbreviation: part.suffix(2)),
        let number = ordinal.isEmpty ? 0 : Int(ordinal), (-53...53).contains(number)
      else { throw broken(part) }
      result.append(.init(weekday, ordinal: number))
    }
    return result
  }

  private static func broken(_ part: Substring) -> BrokenValue {
    BrokenValue(message: "the rule's '\(part.prefix(40))' can't be read")
  }
}
