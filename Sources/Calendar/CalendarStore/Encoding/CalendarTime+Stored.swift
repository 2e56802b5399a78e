internal import FencepostCalendarModel

/// A time's form in the store: `2026-05-01`, `2026-05-01T08:30:00`, with `Z` for UTC, with `[Europe/Berlin]`
/// for a zone. It keeps the original form, and people can read it in `sqlite3`.
extension CalendarTime {
  /// The time in the store's form.
  var stored: String {
    switch self {
    case .date(let day): day.description
    case .floating(let time): time.description
    case .utc(let time): time.description + "Z"
    case .zoned(let time, let zone): "\(time)[\(zone.rawValue)]"
    }
  }

  /// Parses ``stored``; `nil` if it is invalid.
  init?(stored text: String) {
    var text = text
    guard let time = text.withUTF8({ CalendarTime(stored: UnsafeRawBufferPointer($0)) }) else { return nil }
    self = time
  }

  /// Parses the bytes of ``stored``; `nil` if they are invalid.
  ///
  /// - Parameter zone: Makes an identifier from the bytes of a zone's name.
  init?(
    stored bytes: UnsafeRawBufferPointer,
    zone: (UnsafeRawBufferPointer) -> TimeZoneID = {
      TimeZoneID(rawValue: String(decoding: $0, as: UTF8.self))
    }
  ) {
    var rest = bytes[...]
    guard let day = CivilDay(readingFrom: &rest) else { return nil }
    guard let next = rest.popFirst() else {
      self = .date(day)
      return
    }
    guard next == UInt8(ascii: "T"), let hour = rest.popNumber(digits: 2),
      rest.popFirst() == UInt8(ascii: ":"), let minute = rest.popNumber(digits: 2),
      rest.popFirst() == UInt8(ascii: ":"), let second = rest.popNumber(digits: 2)
    else { return nil }
    let time = CivilDateTime(day: day, secondOfDay: hour * 3600 + minute * 60 + second)
    switch rest.popFirst() {
    case nil: self = .floating(time)
    case UInt8(ascii: "Z") where rest.isEmpty: self = .utc(time)
    case UInt8(ascii: "[") where rest.popLast() == UInt8(ascii: "]"):
      self = .zoned(time, zone(UnsafeRawBufferPointer(rebasing: rest)))
    default: return nil
    }
  }
}

extension CivilDay {
  /// Parses `YYYY-MM-DD`, with more digits or a sign for years beyond four digits, and removes it from the
  /// front of `rest`.
  fileprivate init?(readingFrom rest: inout Slice<UnsafeRawBufferPointer>) {
    var isNegative = false
    if rest.first == UInt8(ascii: "-") {
      isNegative = true
      rest.removeFirst()
    }
    let yearDigits = rest.prefix { $0 != UInt8(ascii: "-") }.count
    guard (4...8).contains(yearDigits), let year = rest.popNumber(digits: yearDigits),
      rest.popFirst() == UInt8(ascii: "-"), let month = rest.popNumber(digits: 2),
      rest.popFirst() == UInt8(ascii: "-"), let day = rest.popNumber(digits: 2)
    else { return nil }
    self.init(validYear: isNegative ? -year : year, month: month, day: day)
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// Removes a number with `digits` decimal digits from the front. Returns `nil` without one.
  fileprivate mutating func popNumber(digits: Int) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let byte = popFirst(), byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return number
  }
}
