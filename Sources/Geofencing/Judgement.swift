public import Spatiotemporal

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
    /// No fix came for a while, and the last one was beyond the boundary: the device has crossed it.
    case ripened
    /// The fix is just outside of the fence, and the device will have gone on before it says where it is again.
    case reached
    /// The phone watches this very fence, and says that it crossed the boundary.
    case believed
  }

  /// What is special about a fix.
  public struct Circumstances: OptionSet, Hashable, Sendable {
    /// A bit for each.
    public var rawValue: UInt8
    /// Those of some bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It came soon after a jump, and may add little.
    public static let jump = Circumstances(rawValue: 1)
    /// It is the first one after a silence, and more often a stray than others are.
    public static let silence = Circumstances(rawValue: 2)
    /// It repeats the coordinate of the one before to the last digit, and adds nothing.
    public static let repetition = Circumstances(rawValue: 4)
    /// The device lies still, and settles nothing.
    public static let rest = Circumstances(rawValue: 8)
    /// The phone itself says that it came, went or stays, and counts in full.
    public static let verdict = Circumstances(rawValue: 16)
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
  /// The evidence that settles it, as log odds; infinite where none does as the device lies still.
  public var needed: Double
  /// What was special about the fix.
  public var circumstances: Circumstances
  /// How it ended.
  public var outcome: Outcome
}
