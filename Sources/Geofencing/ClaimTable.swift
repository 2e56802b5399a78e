import Spatiotemporal

/// What a receiver's claim of accuracy is worth.
///
/// Phones claim a radius that shall hold them with 68 % confidence, and mean different things by it. What their fixes are
/// really off was measured on phones that were carried along a known way (MobilityNet's days of 2019, see README.md);
/// the rows below are those measurements, and all that there is to change where others are made.
enum ClaimTable {
  /// Whose claims these are.
  enum Maker: Sendable { case apple, other }

  /// Claims from ``claim`` metres on, up to the next row, are off by ``error`` metres, or by ``share`` of the claim.
  struct Row: Sendable {
    var claim: Double
    var error: Double?
    var share = 1.0
  }

  /// An iPhone claims 65 m wherever it hears a wireless network that it knows, and thousands where it has only heard of one
  /// for a while.
  static let apple = [
    Row(claim: 60, error: nil, share: 0.57), Row(claim: 100, error: 71), Row(claim: 150, error: 79),
    Row(claim: 200, error: 71), Row(claim: 1_000, error: 150),
  ]

  /// Android's claims are about right up to 50 m and too modest beyond.
  static let other = [Row(claim: 50.001, error: nil, share: 0.8)]

  /// Claims up to so many metres are taken as they are, whoever makes them.
  static let plain = 50.0

  /// The largest claim in metres that was measured. Beyond it the claim itself is all that there is.
  static let largest = 24_000.0

  /// The error in metres that a claim stands for.
  static func error(ofClaim claim: Double, by maker: Maker) -> Double {
    guard claim <= largest else { return claim }
    let rows = maker == .apple ? apple : other
    guard let row = rows.last(where: { $0.claim <= claim }) else { return claim }
    return row.error ?? claim * row.share
  }
}

/// Who makes the claims of a device, as far as they tell: a running count of those that only an iPhone makes, and of
/// those that it never does.
struct ClaimHabit: Hashable, Sendable {
  /// From -3 to 3; an iPhone's where it is 2 and more.
  private(set) var score: Int8 = 0

  init() {}

  /// The habit of a score, as it was saved.
  init(score: Int8) { self.score = max(-3, min(3, score)) }

  /// Counts a claim of more than ``ClaimTable/plain`` metres, and returns the error that it stands for.
  @inline(never)
  mutating func error(ofClaim claim: Double) -> Double {
    // 65 and 165 are an iPhone's round numbers; else it writes all the digits that it has, where Android has three.
    let isPrecise = abs((claim * 1_000).rounded() - claim * 1_000) > 1e-6
    let isApples = isPrecise || claim == 65 || claim == 165
    if isApples {
      score = min(3, score + 1)
    } else if claim != claim.rounded() || claim < 1_000 && claim.truncatingRemainder(dividingBy: 5) != 0 {
      score = max(-3, score - 1)
    }
    // One such claim is no habit: other receivers compute theirs, with all digits.
    return ClaimTable.error(ofClaim: claim, by: score >= 2 ? .apple : .other)
  }
}
