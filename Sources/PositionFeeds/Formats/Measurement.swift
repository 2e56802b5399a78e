internal import Geodesy
internal import Spatiotemporal

/// What formats say beside position and time, turned into what a fix says or into nothing.
enum Measurement {
  /// Metres of horizontal accuracy for one unit of horizontal dilution of precision.
  ///
  /// The error that a receiver of today makes under an open sky, as it is commonly assumed (user equivalent
  /// range error). Dilution says how satellites stand, not how good the signal is: a rough figure, better than none.
  static let metresPerDilution = 5.0

  /// Metres a second in a knot.
  static let knot = 1852.0 / 3600

  /// Metres of accuracy; `nil` for 0 and less, by which recorders mean that they don't know.
  static func accuracy(_ metres: Double?) -> Double? { metres.flatMap { $0 > 0 ? $0 : nil } }

  /// Metres of accuracy from a horizontal dilution of precision.
  static func accuracy(dilution: Double?) -> Double? { accuracy(dilution.map { $0 * metresPerDilution }) }

  /// Metres a second; `nil` below 0, by which phones mean that they don't know.
  static func speed(_ metresPerSecond: Double?) -> Double? { metresPerSecond.flatMap { $0 >= 0 ? $0 : nil } }

  /// True for the word by which phones say that they don't move: Apple's `stationary`, Android's `STILL`.
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
