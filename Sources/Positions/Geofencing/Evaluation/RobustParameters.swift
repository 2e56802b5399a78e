/// The settings of the robust policy.
///
/// Every number is allowed; a bad one only makes the policy accept too much or too little.
public struct RobustParameters: Hashable, Sendable {
  /// Metres past the boundary that say nothing yet. People draw boundaries along walls and kerbs, so a device
  /// a few metres beyond has not arrived. Keep it small: shallower visits go unseen.
  public var cushion = 2.0
  /// Seconds in which the errors of fixes stay alike, so that all fixes in this time count about as one. A
  /// larger value trusts a drift less and takes longer to decide.
  public var hold = 25.0
  /// Seconds in which the errors of fixes that are off by more than ``coarse`` metres stay alike. Such fixes
  /// come from networks, whose errors last minutes.
  public var coarseHold = 120.0
  /// Metres: fixes with larger errors come from a network.
  public var coarse = 60.0
  /// Metres: a fix with a larger error counts only if it is farther from the one before than twice the errors
  /// of both, and says nothing about boundaries within twice its error.
  public var maxAccuracy = 400.0
  /// Metres a second: a fix that needs a faster device is held. A little more than the fastest trains.
  public var maxSpeed = 100.0
  /// Metres a second, over a quarter of an hour and more: a little more than airliners fly with the wind.
  public var flightSpeed = 300.0
  /// Metres a second squared: a fix that needs a faster change of speed is held. More than a car reaches over
  /// some seconds.
  public var maxAcceleration = 3.0
  /// Seconds for which held fixes must agree on a place until another fix confirms them. One held fix alone
  /// counts after a silence only (``silenceBeforeLeaving``).
  public var minimumAgreement = 5.0
  /// The log odds needed to leave: 5 is 148 to 1, a little more than one fix can add, because it may be a
  /// stray.
  public var certainty = 5.0
  /// How much less is needed to arrive: a miss is an alarm that never comes.
  public var arrivalEase = 2.2
  /// Small fences need less: this many metres divided by the radius, at most 2. A fix can be no deeper in a
  /// fence than its radius, so in a small one each fix adds little; and few strays hit it.
  public var smallFence = 100.0
  /// The log odds needed for a fence that includes passing, if the device moves: one good fix inside.
  public var passingCertainty = 1.0
  /// How much less is needed for each e-fold of the usual gap over ``denseGap``. With rare fixes, a crossing
  /// between two is normal, and the next fix may be too late.
  public var sparseEase = 0.9
  /// Seconds between fixes up to which the full certainty is required.
  public var denseGap = 30.0
  /// Seconds between fixes from which a device is assumed to go on a little after a fix.
  public var sparseGap = 200.0
  /// Metres a second: how far such a device goes on, for each second of the usual gap, at most
  /// ``maximumReach``.
  public var reachPerSecond = 1.0 / 15
  /// Metres: the farthest that a device with rare fixes is assumed to go on after a fix.
  public var maximumReach = 30.0
  /// The share of fixes that may be anywhere, independent of their claim.
  public var strays = 0.015
  /// The share of strays among the first fixes after a silence: at least ``silence`` seconds and four usual
  /// gaps.
  public var straysAfterSilence = 0.058
  /// Seconds without a fix that count as a silence.
  public var silence = 300.0
  /// Seconds without a fix after which a device has arrived where it was last. Phones stop sending when they
  /// stand.
  public var silenceBeforeArriving = 60.0
  /// Seconds without a fix after which a device has left, if its last fix was outside: longer than most
  /// receivers stray.
  public var silenceBeforeLeaving = 180.0
  /// The log odds needed before silence can show that a device has left: 1 is 2.7 to 1.
  public var silenceLeavingEvidence = 1.0
  /// The usual gaps between fixes that silence must last before it shows an arrival or a departure; never
  /// more than half an hour.
  public var silenceGaps = 2.0
  /// Metres a second: a faster device has gone on, unless it reports that it does not move.
  public var silenceSpeed = 12.0
  /// Metres a second: a device that was slower before a silence stood, and left at its end at this speed.
  public var walkingPace = 1.4
  /// Metres: the accuracy of fixes without one.
  public var assumedAccuracy = 20.0
  /// Metres: no fix counts as more accurate. Phones often claim 5 m too early.
  public var minAccuracy = 10.0

  /// The usual settings.
  public init() {}
}
