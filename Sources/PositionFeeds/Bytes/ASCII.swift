internal import Glibc

/// The bytes that formats are made of, and what to do with a few of them.
enum ASCII {
  static let tab: UInt8 = 0x09
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let hash: UInt8 = 0x23
  static let dollar: UInt8 = 0x24
  static let asterisk: UInt8 = 0x2A
  static let comma: UInt8 = 0x2C
  static let minus: UInt8 = 0x2D
  static let point: UInt8 = 0x2E
  static let slash: UInt8 = 0x2F
  static let semicolon: UInt8 = 0x3B
  static let lessThan: UInt8 = 0x3C
  static let backslash: UInt8 = 0x5C
  static let bar: UInt8 = 0x7C

  /// `byte` as a capital letter where it is a letter.
  @inline(__always)
  static func uppercased(_ byte: UInt8) -> UInt8 { byte &- 0x61 < 26 ? byte &- 0x20 : byte }

  /// True for the digits 0 to 9.
  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// The value of a hexadecimal digit, in capital letters or small ones; `nil` for anything else.
  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte - 0x30 }
    let letter = uppercased(byte) &- 0x41
    return letter < 6 ? letter + 10 : nil
  }

  /// The index of the first `byte` in `bytes` from `start` on; `nil` where there is none.
  @inline(__always)
  static func index(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, Int32(byte), bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
  }

  /// The number that the digits in a range of `bytes` write, 18 of them at most; `nil` where one is no digit.
  static func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    guard range.count <= 18 else { return nil }
    var value = 0
    for index in range {
      guard isDigit(bytes[index]) else { return nil }
      value = value * 10 + Int(bytes[index] - 0x30)
    }
    return value
  }

  /// The indices of `bytes` without blanks (space, tab, CR, LF) at either end.
  static func trimmed(_ bytes: Span<UInt8>) -> Range<Int> {
    var start = 0
    var end = bytes.count
    while start < end, isBlank(bytes[start]) { start += 1 }
    while end > start, isBlank(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  /// True for space, tab, CR and LF.
  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
}
