import FencepostSpatiotemporal

/// How far to trust the accuracy that a receiver claims.
///
/// Phones claim a radius that should contain them with 68 % confidence, but they interpret it differently.
/// The real errors were measured on phones that moved along a known way (MobilityNet, 2019; see README.md).
/// The rows below are these measurements. Change only them after new measurements.
enum ClaimTable {
  /// Who makes the claims.
  enum Maker: Sendable { case apple, other }

  /// Claims from ``claim`` metres up to the next row are off by ``error`` metres, or by ``share`` of the
  /// claim.
  struct Row: Sendable {
    var claim: Double
    var error: Double?
    var share = 1.0
  }

  /// An iPhone claims 65 m wherever it receives a wireless network that it knows, and thousands of metres if
  /// it has received only one for a while.
  static let apple = [
    Row(claim: 60, error: nil, share: 0.57), Row(claim: 100, error: 71), Row(claim: 150, error: 79),
    Row(claim: 200, error: 71), Row(claim: 1_000, error: 150),
  ]

  /// Android's claims are about right up to 50 m and too modest beyond.
  static let other = [Row(claim: 50.001, error: nil, share: 0.8)]

  /// Claims up to this many metres are accepted from every maker.
  static let plain = 50.0

  /// The largest measured claim in metres. Larger claims are used as they are.
  static let largest = 24_000.0

  /// The error in metres that a claim stands for.
  static func error(ofClaim claim: Double, by maker: Maker) -> Double {
    guard claim <= largest else { return claim }
    let rows = maker == .apple ? apple : other
    guard let row = rows.last(where: { $0.claim <= claim }) else { return claim }
    return row.error ?? claim * row.share
  }
}

/// Guesses who makes the claims of a device: a running count of claims that only an iPhone makes, less those
/// that it never makes.
struct ClaimHabit: Hashable, Sendable {
  /// From -3 to 3; 2 and more means an iPhone.
  private(set) var score: Int8 = 0

  init() {}

  /// The habit for a saved score.
  init(score: Int8) { self.score = max(-3, min(3, score)) }

  /// Counts a claim of more than ``ClaimTable/plain`` metres, and returns its probable error.
  @inline(never)
  mutating func error(ofClaim claim: Double) -> Double {
    // 65 and 165 are an iPhone's round numbers. Otherwise it writes all digits, and Android writes three.
    let isPrecise = abs((claim * 1_000).rounded() - claim * 1_000) > 1e-6
    let isApples = isPrecise || claim == 65 || claim == 165
    if isApples {
      score = min(3, score + 1)
    } else if claim != claim.rounded() || claim < 1_000 && claim.truncatingRemainder(dividingBy: 5) != 0 {
      score = max(-3, score - 1)
    }
    // One claim is not enough: other receivers also compute claims with all digits.
    return ClaimTable.error(ofClaim: claim, by: score >= 2 ? .apple : .other)
  }
}

#if canImport(Glibc)
  import Glibc
#endif

/// The evidence of a fix for a crossing, by its distance from the boundary. A share of the fixes are strays:
/// they may be anywhere, independent of their claim.
///
/// A table, because an exponential and a logarithm for each fix and boundary take 8 % longer in a city. One
/// array for all kinds, because each array in the evaluator is retained again for each fix near a boundary,
/// which takes 4 %.
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
