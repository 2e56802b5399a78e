public import FencepostSpatiotemporal

/// Why a fix was rejected, or held until others or silence confirm it. The raw values are stable: programs read them.
public enum Rejection: String, Hashable, Sendable, CaseIterable {
  /// It has the same time as the fix before, and is not better.
  case duplicate
  /// It is older than a fix that was admitted, and not from a silence that it can fill.
  case late
  /// Its coordinate is not on the globe, or is 0,0, which receivers without a position send.
  case badCoordinate = "bad_coordinate"
  /// Its error is more than ``RobustParameters/maxAccuracy``, and it is not clearly elsewhere.
  case imprecise
  /// More than a day later, or 30 days earlier, than the fix before, so that one of the clocks seems wrong.
  case clockJump = "clock_jump"
  /// To get there, the device would have needed more than ``RobustParameters/maxSpeed`` or
  /// ``RobustParameters/maxAcceleration``.
  case impossibleSpeed = "impossible_speed"
  /// The device was at rest, and this fix alone puts it farther away than it could have walked; a precise one,
  /// than a car goes.
  case unconfirmed
}

/// What happened to a fix.
public enum Admission: Hashable, Sendable {
  /// It was weighed.
  case admitted
  /// It was rejected.
  case rejected(Rejection)
  /// It was set aside until another fix (``admittedWithHeld(_:)``) or silence confirms it. Otherwise it stays
  /// rejected.
  case held(Rejection)
  /// It came after later ones, and was weighed with the state from before the last silence.
  case admittedLate
  /// It was weighed, and so was the fix that was set aside before it for this reason: this one, or the silence
  /// before it, confirms it.
  case admittedWithHeld(Rejection)

  /// Whether the fix was weighed, and is the device's last one.
  public var isAdmission: Bool {
    switch self {
    case .admitted, .admittedWithHeld: true
    case .admittedLate, .rejected, .held: false
    }
  }
}

/// How many fixes were admitted and rejected.
public struct AdmissionCounts: Hashable, Sendable {
  /// All fixes.
  public private(set) var fixes = 0
  /// The weighed fixes.
  public private(set) var admitted = 0
  private var rejections = [Int](repeating: 0, count: Rejection.allCases.count)

  /// No fixes yet.
  public init() {}

  /// Counts one fix. A held fix counts as rejected until it is confirmed.
  public mutating func count(_ admission: Admission) {
    fixes += 1
    switch admission {
    case .admitted, .admittedLate:
      admitted += 1
    case .rejected(let reason), .held(let reason):
      rejections[reason.ordinal] += 1
    case .admittedWithHeld(let reason):
      admitted += 1
      confirm(reason)
    }
  }

  /// Counts a held fix that was confirmed, by a later fix or by silence.
  public mutating func confirm(_ reason: Rejection) {
    admitted += 1
    rejections[reason.ordinal] -= 1
  }

  /// Adds the counts of other devices.
  public mutating func add(_ other: AdmissionCounts) {
    fixes += other.fixes
    admitted += other.admitted
    for index in rejections.indices { rejections[index] += other.rejections[index] }
  }

  /// How many were rejected for `reason`.
  public subscript(reason: Rejection) -> Int { rejections[reason.ordinal] }

  /// The reasons that occurred, in the order of their declaration, with their counts.
  public var rejected: [(reason: Rejection, count: Int)] {
    Rejection.allCases.compactMap { self[$0] == 0 ? nil : ($0, self[$0]) }
  }
}

extension Rejection {
  /// Its position among all cases.
  var ordinal: Int {
    switch self {
    case .duplicate: 0
    case .late: 1
    case .badCoordinate: 2
    case .imprecise: 3
    case .clockJump: 4
    case .impossibleSpeed: 5
    case .unconfirmed: 6
    }
  }
}

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
    case settledBySilence = "ripened"
    /// The fix is just outside the fence, and the device will go on before its next fix.
    case reached
    /// The device has arrived in another fence, far from this one: it has left.
    case elsewhere
    /// The phone watches this fence itself, and reports that it crossed the boundary.
    case reportedByPhone = "believed"
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
