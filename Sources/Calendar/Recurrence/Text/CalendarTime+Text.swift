public import FencepostCalendarModel

extension CalendarTime {
  /// Reads RFC 5545's DATE or DATE-TIME as ``init(basicBytes:)`` does. It ignores dashes and colons between the parts,
  /// as in `2030-12-31T23:59:59Z`, and accepts lower case.
  public init?(basicText: some StringProtocol) {
    let bytes = basicText.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
    self.init(basicBytes: bytes.map { $0 >= UInt8(ascii: "a") ? $0 & ~0x20 : $0 }[...])
  }

  /// Reads RFC 5545's DATE, local DATE-TIME or UTC DATE-TIME: `20301231`, `20301231T235959`, `20301231T235959Z`. `nil`
  /// for other text or an invalid day. A 60th second becomes the 59th (section 3.3.12).
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

  /// RFC 5545's text: `20301231` for a whole day, otherwise `20301231T235959`, with a `Z` for UTC. The zone of a zoned
  /// time is not included; it belongs in TZID.
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
