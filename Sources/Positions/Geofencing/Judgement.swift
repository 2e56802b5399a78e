public import FencepostSpatiotemporal

/// What the robust policy made of one fix at one boundary. Explains why an alarm went off or did not.
public struct Judgement: Hashable, Sendable {
  /// The result.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// The evidence is enough: the device has crossed the boundary.
    case crossed
    /// There is evidence, but not enough.
    case doubtful
    /// The evidence is used up: the device has not crossed the boundary.
    case dismissed
    /// The way to the fix leads through the fence, not around it.
    case passed
    /// No fix came for a while, and the last one was beyond the boundary: the device has crossed it.
    case ripened
    /// The fix is just outside the fence, and the device will go on before its next fix.
    case reached
    /// The phone watches this fence itself, and reports that it crossed the boundary.
    case believed
    /// The phone watches this fence itself and reports that it is inside, so it did not leave by this fix.
    case overruled
  }

  /// What is special about a fix.
  public struct Circumstances: OptionSet, Hashable, Sendable {
    /// One bit each.
    public var rawValue: UInt8
    /// The circumstances with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It came soon after a jump, and may add only a little.
    public static let jump = Circumstances(rawValue: 1)
    /// It is the first one after a silence, which is a stray more often than others.
    public static let silence = Circumstances(rawValue: 2)
    /// It repeats the coordinate of the one before exactly, and adds nothing.
    public static let repetition = Circumstances(rawValue: 4)
    /// The device is at rest, so the fix settles nothing.
    public static let rest = Circumstances(rawValue: 8)
    /// The phone reports that it came, went or stays. Counts in full.
    public static let verdict = Circumstances(rawValue: 16)
  }

  /// The fence.
  public var fence: FenceID
  /// The time of the weighed fix. A held fix is earlier than the current one.
  public var time: Instant
  /// What the policy believed before.
  public var believedInside: Bool
  /// Metres from the boundary to the fix; negative inside.
  public var depth: Double
  /// The accuracy that was used for the fix, in metres.
  public var accuracy: Double
  /// What the fix added to the evidence, or took away, as log odds.
  public var gain: Double
  /// The evidence as log odds; compare ``RobustParameters/certainty``.
  public var evidence: Double
  /// The evidence needed to settle it, as log odds; infinite if the device is at rest.
  public var needed: Double
  /// What was special about the fix.
  public var circumstances: Circumstances
  /// The result.
  public var outcome: Outcome
}
