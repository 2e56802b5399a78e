import FencepostAlgorithms
internal import FencepostGeodesy
internal import FencepostSpatiotemporal

/// Converts the values that formats give in addition to position and time. Invalid values become `nil`.
enum Measurement {
  /// Metres of horizontal accuracy per unit of horizontal dilution of precision.
  ///
  /// The common assumption for the error of a modern receiver under an open sky (user equivalent range
  /// error). Dilution describes the satellites' geometry, not the signal, so this is a rough figure.
  static let metresPerDilution = 5.0

  /// Metres per second in a knot.
  static let knot = 1852.0 / 3600

  /// Metres of accuracy; `nil` for 0 and less, which recorders use for unknown.
  static func accuracy(_ metres: Double?) -> Double? { metres.flatMap { $0 > 0 ? $0 : nil } }

  /// Metres of accuracy from a horizontal dilution of precision.
  static func accuracy(dilution: Double?) -> Double? { accuracy(dilution.map { $0 * metresPerDilution }) }

  /// Metres per second; `nil` below 0, which phones use for unknown.
  static func speed(_ metresPerSecond: Double?) -> Double? { metresPerSecond.flatMap { $0 >= 0 ? $0 : nil } }

  /// Whether `word` is a phone's word for not moving: Apple's `stationary`, Android's `STILL`.
  static func isStill(_ word: Span<UInt8>) -> Bool {
    func matches(_ text: StaticString) -> Bool {
      word.count == text.utf8CodeUnitCount
        && word.indices.allSatisfy { word[$0] | 0x20 == text.utf8Start[$0] }
    }
    return matches("stationary") || matches("still")
  }

  /// Percent of charge; `nil` outside 0 to 100: phones send -1 for unknown.
  static func battery(_ percent: Double?) -> UInt8? {
    percent.flatMap { $0 >= 0 && $0 <= 100 ? UInt8($0.rounded()) : nil }
  }

  /// Degrees from true north; `nil` outside 0 to 360.
  static func course(_ degrees: Double?) -> Double? { degrees.flatMap { $0 >= 0 && $0 <= 360 ? $0 : nil } }
}

/// Parses latitudes and longitudes as traces write them.
enum TraceAngle {
  /// Degrees: a number with a sign, or with a letter for the hemisphere before or after it (`52.5N`, `W
  /// 13.4`); the degree sign is optional. `nil` for anything else.
  ///
  /// `scale` is 1, 1e-7 for integers of ten-millionths of a degree (E7), or ``semicircles``.
  static func degrees(_ field: Span<UInt8>, scale: Double, decimalComma: Bool) -> Double? {
    if let plain = DecimalNumber.parse(field, decimalComma: decimalComma) { return scaled(plain, scale) }
    var range = 0..<field.count
    guard let first = field.isEmpty ? nil : field[0] else { return nil }
    var sign = 1.0
    if let hemisphere = hemisphere(first) {
      sign = hemisphere
      range = 1..<field.count
    } else if let hemisphere = hemisphere(field[field.count - 1]) {
      sign = hemisphere
      range = 0..<(field.count - 1)
    }
    var text = field.extracting(range)
    text = text.extracting(ASCII.trimmed(text))
    // The degree sign in UTF-8.
    if text.count > 2, text[text.count - 2] == 0xC2, text[text.count - 1] == 0xB0 {
      text = text.extracting(0..<(text.count - 2))
    }
    guard let number = DecimalNumber.parse(text, decimalComma: decimalComma) else { return nil }
    // A hemisphere and a minus sign together are ambiguous.
    guard sign == 1 || number >= 0 else { return nil }
    return scaled(number, scale) * sign
  }

  /// 1 for N and E, -1 for S and W; `nil` for anything else.
  static func hemisphere(_ letter: UInt8) -> Double? {
    switch ASCII.uppercased(letter) {
    case 0x4E, 0x45: 1
    case 0x53, 0x57: -1
    default: nil
    }
  }

  /// The degrees in a FIT semicircle; 2³¹ semicircles are 180 degrees. Some converters write degrees under
  /// the same name, so values up to 180 count as degrees.
  static let semicircles = 180 / 2_147_483_648.0

  /// Some of Google's exports hold negative E7 values as unsigned 32-bit integers.
  private static func scaled(_ number: Double, _ scale: Double) -> Double {
    if scale == 1 { return number }
    if scale == semicircles { return abs(number) > 180 ? number * semicircles : number }
    return (number > 1.8e9 ? number - 4_294_967_296 : number) / 1e7
  }
}
