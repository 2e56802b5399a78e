internal import CalendarModel

/// How a rule stands in the store: as RFC 5545 writes it (section 3.3.10), but for UNTIL, which comes last
/// and in the store's own spelling of times, so that any time that the model can hold is kept.
///
/// Not the Recurrence room's text: that one is for other programs, and repairs what they get wrong. This
/// one gives back exactly what was put in, for ever.
extension RecurrenceRule {
  /// The rule as it stands in the store.
  var stored: String {
    var text = "FREQ=\(frequency.rawValue)"
    func add(_ name: String, _ values: [Int]) {
      if !values.isEmpty { text += ";\(name)=" + values.map(String.init).joined(separator: ",") }
    }
    if interval != 1 { add("INTERVAL", [interval]) }
    if hasScale { text += ";RSCALE=GREGORIAN" }
    if skip != .omit { text += ";SKIP=\(skip.rawValue)" }
    if let weekStart { text += ";WKST=\(weekStart.abbreviation)" }
    add("BYSECOND", bySecond)
    add("BYMINUTE", byMinute)
    add("BYHOUR", byHour)
    if !byDay.isEmpty {
      let days = byDay.map { ($0.ordinal == 0 ? "" : String($0.ordinal)) + $0.weekday.abbreviation }
      text += ";BYDAY=" + days.joined(separator: ",")
    }
    add("BYMONTHDAY", byMonthDay)
    add("BYYEARDAY", byYearDay)
    add("BYWEEKNO", byWeekNumber)
    add("BYMONTH", byMonth)
    add("BYSETPOS", bySetPosition)
    for part in otherParts { text += ";" + part }
    switch end {
    case .never: break
    case .count(let count): add("COUNT", [count])
    case .until(let time): text += ";UNTIL=" + time.stored
    }
    return text
  }

  /// Reads ``stored``; `nil` where it is none.
  init?(stored text: String) {
    var parts = text.split(separator: ";", omittingEmptySubsequences: false)[...]
    guard let first = parts.popFirst(), first.hasPrefix("FREQ="),
      let frequency = Frequency(rawValue: String(first.dropFirst(5)))
    else { return nil }
    self.init(frequency)
    while let part = parts.popFirst() {
      guard let equals = part.firstIndex(of: "=") else { return nil }
      let name = part[..<equals]
      // A zone's name may hold a semicolon: UNTIL is all that is left.
      let isLast = name == "UNTIL"
      let value = isLast ? text[part.index(after: equals)...] : part[part.index(after: equals)...]
      if name.hasPrefix("X-") {
        otherParts.append(String(part))
        continue
      }
      guard read(name, value) else { return nil }
      if isLast { return }
    }
  }

  private mutating func read(_ name: Substring, _ value: Substring) -> Bool {
    func numbers() -> [Int]? {
      let fields = value.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = fields.compactMap { Int($0) }
      return numbers.count == fields.count ? numbers : nil
    }
    func set(_ path: WritableKeyPath<RecurrenceRule, [Int]>) -> Bool {
      guard let numbers = numbers() else { return false }
      self[keyPath: path] = numbers
      return true
    }
    switch name {
    case "INTERVAL":
      guard let number = Int(value) else { return false }
      interval = number
    case "RSCALE": hasScale = true
    case "SKIP":
      guard let skip = Skip(rawValue: String(value)) else { return false }
      self.skip = skip
    case "WKST":
      guard let day = Weekday(abbreviation: value) else { return false }
      weekStart = day
    case "BYSECOND": return set(\.bySecond)
    case "BYMINUTE": return set(\.byMinute)
    case "BYHOUR": return set(\.byHour)
    case "BYDAY":
      for field in value.split(separator: ",") {
        let ordinal = field.dropLast(2)
        guard let day = Weekday(abbreviation: field.suffix(2)),
          let number = ordinal.isEmpty ? 0 : Int(ordinal)
        else { return false }
        byDay.append(WeekdayNumber(day, ordinal: number))
      }
    case "BYMONTHDAY": return set(\.byMonthDay)
    case "BYYEARDAY": return set(\.byYearDay)
    case "BYWEEKNO": return set(\.byWeekNumber)
    case "BYMONTH": return set(\.byMonth)
    case "BYSETPOS": return set(\.bySetPosition)
    case "COUNT":
      guard let number = Int(value) else { return false }
      end = .count(number)
    case "UNTIL":
      guard let time = CalendarTime(stored: String(value)) else { return false }
      end = .until(time)
    default: return false
    }
    return true
  }
}
