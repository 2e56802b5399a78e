import FencepostGeodesy
import FencepostSpatiotemporal

#if canImport(Glibc)
  import Glibc
#endif

extension FenceEvaluator {
  /// Accepts a fix that the robust policy surely has no objection to, as most are. Otherwise returns false
  /// and changes nothing.
  ///
  /// This only saves work (a quarter to a third of that of a fix among 1,000 fences):
  /// ``evaluateRobustly(_:state:into:_:)`` does the same with such a fix. Nearly all fixes of a long trace
  /// are like this, so a few quick tests select them.
  @inline(__always)
  func passesQuietly(_ fix: Fix, _ state: inout DeviceState) -> Bool {
    guard let last = state.lastFix, state.isAtEase, fix.verdict == nil,
      state.vicinity.covers(fix.coordinate, version: index.fences.pointee.version),
      abs(fix.coordinate.latitude) < FenceEvaluator.maximumLatitude, fix.coordinate.latitude != 0,
      abs(fix.coordinate.longitude) <= 180,
      let accuracy = plainAccuracy(of: fix)
    else { return false }
    let seconds = fix.time.seconds(since: last.time)
    guard accuracy <= parameters.maxAccuracy, seconds > 0, seconds <= state.maximumGap,
      seconds < parameters.silence
    else { return false }
    // The vicinity is small, and the last fix is in it too.
    let square = Step.shortSquare(from: last.coordinate, to: fix.coordinate)
    let slack = accuracy + (last.accuracy ?? 0)
    // The minimum that ``objection(to:speed:maximumGap:)`` and ``beCautious(_:_:)`` accept from a standstill.
    let easy =
      slack
      + min(
        min(parameters.maxSpeed * seconds, parameters.maxAcceleration * seconds * seconds / 2),
        slack + 2 * seconds)
    let usualGap = state.usualGap(after: seconds)
    guard easy >= 0, square <= easy * easy, usualGap < parameters.sparseGap else { return false }
    let this = DeviceState.LastFix(time: fix.time, coordinate: fix.coordinate, accuracy: accuracy)
    state.usualGap = usualGap
    if square > 0 || fix.coordinate != last.coordinate { state.coordinateSince = fix.time }
    state.updateRest(this)
    state.noteSpeed(square: square, seconds: seconds)
    state.lastFix = this
    return true
  }

  /// Up to this latitude, a vicinity is less than a degree of longitude wide.
  private static let maximumLatitude = 80.0

  /// The accuracy in metres used for a fix; `nil` if it depends on who claims it.
  @inline(__always)
  private func plainAccuracy(of fix: Fix) -> Double? {
    guard let claim = fix.horizontalAccuracy, claim > 0 else { return parameters.assumedAccuracy }
    guard claim <= ClaimTable.plain else { return nil }
    return claim > parameters.minAccuracy ? claim : parameters.minAccuracy
  }

  /// The accuracy in metres used for a fix, for all claims.
  private func weighedAccuracy(of fix: Fix, _ claims: inout ClaimHabit) -> Double {
    if let accuracy = plainAccuracy(of: fix) { return accuracy }
    return max(claims.error(ofClaim: fix.horizontalAccuracy ?? 0), parameters.minAccuracy)
  }

  /// The robust policy: admits or rejects the fix, then weighs it.
  func evaluateRobustly(
    _ fix: Fix, state: inout DeviceState, into transitions: inout [Transition],
    _ observer: ((Judgement) -> Void)?
  ) -> Admission {
    // Receivers without a position send 0,0.
    guard fix.coordinate.isValid, fix.coordinate.latitude != 0 || fix.coordinate.longitude != 0 else {
      return .rejected(.badCoordinate)
    }
    var claims = state.claims
    let accuracy = weighedAccuracy(of: fix, &claims)
    guard accuracy <= parameters.maxAccuracy else { return .rejected(.imprecise) }
    let this = DeviceState.LastFix(time: fix.time, coordinate: fix.coordinate, accuracy: accuracy)

    guard let last = state.lastFix else {
      state.claims = claims
      state.updateRest(this)
      state.coordinateSince = fix.time
      state.lastFix = this
      let first = transitions.count
      lookAtNewFences(fix, state: &state, into: &transitions)
      applyFirstEntry(fix, accuracy: accuracy, state: state, into: &transitions, observer)
      if transitions.count > first + 1 { order(&transitions[first...]) }
      return .admitted
    }
    let step = Step(from: last, to: this)
    guard let reason = objection(to: step, speed: state.speed, maximumGap: state.maximumGap) else {
      state.claims = claims
      admit(fix, this, step, state: &state, into: &transitions, observer)
      // After a visit the device is elsewhere.
      if fix.verdict?.kind == .departure { state.rest = .nowhere }
      return .admitted
    }
    if reason == .late, weighLate(fix, state: &state, into: &transitions, observer) { return .admittedLate }
    return putAside(fix, this, step, reason, state: &state, into: &transitions, observer)
  }

  /// Weighs a fix that can follow the one before, and keeps what later fixes from before it need.
  @inline(__always)
  private func admit(
    _ fix: Fix, _ this: DeviceState.LastFix, _ step: Step, state: inout DeviceState,
    into transitions: inout [Transition], _ observer: ((Judgement) -> Void)?
  ) {
    if step.seconds >= parameters.silence { keepPast(of: &state, until: this.time) }
    if state.isHolding { state.held = nil }
    let first = transitions.count
    weigh(fix, this, step, state: &state, into: &transitions, observer)
    if state.hasPast { noteReported(transitions[first...].filter { $0.source != .silence }[...], &state) }
  }

  /// Decides about a fix that can't follow the one before.
  @inline(never)
  private func putAside(
    _ fix: Fix, _ this: DeviceState.LastFix, _ step: Step, _ reason: Rejection, state: inout DeviceState,
    into transitions: inout [Transition], _ observer: ((Judgement) -> Void)?
  ) -> Admission {
    guard reason == .clockJump || reason == .impossibleSpeed else { return .rejected(reason) }
    var aside = DeviceState.HeldFixes(reason: reason, first: this, latest: this)
    if var held = state.held {
      let objection = objection(
        to: Step(from: held.latest, to: this), speed: parameters.maxSpeed, maximumGap: state.maximumGap)
      if let objection, objection == .duplicate || objection == .late { return .rejected(objection) }
      if objection == nil {
        // Strays jump farther than the device can have gone since the last believed fix. A phone underground
        // repeats its last coordinate, so count from when it first sent that.
        let seconds = max(step.seconds, fix.time.seconds(since: state.coordinateSince))
        let isReachable = step.metres <= step.slack + farthest(in: seconds)
        if held.reason == .clockJump
          || isReachable && fix.time.seconds(since: held.first.time) >= parameters.jumpHold
        {
          acceptHeld(held, fix, state: &state, into: &transitions, observer)
          admit(fix, this, Step(from: held.first, to: this), state: &state, into: &transitions, observer)
          return .admittedWithHeld(held.reason)
        }
        held.latest = this
        aside = held
      }
    }
    state.held = aside
    keepFromRipening(at: this.coordinate, &state)
    return .held(reason)
  }

  /// Lets no doubt ripen that a held fix contradicts: the fix before may be the stray. Phones send again
  /// soon after a stray, so a silence after the held fix speaks for it.
  private func keepFromRipening(at coordinate: Coordinate, _ state: inout DeviceState) {
    guard state.ripensAt != nil else { return }
    for place in state.doubts.indices
    where index.contains(state.doubts[place].fence, coordinate) == state.doubts[place].believesInside {
      state.doubts[place].ripensAt = nil
    }
    state.updateRipening()
  }

  /// Why a fix can't follow another; `nil` if it can.
  @inline(__always)
  private func objection(
    to step: Step, speed: @autoclosure () -> Double, maximumGap: Double
  ) -> Rejection? {
    let seconds = step.seconds
    if seconds <= 0 {
      // Far back: a clock that was months ahead was corrected. A smaller step is a fix that was delayed.
      return seconds == 0 ? .duplicate : seconds < -FixOrder.clockSetBack ? .clockJump : .late
    }
    if seconds > max(FenceEvaluator.maximumUsualGap, 2 * maximumGap) { return .clockJump }
    let gained = parameters.maxAcceleration * seconds * seconds / 2
    // Possible even from a standstill, so the speed is not needed.
    let easy = step.slack + min(parameters.maxSpeed * seconds, gained)
    if step.square <= easy * easy { return nil }
    let farthest = min(farthest(in: seconds), speed() * seconds + gained)
    return step.metres > step.slack + farthest ? .impossibleSpeed : nil
  }

  /// How many metres a device can go in some seconds: on the ground, or in the time of a flight through the
  /// air.
  private func farthest(in seconds: Double) -> Double {
    let isFlight = seconds >= FenceEvaluator.minimumFlight
    return
      (isFlight ? max(parameters.maxSpeed, parameters.flightSpeed) : parameters.maxSpeed)
      * seconds
  }

  /// The seconds in which a train goes farther than phones stray.
  private static let minimumFlight = 1_000.0

  /// After this many seconds without a fix the next fix's clock is doubted, unless such a gap occurred
  /// before.
  private static let maximumUsualGap = 86_400.0

  /// Weighs the first of the held fixes. After a clock jump the way to it is unknown.
  private func acceptHeld(
    _ held: DeviceState.HeldFixes, _ fix: Fix, state: inout DeviceState,
    into transitions: inout [Transition], _ observer: ((Judgement) -> Void)?
  ) {
    var first = fix
    first.time = held.first.time
    first.coordinate = held.first.coordinate
    first.horizontalAccuracy = held.first.accuracy
    first.startsSegment = held.reason == .clockJump
    state.held = nil
    guard let last = state.lastFix else { return }
    admit(
      first, held.first, Step(from: last, to: held.first), state: &state, into: &transitions, observer)
  }
}
