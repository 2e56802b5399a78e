public import Glibc

/// Bytes of text formats, and functions for them.
public enum ASCII {
  /// A tab.
  @inlinable public static var tab: UInt8 { 0x09 }
  /// A space.
  @inlinable public static var space: UInt8 { 0x20 }
  /// `"`.
  @inlinable public static var quote: UInt8 { 0x22 }
  /// `#`.
  @inlinable public static var hash: UInt8 { 0x23 }
  /// `$`.
  @inlinable public static var dollar: UInt8 { 0x24 }
  /// `*`.
  @inlinable public static var asterisk: UInt8 { 0x2A }
  /// `,`.
  @inlinable public static var comma: UInt8 { 0x2C }
  /// `-`.
  @inlinable public static var minus: UInt8 { 0x2D }
  /// `.`.
  @inlinable public static var point: UInt8 { 0x2E }
  /// `/`.
  @inlinable public static var slash: UInt8 { 0x2F }
  /// `;`.
  @inlinable public static var semicolon: UInt8 { 0x3B }
  /// `<`.
  @inlinable public static var lessThan: UInt8 { 0x3C }
  /// `\`.
  @inlinable public static var backslash: UInt8 { 0x5C }
  /// `|`.
  @inlinable public static var bar: UInt8 { 0x7C }

  /// `byte` in upper case, if it is a letter.
  @inlinable @inline(__always)
  public static func uppercased(_ byte: UInt8) -> UInt8 { byte &- 0x61 < 26 ? byte &- 0x20 : byte }

  /// Whether `byte` is a digit, 0 to 9.
  @inlinable @inline(__always)
  public static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// The value of a hexadecimal digit in either case; `nil` for anything else.
  @inlinable
  public static func hexadecimal(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte - 0x30 }
    let letter = uppercased(byte) &- 0x41
    return letter < 6 ? letter + 10 : nil
  }

  /// The index of the first `byte` in `bytes` from `start` on; `nil` without one.
  @inlinable @inline(__always)
  public static func index(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, Int32(byte), bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
  }

  /// The number in the digits of a range of `bytes`, at most 18 of them; `nil` if one is not a digit.
  @inlinable
  public static func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    guard range.count <= 18 else { return nil }
    var value = 0
    for index in range {
      guard isDigit(bytes[index]) else { return nil }
      value = value * 10 + Int(bytes[index] - 0x30)
    }
    return value
  }

  /// The range of `bytes` without blanks (space, tab, CR, LF) at either end.
  @inlinable
  public static func trimmed(_ bytes: Span<UInt8>) -> Range<Int> {
    var start = 0
    var end = bytes.count
    while start < end, isBlank(bytes[start]) { start += 1 }
    while end > start, isBlank(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  /// Whether `byte` is a space, tab, CR or LF.
  @inlinable @inline(__always)
  public static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
  }
}
