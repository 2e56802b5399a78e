/// What counts as having crossed a boundary.
public enum Policy: Hashable, Sendable {
  /// Every fix counts exactly as it is: for data that is already clean.
  case exact
  /// What a user would call arriving or leaving.
  case robust(RobustParameters)

  /// The robust policy with its usual parameters.
  public static let robust = Policy.robust(RobustParameters())
}
