public import CalendarModel

/// What the robust policy made of one fix at one boundary, told to whoever asks why an alarm went off or did not.
public struct Judgement: Hashable, Sendable {
  /// How it ended.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// The evidence is enough: the device has crossed the boundary.
    case crossed
    /// There is evidence, and not enough of it.
    case doubtful
    /// The evidence is used up: the device has not crossed the boundary.
    case dismissed
    /// The way to the fix leads through the fence, and not around it.
    case passed
  }

  /// The fence.
  public var fence: FenceID
  /// The time of the fix that was weighed: for one that was held, before that of the fix at hand.
  public var time: Instant
  /// What was believed before.
  public var believedInside: Bool
  /// Metres from the boundary to the fix; negative inside.
  public var depth: Double
  /// Metres: the accuracy that the fix was weighed with.
  public var accuracy: Double
  /// What the fix added to the evidence, or took away, as log odds.
  public var gain: Double
  /// The evidence that there is, as log odds, for ``RobustParameters/certainty`` to be reached.
  public var evidence: Double
  /// True where the fix was weighed with caution, after a jump.
  public var isCautious: Bool
  /// How it ended.
  public var outcome: Outcome
}
