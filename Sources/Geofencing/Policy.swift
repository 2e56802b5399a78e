/// What counts as having crossed a boundary.
public enum Policy: Hashable, Sendable {
  /// What each fix says, to the letter: for data that is clean already.
  case exact
  /// What a user would call having arrived or left.
  case robust(RobustParameters)

  /// The robust policy with its usual parameters.
  public static let robust = Policy.robust(RobustParameters())
}

/// The settings of the robust policy.
///
/// Each may be any number: one that makes no sense only makes the policy too credulous or too deaf.
public struct RobustParameters: Hashable, Sendable {
  /// Metres past the boundary that say nothing yet. Boundaries are drawn by hand, along walls and kerbs: a
  /// device a few metres beyond one has not arrived. Deeper visits only are seen, so it costs little to keep small.
  public var cushion = 2.0
  /// Seconds for which the errors of fixes stay alike, so that all fixes within it count about as one. A longer hold trusts a
  /// drift less and takes longer to be sure.
  public var hold = 25.0
  /// The same for fixes that are off by more than ``coarse`` metres: they come from networks, which err alike for minutes.
  public var coarseHold = 120.0
  /// Metres: what is off by more comes from a network.
  public var coarse = 60.0
  /// Metres: fixes that are off by more are turned away.
  public var maxAccuracy = 400.0
  /// Metres a second: a device that would have to be faster than this is not believed at once. A little
  /// more than the fastest trains.
  public var maxSpeed = 100.0
  /// Metres a second squared: nor is one that would have to gain or lose speed faster than this. More than
  /// a car can over some seconds.
  public var maxAcceleration = 3.0
  /// Seconds over which fixes must agree on a place that seems impossible until it is believed: longer than
  /// a receiver's stray fixes last.
  public var jumpHold = 5.0
  /// The log odds at which it is sure that a device has left: 5 is 148 to 1, a little more than one fix can say, as it may be
  /// a stray one.
  public var certainty = 5.0
  /// By how much less it is sure enough of an arrival: a miss is an alarm that never comes.
  public var arrivalEase = 2.2
  /// Small fences need less: so many metres, divided by the radius, and 2 at most. A fix can be no deeper in a fence than its
  /// radius, so in a small one no fix says much; and few strays hit it.
  public var smallFence = 100.0
  /// What is enough for a fence that sees who passes, where the device moves: one good fix inside.
  public var passingCertainty = 1.0
  /// How much less is needed for each e-fold of the usual gap over ``denseGap``: where fixes are rare, a crossing between two
  /// is nothing unusual, and the next one may be too late.
  public var sparseEase = 0.9
  /// Seconds between fixes up to which the full certainty is asked for.
  public var denseGap = 30.0
  /// Seconds between fixes from which on a device is taken to go on a little way after a fix.
  public var sparseGap = 200.0
  /// Metres a second: how far it goes on, for each second of the usual gap, and at most ``longestReach``.
  public var reachPerSecond = 1.0 / 15
  /// Metres.
  public var longestReach = 30.0
  /// The share of fixes that are anywhere at all, whatever they claim.
  public var strays = 0.015
  /// The same for the first fix after a silence of ``silence`` seconds and four usual gaps.
  public var straysAfterSilence = 0.058
  /// The same for a fix that repeats the coordinate of the one before to the last digit.
  public var straysOfRepeats = 0.07
  /// Seconds.
  public var silence = 300.0
  /// Seconds without a fix after which a device has arrived where it was last. Phones stop sending once they stand.
  public var ripening = 60.0
  /// The same to have left: longer than most stray spells last.
  public var leaveRipening = 180.0
  /// The log odds that must speak for it: 1 is 2.7 to 1.
  public var leaveRipeningEvidence = 1.0
  /// How many usual gaps it must be at least, but no more than half an hour.
  public var ripeningGaps = 2.0
  /// Metres a second: a device that was faster has gone on, unless it says that it does not move.
  public var ripeningSpeed = 12.0
  /// Metres a second: a device that was slower before a silence stood, and went on its way at its end, as fast as this.
  public var walkingPace = 1.4
  /// Metres: the accuracy of fixes that don't state one.
  public var assumedAccuracy = 20.0
  /// Metres: no fix is taken to be more accurate than this. Phones say 5 m as soon as they are pleased with themselves.
  public var minAccuracy = 10.0

  /// The usual settings.
  public init() {}
}
