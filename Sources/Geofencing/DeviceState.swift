public import Geodesy
public import Spatiotemporal

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
  /// See ``ripensAt``. Kept, as each fix asks for it.
  var nextRipening = Int64.max
  /// See ``held``: one or none, and a pointer only.
  private var heldFixes: [HeldFixes] = []
  /// See ``past``: one or none, and a pointer only.
  private var pasts: [Past] = []
  /// The square of the last step's metres, and its seconds: most steps don't ask for the speed.
  private var lastSquare = 0.0
  private var lastSeconds = 1.0
  /// The longest time between two fixes so far, in seconds.
  var longestGap = 0.0
  /// The usual time between two fixes, in seconds: a running middle, which each gap moves by a quarter at most. 0 before
  /// there was a gap.
  var usualGap = 0.0
  /// Where it stands: nowhere before the first fix, and in a state that was saved by a program that did not keep it.
  var stand = Stand.nowhere
  /// Who makes its claims of accuracy.
  var claims = ClaimHabit()
  /// When the coordinate of the last fix was first said. Repeats of it are no news of where the device is.
  var saidSince = Instant.distantPast
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

  /// What was known of a device before its last silence.
  struct Past: Sendable {
    /// The state then, and after the positions of that time that came late.
    var state: DeviceState
    /// When the silence was over.
    let until: Instant
    /// The crossings that were told of since: those that late positions find again are no news.
    var told: [Told] = []

    /// A crossing, whenever it was.
    struct Told: Hashable, Sendable {
      var fence: FenceID
      var kind: Transition.Kind
    }
  }

  /// A device that has not been heard of.
  public init() {}

  /// Fixes that were put aside, to be believed once more bear them out.
  var held: HeldFixes? {
    get { heldFixes.first }
    set { heldFixes = newValue.map { [$0] } ?? [] }
  }

  /// What was known before the last silence of five minutes and more, for positions of that time that come late.
  var past: Past? {
    get { pasts.first }
    set { pasts = newValue.map { [$0] } ?? [] }
  }

  /// True where there is such a past.
  @inline(__always)
  var hasPast: Bool { !pasts.isEmpty }

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

  /// The usual gap after another one, of so many seconds, more than 0.
  @inline(__always)
  func usualGap(after seconds: Double) -> Double {
    guard usualGap > 0, usualGap != seconds else { return seconds }
    return max(usualGap * (1 / DeviceState.gapStep), min(usualGap * DeviceState.gapStep, seconds))
  }

  private static let gapStep = 1.25

  /// Notes where a fix is, to tell whether the device moves.
  @inline(__always)
  mutating func noteStand(_ fix: LastFix) {
    stand.note(fix.coordinate, accuracy: fix.accuracy ?? 0, at: fix.time)
  }

  /// True where the device lay still when it was last heard from.
  var isResting: Bool {
    guard let lastFix else { return false }
    return stand.isResting(at: lastFix.time)
  }

  /// When the next doubt ripens, where nothing is heard until then: see ``FenceEvaluator/ripen(through:of:state:into:observer:)``.
  public var ripensAt: Instant? {
    nextRipening < .max ? Instant(microseconds: nextRipening) : nil
  }

  /// To be called after a change to when doubts ripen.
  mutating func noteRipening() {
    nextRipening = .max
    for doubt in doubts { nextRipening = min(nextRipening, doubt.ripening) }
  }
}

extension DeviceState: Equatable {
  /// True where both go on alike: where they are saved as the same bytes.
  public static func == (a: DeviceState, b: DeviceState) -> Bool {
    a.encoded() == b.encoded()
  }
}
