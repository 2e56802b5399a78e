import Geodesy
import Spatiotemporal

#if canImport(Glibc)
  import Glibc
#endif

/// A boundary that a device seems to have crossed, and what speaks for it.
///
/// The test is Page's cumulative sum of the log likelihood ratio of the two sides: Wald's sequential test, begun
/// anew whenever the evidence for a crossing is used up. Sources: A. Wald, "Sequential tests of statistical
/// hypotheses", Annals of Mathematical Statistics 16 (1945); E. S. Page, "Continuous inspection schemes",
/// Biometrika 41 (1954).
struct Doubt: Sendable {
  /// The fence.
  var fence: FenceID
  /// What is still taken to be so.
  var believesInside: Bool
  /// The log odds for the other side; not negative.
  var evidence = 0.0
  /// Seconds spent on the other side by the fixes, and the straight ways between them, since the doubt arose.
  ///
  /// The crossing is dated so long before the fix that settles it. Where fixes strayed back and forth, that is
  /// the date which puts as much time on the wrong side before it as after.
  var secondsBeyond = 0.0
  /// True where the crossing lies on a known way between two fixes.
  var isInterpolated: Bool
  /// True where it arose at the first look at the fence: see ``Transition/isFirstLook``.
  var isFirstLook = false

  /// True where the device was only taken to have reached the fence: it was there at some time before the next fix.
  var isReached = false

  /// When it is settled unless a fix comes before: a device that stops sending on the far side has stayed there. `nil` where
  /// silence would say nothing.
  var ripensAt: Instant? {
    get { ripening < .max ? Instant(microseconds: ripening) : nil }
    set { ripening = newValue?.microseconds ?? .max }
  }
  /// In microseconds; the last there are for never.
  private(set) var ripening = Int64.max

  /// True until the fix is weighed whose way crosses the boundary, and at which part of that way.
  var isCrossed = false
  var fraction = 0.0
  /// Where the index had the fence last: a guess that saves looking it up.
  var slot: Int32

  init(fence: FenceID, slot: Int32 = -1, believesInside: Bool, isInterpolated: Bool) {
    self.fence = fence
    self.slot = slot
    self.believesInside = believesInside
    self.isInterpolated = isInterpolated
  }

  /// The logarithm of how much more likely a fix at `deviations` standard deviations beyond a boundary is where the
  /// device is beyond it than where it is not: ln(Φ(z)/Φ(-z)).
  ///
  /// Source: E. Page, "Approximating to the cumulative normal function and its inverse for use on a pocket
  /// calculator", Applied Statistics 26 (1977); within 0.2 of it for |z| < 4, and growing on beyond.
  static func logLikelihoodRatio(deviations z: Double) -> Double {
    z * (1.5976 + 0.070566 * z * z)
  }

  /// How long a doubt takes to ripen at least.
  struct Wait: Sendable {
    private let seconds: Double
    private let microseconds: Int64

    init(seconds: Double) {
      self.seconds = seconds
      microseconds = Instant.epoch.adding(seconds: seconds).microseconds
    }

    /// When it is over after a fix, where it is no shorter than so many seconds.
    @inline(__always)
    func time(after time: Instant, gaps: Double) -> Instant {
      if gaps > seconds { return time.adding(seconds: gaps) }
      let (sum, isTooLate) = time.microseconds.addingReportingOverflow(microseconds)
      return isTooLate ? .distantFuture : Instant(microseconds: sum)
    }
  }

  /// How many fixes are anywhere at all, whatever they claim.
  struct Strays: Sendable {
    /// Their share, from 0 to 1.
    fileprivate let share: Double
    /// What a fix says that is as deep as can be: no more than that it is no stray.
    fileprivate let most: Double
    fileprivate let least: Double
    /// Log odds, without strays, from which on depth makes no difference: the rest is lost in rounding.
    fileprivate let deepest: Double

    init(share: Double) {
      self.share = share
      deepest = share >= 0.001 ? 45 : .infinity
      most = Strays.logOdds(of: 1, share: share)
      least = Strays.logOdds(of: 0, share: share)
    }

    /// The log odds of being beyond where the fixes that are no strays make it so probable.
    @inline(__always)
    fileprivate static func logOdds(of probability: Double, share: Double) -> Double {
      let believed = (1 - share) * probability + share / 2
      return log(believed / (1 - believed))
    }
  }

  /// The same where some fixes are strays.
  @inline(__always)
  static func logLikelihoodRatio(deviations z: Double, _ strays: Strays) -> Double {
    let ratio = logLikelihoodRatio(deviations: z)
    if ratio >= strays.deepest { return strays.most }
    if ratio <= -strays.deepest { return strays.least }
    return Strays.logOdds(of: 1 / (1 + exp(-ratio)), share: strays.share)
  }

  /// Standard deviations, along one axis, in the radius that holds 68 % of a circular normal distribution.
  static let deviationsInAccuracy = 1.51

  /// The most that one fix may add after a jump. Three fixes that agree are no proof then: receivers stray together for
  /// a while.
  static let mostAfterJump = 1.9
}
