internal import FencepostGeodesy
internal import FencepostSpatiotemporal

/// Converts the values that formats give in addition to position and time. Invalid values become `nil`.
enum Measurement {
  /// Metres of horizontal accuracy per unit of horizontal dilution of precision.
  ///
  /// The common assumption for the error of a modern receiver under an open sky (user equivalent range error).
  /// Dilution describes the satellites' geometry, not the signal, so this is a rough figure.
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

  /// Degrees from true north; `nil` outside 0 to 360.
  static func course(_ degrees: Double?) -> Double? { degrees.flatMap { $0 >= 0 && $0 <= 360 ? $0 : nil } }
}
