/// A wall-clock reading without a zone: a day and the second of the day.
public struct CivilDateTime: Hashable, Sendable, Comparable {
  /// The day.
  public var day: CivilDay
  /// Seconds since that day's midnight on the wall clock, 0 to 86,399.
  public var secondOfDay: Int

  /// A reading of `secondOfDay` on `day`. Seconds out of range carry over into other days.
  @inlinable
  public init(day: CivilDay, secondOfDay: Int) {
    var days = secondOfDay / 86_400
    var second = secondOfDay % 86_400
    if second < 0 {
      second += 86_400
      days -= 1
    }
    self.day = day.adding(days: days)
    self.secondOfDay = second
  }

  /// A reading from its parts. Parts out of range carry over.
  @inlinable
  public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.init(
      day: CivilDay(year: year, month: month, day: day), secondOfDay: hour * 3600 + minute * 60 + second)
  }

  /// The reading `seconds` after 1970-01-01T00:00:00 on a clock without zone changes.
  @inlinable
  public init(secondsSinceEpoch seconds: Int64) {
    self.init(day: CivilDay(dayNumber: 0), secondOfDay: Int(seconds))
  }

  /// Seconds from 1970-01-01T00:00:00 to this reading, on a clock without zone changes.
  @inlinable
  public var secondsSinceEpoch: Int64 { Int64(day.dayNumber) * 86_400 + Int64(secondOfDay) }

  /// The hour, 0 to 23.
  @inlinable public var hour: Int { secondOfDay / 3600 }
  /// The minute, 0 to 59.
  @inlinable public var minute: Int { secondOfDay / 60 % 60 }
  /// The second, 0 to 59.
  @inlinable public var second: Int { secondOfDay % 60 }

  /// This reading moved by `seconds` of the wall clock.
  @inlinable
  public func adding(seconds: Int64) -> CivilDateTime {
    CivilDateTime(secondsSinceEpoch: secondsSinceEpoch + seconds)
  }

  /// The earlier reading first.
  @inlinable
  public static func < (a: CivilDateTime, b: CivilDateTime) -> Bool {
    (a.day.dayNumber, a.secondOfDay) < (b.day.dayNumber, b.secondOfDay)
  }
}

extension CivilDateTime: CustomStringConvertible {
  /// `YYYY-MM-DDTHH:MM:SS`.
  public var description: String {
    let (year, month, day) = day.components
    guard (0...9999).contains(year) else {
      return "\(self.day)T\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
    }
    // Written a hundred thousand times: one string, built in place.
    return String(unsafeUninitializedCapacity: 19) { text in
      text.put(year: year, month: month, day: day)
      text[10] = UInt8(ascii: "T")
      text.put(clockOf: self, at: 11)
      return 19
    }
  }

  /// `HH:MM:SS`.
  public var clock: String {
    String(unsafeUninitializedCapacity: 8) { text in
      text.put(clockOf: self, at: 0)
      return 8
    }
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes a number of two digits.
  func put(_ number: Int, at index: Int) {
    self[index] = UInt8(truncatingIfNeeded: 0x30 + number / 10 % 10)
    self[index + 1] = UInt8(truncatingIfNeeded: 0x30 + number % 10)
  }

  /// Writes `YYYY-MM-DD` at the beginning; the year has up to four digits.
  func put(year: Int, month: Int, day: Int) {
    put(year / 100, at: 0)
    put(year % 100, at: 2)
    self[4] = UInt8(ascii: "-")
    put(month, at: 5)
    self[7] = UInt8(ascii: "-")
    put(day, at: 8)
  }

  /// Writes `HH:MM:SS`.
  func put(clockOf time: CivilDateTime, at index: Int) {
    put(time.hour, at: index)
    self[index + 2] = UInt8(ascii: ":")
    put(time.minute, at: index + 3)
    self[index + 5] = UInt8(ascii: ":")
    put(time.second, at: index + 6)
  }
}
