public import FencepostGeodesy
public import FencepostSpatiotemporal

/// What the evaluator remembers of one device between two fixes.
///
/// It has no list of the fences that the device is in. These are the fences that contain ``lastFix``, except
/// for the few that the robust policy is still in doubt about. So a fence far from the device costs nothing,
/// and a device at rest costs the size of this value. Ask ``FenceEvaluator/isInside(_:_:)`` about a fence.
///
/// A state belongs to the policy that made it. The other policy continues from its last fix.
public struct DeviceState: Sendable {
  /// The remembered part of an admitted fix.
  public struct LastFix: Hashable, Sendable {
    /// When it was taken.
    public var time: Instant
    /// Where it was taken.
    public var coordinate: Coordinate
    /// Its accuracy in metres; `nil` if unknown.
    public var accuracy: Double?
  }

  // Fields that every fix reads come first, so that they share two or three cache lines.

  /// The last fix that was admitted; `nil` before the first.
  public internal(set) var lastFix: LastFix?
  /// How many more fixes to weigh with caution, after a step that the speed before did not suggest.
  var caution: UInt8 = 0
  /// The boundaries that the robust policy has not decided about.
  var doubts: [Doubt] = []
  /// See ``confirmsAt``. Cached, because each fix reads it.
  var nextSettling = Int64.max
  /// See ``held``: at most one. An array, because it takes only a pointer here.
  private var heldFixes: [HeldFixes] = []
  /// The states before the last silences of at least five minutes, and before the first fix, for late
  /// positions from then; the earliest first. They have no pasts of their own.
  var pasts: [Past] = []
  /// The square of the metres of the last step, and its seconds; see ``speed``.
  private var stepSquare = 0.0
  private var stepSeconds = 1.0
  /// The longest time between two fixes until now, in seconds.
  var maximumGap = 0.0
  /// The usual time between two fixes, in seconds: a running median that each gap moves by a quarter at most.
  /// 0 before the first gap.
  var usualGap = 0.0
  /// Where the device rests; ``RestPlace/nowhere`` before the first fix, and in states from older programs.
  var rest = RestPlace.nowhere
  /// Who makes its accuracy claims.
  var claims = ClaimHabit()
  /// When the device first sent the coordinate of the last fix. Repeats give no new information.
  var coordinateSince = Instant.distantPast
  /// How far the device may go before a boundary matters.
  var vicinity = Vicinity()
  /// The revision of the fences that the device was last compared with.
  public internal(set) var seenRevision: Int64 = .min
  /// When ``pasts`` that are open are closed; the largest number if none is.
  var closesLateAt = Int64.max
  /// Up to which revision presence at the last fix was reported, if that is more than ``seenRevision``.
  var presenceRevision: Int64 = .min
  /// Whether ``markSaved()`` was called. Then ``changes`` are what changed since.
  var isSaved = false
  /// The numbers of ``pasts`` that were removed since.
  var endedSilences: [Int64] = []

  /// Fixes that agree with each other, but not with the fixes before.
  struct HeldFixes: Hashable, Sendable {
    var reason: Rejection
    var first: LastFix
    var latest: LastFix
    /// When silence confirms them; `nil` if it does not.
    var confirmsAt: Instant?
  }

  /// The state of a device before a silence, for late positions from that time.
  struct Past: Sendable {
    /// Identifies it among those of a device.
    let number: Int64
    /// The state then. Late positions from before its last fix no longer count.
    var state: DeviceState { didSet { isChanged = true } }
    /// When the silence ended.
    let until: Instant
    /// The fix that ended it; `nil` in states from older programs.
    var end: LastFix?
    /// True if the late fixes end on another side of a boundary than that fix.
    var isOpen = false { didSet { isChanged = true } }
    /// The late fixes from that time, in order. They are weighed again if an older one comes.
    var late: [Fix] = []
    /// The crossings reported since. Late positions that find one of them again report nothing.
    var reported: [Reported] = [] { didSet { isChanged = true } }
    /// Whether anything but ``late`` has changed since it was saved.
    var isChanged = true
    /// The times of ``late`` fixes that came since then.
    var unsaved: [Instant] = []
    /// Late fixes up to this time were settled since then.
    var settledThrough: Instant?
    /// See ``tip``: at most one. An array, because a value can't contain itself.
    private var tips: [Tip] = []

    init(number: Int64, state: DeviceState, until: Instant, end: LastFix?) {
      self.number = number
      self.state = state
      self.until = until
      self.end = end
    }

    /// A crossing, at any time.
    struct Reported: Hashable, Sendable {
      var fence: FenceID
      var kind: Transition.Kind
    }

    /// The state after the late fixes, and the crossings that they led to.
    struct Tip: Sendable {
      var state: DeviceState
      var found: [Reported] = []
    }

    /// Saves work if the next late fix comes in order. Not part of the saved state.
    var tip: Tip? {
      get { tips.first }
      set { tips = newValue.map { [$0] } ?? [] }
    }

    /// Whether a late position of `time` counts.
    func includes(_ time: Instant) -> Bool {
      time < until && state.lastFix.map { time > $0.time } ?? true
    }
  }

  /// A new device, without any fix.
  public init() {}

  /// Fixes that were set aside until more fixes confirm them.
  var held: HeldFixes? {
    get { heldFixes.first }
    set { heldFixes = newValue.map { [$0] } ?? [] }
  }

  /// The latest position that was set aside until more confirm it, and why; `nil` without one.
  public var heldPosition: (fix: LastFix, reason: Rejection)? { held.map { ($0.latest, $0.reason) } }

  /// When the first of the positions was taken that agree with ``heldPosition``; `nil` without one.
  public var heldSince: Instant? { held?.first.time }

  /// When silence confirms ``heldPosition``, by the device's clock; `nil` if it does not.
  public var heldConfirmsAt: Instant? { held?.confirmsAt }

  /// Whether ``lastFix`` is the only fix that ever counted: it may be the stray.
  var isUnproven: Bool { usualGap == 0 && lastFix != nil }

  /// True if late positions may count.
  @inline(__always)
  var hasPast: Bool { !pasts.isEmpty }

  /// True if fixes were set aside.
  @inline(__always)
  var isHolding: Bool { !heldFixes.isEmpty }

  /// True if the next fix need not continue anything.
  @inline(__always)
  var isAtEase: Bool { caution == 0 && doubts.isEmpty && heldFixes.isEmpty }

  /// Metres a second over the last step. Computed when it is needed: few fixes need it, and the root and the
  /// quotient would be a quarter of the work of all others.
  @inline(__always)
  var speed: Double { stepSquare.squareRoot() / stepSeconds }

  /// The square of the metres of the last step, and its seconds.
  var lastStep: (square: Double, seconds: Double) { (stepSquare, stepSeconds) }

  /// Records the last step, by the square of its metres and its seconds, more than 0.
  @inline(__always)
  mutating func noteSpeed(square: Double, seconds: Double) {
    stepSquare = square
    stepSeconds = seconds
  }

  /// The usual gap after another gap of `seconds`, more than 0.
  @inline(__always)
  func usualGap(after seconds: Double) -> Double {
    guard usualGap > 0, usualGap != seconds else { return seconds }
    return max(usualGap * (1 / DeviceState.gapStep), min(usualGap * DeviceState.gapStep, seconds))
  }

  private static let gapStep = 1.25

  /// Records where a fix is, to detect whether the device moves.
  @inline(__always)
  mutating func updateRest(_ fix: LastFix) {
    rest.add(fix.coordinate, accuracy: fix.accuracy ?? 0, at: fix.time)
  }

  /// True if the device was at rest at its last fix.
  var isResting: Bool {
    guard let lastFix else { return false }
    return rest.isResting(at: lastFix.time)
  }

  /// When silence settles the next doubt if no fix comes: see
  /// ``FenceEvaluator/settleBySilence(through:of:state:into:observer:)``.
  public var confirmsAt: Instant? {
    nextSettling < .max ? Instant(microseconds: nextSettling) : nil
  }

  /// Call this after a change to when silence settles doubts.
  mutating func updateSettling() {
    nextSettling = closesLateAt
    for doubt in doubts { nextSettling = min(nextSettling, doubt.settlingMicroseconds) }
    if let confirmsAt = held?.confirmsAt { nextSettling = min(nextSettling, confirmsAt.microseconds) }
  }
}

extension DeviceState: Equatable {
  /// True if both are saved as the same bytes, and so behave alike.
  public static func == (a: DeviceState, b: DeviceState) -> Bool {
    a.encoded() == b.encoded()
  }
}

extension DeviceState {
  /// Where a device is believed to be.
  public struct Presence: Hashable, Sendable {
    /// The fences that it is certainly in.
    public var inside: Set<FenceID>
    /// The fences that the policy has not decided about. True: still believed to be inside.
    public var doubted: [FenceID: Bool]

    /// A presence with these fences.
    public init(inside: Set<FenceID> = [], doubted: [FenceID: Bool] = [:]) {
      self.inside = inside
      self.doubted = doubted
    }
  }

  /// The fences that the device is believed to be in.
  ///
  /// For fences without doubt, the last admitted fix decides.
  ///
  /// - Parameter index: must include the fences that contain the last position.
  public func presence(among index: FenceIndex) -> Presence {
    var presence = Presence()
    if let lastFix { presence.inside = Set(index.fences(containing: lastFix.coordinate)) }
    for doubt in doubts {
      presence.inside.remove(doubt.fence)
      presence.doubted[doubt.fence] = doubt.believesInside
    }
    return presence
  }
}
