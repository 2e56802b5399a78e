/// Parses decimal numbers from bytes. It allocates nothing for numbers with no more digits than a double
/// holds.
///
/// Take a number of up to 19 digits whose value without the point is at most 2^53, with a power of ten up to
/// 10^22. It is one multiplication or division of two exact doubles, so the result is the nearest double: W.
/// D. Clinger, "How to read floating point numbers accurately" (1990). Other numbers take the slow path
/// through the standard library.
public enum DecimalNumber {
  /// The maximum length of a number in bytes.
  public static let maximumLength = 64

  /// The powers of ten that a double holds exactly.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]

  /// Parses all of `bytes`: an optional sign, digits with an optional point, and an optional exponent. `nil`
  /// for anything else: blanks, `nan`, `inf`, hexadecimal, and overflow to infinity.
  ///
  /// With `decimalComma`, a comma is a point too.
  public static func parse(_ bytes: Span<UInt8>, decimalComma: Bool = false) -> Double? {
    plain(bytes, point: decimalComma ? 0x2C : 0x2E) ?? any(bytes, decimalComma: decimalComma)
  }

  /// Parses the form of nearly all numbers: an optional sign and at most 18 digits with an optional `point`.
  /// `nil` for all others.
  @inline(__always)
  private static func plain(_ bytes: Span<UInt8>, point: UInt8) -> Double? {
    let count = bytes.count
    guard count > 0, count <= 20 else { return nil }
    let isNegative = bytes[unchecked: 0] == 0x2D
    let start = isNegative || bytes[unchecked: 0] == 0x2B ? 1 : 0
    var index = start
    var mantissa: Int64 = 0
    while index < count, bytes[unchecked: index] &- 0x30 < 10 {
      mantissa = mantissa &* 10 &+ Int64(bytes[unchecked: index] &- 0x30)
      index &+= 1
    }
    var digits = index &- start
    var decimals = 0
    if index < count, bytes[unchecked: index] == point {
      index &+= 1
      let first = index
      while index < count, bytes[unchecked: index] &- 0x30 < 10 {
        mantissa = mantissa &* 10 &+ Int64(bytes[unchecked: index] &- 0x30)
        index &+= 1
      }
      decimals = index &- first
      digits &+= decimals
    }
    guard index == count, digits > 0, digits <= 18, mantissa <= 1 << 53 else { return nil }
    let magnitude = Double(mantissa) / powersOfTen[decimals]
    return isNegative ? -magnitude : magnitude
  }

  /// Parses any form of number.
  private static func any(_ bytes: Span<UInt8>, decimalComma: Bool) -> Double? {
    var index = 0
    let count = bytes.count
    guard count > 0, count <= maximumLength else { return nil }
    let isNegative = bytes[0] == 0x2D
    if isNegative || bytes[0] == 0x2B { index = 1 }

    var mantissa: UInt64 = 0
    var digits = 0
    var significant = 0
    var exponent = 0
    var sawPoint = false
    while index < count {
      let byte = bytes[unchecked: index]
      let digit = byte &- 0x30
      if digit < 10 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        digits += 1
        if mantissa != 0 { significant += 1 }
        if sawPoint { exponent -= 1 }
      } else if !sawPoint && (byte == 0x2E || (decimalComma && byte == 0x2C)) {
        sawPoint = true
      } else {
        break
      }
      index += 1
    }
    guard digits > 0 else { return nil }
    if index < count {
      guard let written = exponentPart(bytes, from: index) else { return nil }
      exponent += written
    }
    // Up to 19 digits fit into 64 bits, so the mantissa did not wrap.
    guard significant <= 19, mantissa <= 1 << 53, exponent >= -22, exponent <= 22 else {
      return slow(bytes, decimalComma: decimalComma)
    }
    let power = powersOfTen[abs(exponent)]
    let magnitude = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
    return isNegative ? -magnitude : magnitude
  }

  /// The exponent that starts with the `e` at `start`; `nil` if there is none. Clamped to ±9999.
  private static func exponentPart(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    guard bytes[start] | 0x20 == 0x65 else { return nil }
    var index = start + 1
    guard index < bytes.count else { return nil }
    let isNegative = bytes[index] == 0x2D
    if isNegative || bytes[index] == 0x2B { index += 1 }
    guard index < bytes.count else { return nil }
    var value = 0
    while index < bytes.count {
      let digit = bytes[index] &- 0x30
      guard digit < 10 else { return nil }
      value = min(value * 10 + Int(digit), 9999)
      index += 1
    }
    return isNegative ? -value : value
  }

  /// Parses with `Double`'s initializer. The caller has validated the number.
  private static func slow(_ bytes: Span<UInt8>, decimalComma: Bool) -> Double? {
    let text = String(unsafeUninitializedCapacity: bytes.count) { buffer in
      for index in 0..<bytes.count {
        buffer[index] = decimalComma && bytes[index] == 0x2C ? 0x2E : bytes[index]
      }
      return bytes.count
    }
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }
}
