/// Why a fix was turned away. The raw values are stable: programs read them.
public enum Rejection: String, Hashable, Sendable, CaseIterable {
  /// It says the time of the fix before.
  case duplicate
  /// It is older than a fix that was admitted.
  case late
  /// Its coordinate is not on the globe, or is the 0,0 of a receiver that has none.
  case badCoordinate = "bad_coordinate"
  /// Its accuracy is worse than ``RobustParameters/maxAccuracy``.
  case imprecise
  /// Its time is so far from that of the fixes before that the clock is doubted.
  case clockJump = "clock_jump"
  /// To be there, the device would have had to go faster than ``RobustParameters/maxSpeed``.
  case impossibleSpeed = "impossible_speed"
}

/// What became of a fix.
public enum Admission: Hashable, Sendable {
  /// It was weighed.
  case admitted
  /// It was turned away.
  case rejected(Rejection)
  /// It was put aside: the next fix may bear it out (``admittedWithHeld(_:)``). If not, it was turned away.
  case held(Rejection)
  /// It was weighed, and so was the fix put aside before it, for this reason, which it bears out.
  case admittedWithHeld(Rejection)
}

/// How many fixes were admitted and turned away.
public struct AdmissionCounts: Hashable, Sendable {
  /// All fixes.
  public private(set) var fixes = 0
  /// Those that were weighed.
  public private(set) var admitted = 0
  private var rejections = [Int](repeating: 0, count: Rejection.allCases.count)

  /// None yet.
  public init() {}

  /// Counts one fix. A held fix counts as turned away until it is borne out.
  public mutating func count(_ admission: Admission) {
    fixes += 1
    switch admission {
    case .admitted:
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

  /// How many were turned away for `reason`.
  public subscript(reason: Rejection) -> Int { rejections[reason.ordinal] }

  /// The reasons for which any were turned away, in the order of their declaration, each with how many.
  public var rejected: [(reason: Rejection, count: Int)] {
    Rejection.allCases.compactMap { self[$0] == 0 ? nil : ($0, self[$0]) }
  }
}

extension Rejection {
  /// Its place among all cases.
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
