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
public struct RobustParameters: Hashable, Sendable {
  /// Metres: fixes of worse accuracy are turned away.
  public var maxAccuracy = 200.0
  /// Metres a second: a device that would have to be faster than this is not believed at once.
  public var maxSpeed = 100.0

  /// The usual settings.
  public init() {}
}
