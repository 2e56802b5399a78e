/// Why a fix was rejected. The raw values are stable: programs read them.
public enum Rejection: String, Hashable, Sendable, CaseIterable {
  /// It has the same time as the fix before.
  case duplicate
  /// It is older than a fix that was admitted.
  case late
  /// Its coordinate is not on the globe, or is 0,0, which receivers without a position send.
  case badCoordinate = "bad_coordinate"
  /// Its accuracy is worse than ``RobustParameters/maxAccuracy``.
  case imprecise
  /// Its time is so far from the fixes before that its clock seems wrong.
  case clockJump = "clock_jump"
  /// To get there, the device would have needed more than ``RobustParameters/maxSpeed``.
  case impossibleSpeed = "impossible_speed"
}

/// What happened to a fix.
public enum Admission: Hashable, Sendable {
  /// It was weighed.
  case admitted
  /// It was rejected.
  case rejected(Rejection)
  /// It was set aside until another fix confirms it (``admittedWithHeld(_:)``). Otherwise it stays rejected.
  case held(Rejection)
  /// It came after later ones, and was weighed with the state from before the last silence.
  case admittedLate
  /// It was weighed and confirms the fix that was set aside before it for this reason. That one was weighed
  /// too.
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
      admitted += 2
      rejections[reason.ordinal] -= 1
    }
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
    }
  }
}
