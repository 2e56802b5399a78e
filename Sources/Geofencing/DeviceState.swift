public import CalendarModel
public import Geodesy

/// What must be remembered of one device between two fixes.
///
/// It holds no list of the fences that the device is in: those are the ones that contain ``lastFix``, but for
/// the few that the robust policy has not made up its mind about. So a fence that the device is far from, inside or
/// outside, costs nothing, and a device at rest costs the size of this value. Ask
/// ``FenceEvaluator/isInside(_:_:)`` for what it means.
///
/// A state belongs to the policy that made it; under the other one it goes on from its last fix.
public struct DeviceState: Sendable {
  /// A fix that was admitted, as far as it is remembered.
  public struct LastFix: Hashable, Sendable {
    /// When.
    public var time: Instant
    /// Where.
    public var coordinate: Coordinate
    /// Its accuracy in metres; `nil` where not known.
    public var accuracy: Double?
  }

  // What each fix looks at comes first, within two or three lines of the processor's cache.

  /// The last fix that was admitted; `nil` before the first.
  public internal(set) var lastFix: LastFix?
  /// How many more fixes are weighed with caution, after a step that the speed before did not foretell.
  var caution: UInt8 = 0
  /// The boundaries that the robust policy has not made up its mind about.
  var doubts: [Doubt] = []
  /// See ``held``: one or none, and a pointer only.
  private var heldFixes: [HeldFixes] = []
  /// The square of the last step's metres, and its seconds: most steps don't ask for the speed.
  private var lastSquare = 0.0
  private var lastSeconds = 1.0
  /// The longest time between two fixes so far, in seconds.
  var longestGap = 0.0
  /// How far it may go before a boundary matters.
  var vicinity = Vicinity()
  /// The revision of the fences that it was weighed against.
  public internal(set) var seenRevision: Int64 = .min

  /// Fixes that agree with one another and not with those before.
  struct HeldFixes: Hashable, Sendable {
    var reason: Rejection
    var first: LastFix
    var latest: LastFix
  }

  /// A device that has not been heard of.
  public init() {}

  /// Fixes that were put aside, to be believed once more bear them out.
  var held: HeldFixes? {
    get { heldFixes.first }
    set { heldFixes = newValue.map { [$0] } ?? [] }
  }

  /// True where fixes were put aside.
  @inline(__always)
  var isHolding: Bool { !heldFixes.isEmpty }

  /// Metres a second over the last step.
  var speed: Double {
    // Squared and rooted again it is the same number, so saving it changes nothing.
    get { lastSquare.squareRoot() / lastSeconds }
    set {
      lastSquare = newValue * newValue
      lastSeconds = 1
    }
  }

  /// True where nothing is under way that the next fix would have to go on with.
  @inline(__always)
  var isAtEase: Bool { caution == 0 && doubts.isEmpty && heldFixes.isEmpty }

  /// Notes the speed of a step, of so many metres squared.
  @inline(__always)
  mutating func noteSpeed(square: Double, seconds: Double) {
    lastSquare = square
    lastSeconds = seconds
  }
}

extension DeviceState: Equatable {
  /// True where both go on alike: where they are saved as the same bytes.
  public static func == (a: DeviceState, b: DeviceState) -> Bool {
    a.encoded() == b.encoded()
  }
}
