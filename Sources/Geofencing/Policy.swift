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
  /// Seconds for which the errors of fixes stay alike, so that all fixes within it count about as one. A receiver
  /// among buildings drifts over some 20 to 60 s; a longer hold trusts a drift less and takes longer to be sure.
  public var hold = 25.0
  /// Metres: fixes of worse accuracy are turned away. Network positions tell no house from the next, and their
  /// stated accuracy is the least reliable.
  public var maxAccuracy = 200.0
  /// Metres a second: a device that would have to be faster than this is not believed at once. A little
  /// more than the fastest trains.
  public var maxSpeed = 100.0
  /// Metres a second squared: nor is one that would have to gain or lose speed faster than this. More than
  /// a car can over some seconds.
  public var maxAcceleration = 3.0
  /// Seconds over which fixes must agree on a place that seems impossible until it is believed: longer than
  /// a receiver's stray fixes last.
  public var jumpHold = 5.0
  /// The log odds at which it is sure: 4 is 55 to 1.
  public var certainty = 4.0
  /// Metres: the accuracy of fixes that don't state one.
  public var assumedAccuracy = 20.0
  /// Metres: no fix is taken to be more accurate than this. Phones say 5 m as soon as they are pleased with themselves.
  public var minAccuracy = 10.0

  /// The usual settings.
  public init() {}
}
