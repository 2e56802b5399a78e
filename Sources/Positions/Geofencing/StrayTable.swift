#if canImport(Glibc)
  import Glibc
#endif

/// The evidence of a fix for a crossing, by its distance from the boundary. A share of the fixes are strays: they may be
/// anywhere, independent of their claim.
///
/// A table, because an exponential and a logarithm for each fix and boundary take 8 % longer in a city. One array for all
/// kinds, because each array in the evaluator is retained again for each fix near a boundary, which takes 4 %.
struct StrayTable: Sendable {
  /// Kinds of fixes with their own shares of strays.
  enum Kind: Int, CaseIterable, Sendable {
    case usual, afterSilence
  }

  /// Deviations from which depth makes no difference: a fix then only adds that it is not a stray.
  private static let deepest = 6
  /// Steps of the table for each deviation. Between them it is straight, which is exact to a ten-thousandth.
  private static let steps = 128
  /// Entries of a kind: both ends, and one beyond for deviations at the end.
  private static let count = deepest * steps + 2

  private let logOdds: [Float]

  init(_ parameters: RobustParameters) {
    logOdds = Kind.allCases.flatMap { kind in
      let share =
        switch kind {
        case .usual: parameters.strays
        case .afterSilence: parameters.straysAfterSilence
        }
      return (0..<StrayTable.count).map { step in
        Float(StrayTable.logOdds(deviations: Double(step) / Double(StrayTable.steps), strays: share))
      }
    }
  }

  /// The log odds that a device is beyond a boundary, if a fix is `deviations` standard deviations beyond it.
  @inline(__always)
  func logOdds(deviations: Double, of kind: Kind) -> Double {
    let place = Float(StrayTable.steps) * min(Float(StrayTable.deepest), Float(abs(deviations)))
    let step = Int(place)
    let index = kind.rawValue * StrayTable.count + step
    let (low, high) = (logOdds[index], logOdds[index + 1])
    let odds = Double(low + (high - low) * (place - Float(step)))
    return deviations < 0 ? -odds : odds
  }

  /// The same without the table. Half of the strays are on the wrong side.
  static func logOdds(deviations: Double, strays: Double) -> Double {
    let (wrong, right) = (strays / 2, 1 - strays / 2)
    let odds = exp(Doubt.logLikelihoodRatio(deviations: deviations))
    return log((right * odds + wrong) / (wrong * odds + right))
  }
}
