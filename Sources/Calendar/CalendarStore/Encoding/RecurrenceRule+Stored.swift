internal import FencepostCalendarModel

/// A rule's form in the store: that of RFC 5545 (section 3.3.10). But UNTIL comes last and has the store's
/// form of times, so that any time of the model is kept.
///
/// The Recurrence room's text is different: it is for other programs, and repairs their errors. This one
/// returns exactly the stored value.
extension RecurrenceRule {
  /// The rule in the store's form.
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

  /// Parses ``stored``; `nil` if it is invalid.
  init?(stored text: String) {
    var text = text
    guard let rule = text.withUTF8({ RecurrenceRule(stored: UnsafeRawBufferPointer($0)) }) else { return nil }
    self = rule
  }

  /// Parses the bytes of ``stored``; `nil` if they are invalid.
  init?(stored bytes: UnsafeRawBufferPointer) {
    var parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
    guard let first = parts.popFirst(), first.starts(with: "FREQ=".utf8),
      let frequency = Frequency(rawValue: first.dropFirst(5).text)
    else { return nil }
    self.init(frequency)
    while let part = parts.popFirst() {
      guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let name = part[..<equals].text
      if name == "UNTIL" {
        // A zone's name may contain a semicolon, so UNTIL takes the whole rest.
        let time = UnsafeRawBufferPointer(rebasing: bytes[(equals + 1)...])
        guard let time = CalendarTime(stored: time) else { return nil }
        end = .until(time)
        return
      }
      if name.hasPrefix("X-") {
        otherParts.append(part.text)
      } else if !read(name, part[(equals + 1)...]) {
        return nil
      }
    }
  }

  private mutating func read(_ name: String, _ value: Slice<UnsafeRawBufferPointer>) -> Bool {
    switch name {
    case "INTERVAL": value.readNumber(into: &interval)
    case "BYDAY": readDays(value)
    case "BYMONTHDAY": value.readNumbers(into: &byMonthDay)
    case "BYMONTH": value.readNumbers(into: &byMonth)
    case "BYSETPOS": value.readNumbers(into: &bySetPosition)
    case "BYYEARDAY": value.readNumbers(into: &byYearDay)
    case "BYWEEKNO": value.readNumbers(into: &byWeekNumber)
    case "BYHOUR": value.readNumbers(into: &byHour)
    case "BYMINUTE": value.readNumbers(into: &byMinute)
    case "BYSECOND": value.readNumbers(into: &bySecond)
    case "COUNT": readCount(value)
    default: readWord(name, value.text)
    }
  }

  private mutating func readCount(_ value: Slice<UnsafeRawBufferPointer>) -> Bool {
    var count = 0
    guard value.readNumber(into: &count) else { return false }
    end = .count(count)
    return true
  }

  private mutating func readDays(_ value: Slice<UnsafeRawBufferPointer>) -> Bool {
    for field in value.split(separator: UInt8(ascii: ",")) {
      let digits = field.dropLast(2)
      var ordinal = 0
      guard let day = Weekday(abbreviation: field.suffix(2).text),
        digits.isEmpty || digits.readNumber(into: &ordinal)
      else { return false }
      byDay.append(WeekdayNumber(day, ordinal: ordinal))
    }
    return true
  }

  private mutating func readWord(_ name: String, _ value: String) -> Bool {
    switch name {
    case "RSCALE": hasScale = true
    case "SKIP":
      guard let skip = Skip(rawValue: value) else { return false }
      self.skip = skip
    case "WKST":
      guard let day = Weekday(abbreviation: value) else { return false }
      weekStart = day
    default: return false
    }
    return true
  }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }

  /// Parses an integer; returns false if the text is not one.
  fileprivate func readNumber(into number: inout Int) -> Bool {
    guard let read = Int(text) else { return false }
    number = read
    return true
  }

  /// Parses integers between commas.
  fileprivate func readNumbers(into numbers: inout [Int]) -> Bool {
    for field in split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      var number = 0
      guard field.readNumber(into: &number) else { return false }
      numbers.append(number)
    }
    return true
  }
}
