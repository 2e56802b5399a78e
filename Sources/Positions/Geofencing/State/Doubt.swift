import FencepostGeodesy
import FencepostSpatiotemporal

/// A boundary that a device seems to have crossed, with the evidence.
///
/// The test is Page's cumulative sum of the log likelihood ratio of the two sides. That is Wald's sequential
/// test, which restarts when the evidence for a crossing is used up. Sources: A. Wald, "Sequential tests of
/// statistical hypotheses", Annals of Mathematical Statistics 16 (1945); E. S. Page, "Continuous inspection
/// schemes", Biometrika 41 (1954).
struct Doubt: Sendable {
  /// The fence.
  var fence: FenceID
  /// The log odds for the other side; not negative.
  var evidence = 0.0
  /// Seconds that the fixes, and the straight ways between them, spent on the other side since the doubt
  /// arose.
  ///
  /// The crossing is dated this long before the fix that settles it. If fixes strayed back and forth, this
  /// date has as much time on the wrong side before it as after it. After a report of the phone whose
  /// position did not count, it starts below 0, by the time from the last position to the report.
  var secondsBeyond = 0.0
  /// In microseconds; the maximum means never.
  private(set) var settlingMicroseconds = Int64.max
  /// The fraction of the way to the next weighed fix at which it crosses the boundary: see ``isCrossed``.
  var fraction = 0.0
  /// The fence's last slot in the index: a guess that saves a search.
  var slot: Int32
  /// What the policy still believes.
  var believesInside: Bool
  /// True if the crossing is on a known way between two fixes.
  var isInterpolated: Bool
  /// True if it arose at the first look at the fence: see ``Transition/isFirstLook``.
  var isFirstLook = false
  /// True if the device only seems to have reached the fence: it got there at some time before the next fix.
  var isReached = false
  /// Set until the fix whose way crosses the boundary is weighed.
  var isCrossed = false

  /// How many seconds to wait at most because a device usually sends rarely: one gap may be twice as long by
  /// chance, but a much later alarm is of little use.
  static let maximumWaitForGaps = 1_800.0

  /// When it is settled if no fix comes before: a device that stops sending on the far side stayed there.
  /// `nil` if silence says nothing.
  var confirmsAt: Instant? {
    get { settlingMicroseconds < .max ? Instant(microseconds: settlingMicroseconds) : nil }
    set { settlingMicroseconds = newValue?.microseconds ?? .max }
  }

  init(fence: FenceID, slot: Int32 = -1, believesInside: Bool, isInterpolated: Bool) {
    self.fence = fence
    self.slot = slot
    self.believesInside = believesInside
    self.isInterpolated = isInterpolated
  }

  /// The log likelihood ratio of a fix that is `deviations` standard deviations beyond a boundary: how much
  /// more probable it is if the device is beyond than if it is not. ln(Φ(z)/Φ(-z)).
  ///
  /// Source: E. Page, "Approximating to the cumulative normal function and its inverse for use on a pocket
  /// calculator", Applied Statistics 26 (1977). Within 0.2 for |z| < 4, and growing beyond.
  static func logLikelihoodRatio(deviations z: Double) -> Double {
    z * (1.5976 + 0.070566 * z * z)
  }

  /// The minimum time in which silence settles a doubt.
  struct Wait: Sendable {
    private let seconds: Double
    private let microseconds: Int64

    init(seconds: Double) {
      self.seconds = seconds
      microseconds = Instant.epoch.adding(seconds: seconds).microseconds
    }

    /// When the wait after `time` ends: after `gaps` seconds if that is longer.
    @inline(__always)
    func time(after time: Instant, gaps: Double) -> Instant {
      if gaps > seconds { return time.adding(seconds: gaps) }
      let (sum, isTooLate) = time.microseconds.addingReportingOverflow(microseconds)
      return isTooLate ? .distantFuture : Instant(microseconds: sum)
    }
  }

  /// Standard deviations, along one axis, in the radius that contains 68 % of a circular normal distribution.
  static let deviationsInAccuracy = 1.51

  /// The most that one fix may add after a jump. Receivers stray for a while, so two fixes that agree are not
  /// enough to leave.
  static let maximumAfterJump = 1.9
}
