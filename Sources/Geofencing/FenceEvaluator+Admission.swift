import Geodesy
import Spatiotemporal

#if canImport(Glibc)
  import Glibc
#endif

extension FenceEvaluator {
  /// Takes in a fix that the robust policy has nothing to say about, as most are; false, and nothing is changed, where it
  /// may have.
  ///
  /// Only saves work: what ``evaluateRobustly(_:state:into:_:)`` does about such a fix is the same. Those are nearly all
  /// that a long trace has, so what is asked here is what they have in common, with few questions.
  @inline(__always)
  func passesQuietly(_ fix: Fix, _ state: inout DeviceState) -> Bool {
    guard let last = state.lastFix, state.isAtEase, fix.verdict == nil,
      state.vicinity.covers(fix.coordinate, version: index.fences.pointee.version),
      abs(fix.coordinate.latitude) < FenceEvaluator.farthestFromEquator, fix.coordinate.latitude != 0,
      abs(fix.coordinate.longitude) <= 180,
      let accuracy = plainAccuracy(of: fix)
    else { return false }
    let seconds = fix.time.seconds(since: last.time)
    guard accuracy <= parameters.maxAccuracy, seconds > 0, seconds <= state.longestGap,
      seconds < parameters.silence
    else { return false }
    // What the vicinity covers is near, and the last fix is in it too.
    let square = Step.shortSquare(from: last.coordinate, to: fix.coordinate)
    let slack = accuracy + (last.accuracy ?? 0)
    // The least of what ``objection(to:speed:longestGap:)`` and ``beCautious(_:_:)`` let pass from a stand.
    let easy =
      slack
      + min(
        min(parameters.maxSpeed * seconds, parameters.maxAcceleration * seconds * seconds / 2),
        slack + 2 * seconds)
    let usualGap = state.usualGap(after: seconds)
    guard easy >= 0, square <= easy * easy, usualGap < parameters.sparseGap else { return false }
    let this = DeviceState.LastFix(time: fix.time, coordinate: fix.coordinate, accuracy: accuracy)
    state.usualGap = usualGap
    if square > 0 || fix.coordinate != last.coordinate { state.saidSince = fix.time }
    state.noteStand(this)
    state.noteSpeed(square: square, seconds: seconds)
    state.lastFix = this
    return true
  }

  /// Degrees of latitude up to which all that a vicinity covers is less than a degree of longitude across.
  private static let farthestFromEquator = 80.0

  /// The accuracy in metres that a fix is weighed with; `nil` where that takes a look at who claims it.
  @inline(__always)
  private func plainAccuracy(of fix: Fix) -> Double? {
    guard let claim = fix.horizontalAccuracy, claim > 0 else { return parameters.assumedAccuracy }
    guard claim <= ClaimTable.plain else { return nil }
    return claim > parameters.minAccuracy ? claim : parameters.minAccuracy
  }

  /// The accuracy in metres that a fix is weighed with, whoever claims it.
  private func weighedAccuracy(of fix: Fix, _ claims: inout ClaimHabit) -> Double {
    if let accuracy = plainAccuracy(of: fix) { return accuracy }
    return max(claims.error(ofClaim: fix.horizontalAccuracy ?? 0), parameters.minAccuracy)
  }

  /// The robust policy: admits or rejects the fix, then weighs it.
  func evaluateRobustly(
    _ fix: Fix, state: inout DeviceState, into transitions: inout [Transition],
    _ observer: ((Judgement) -> Void)?
  ) -> Admission {
    // 0,0 is what a receiver says that has no position.
    guard fix.coordinate.isValid, fix.coordinate.latitude != 0 || fix.coordinate.longitude != 0 else {
      return .rejected(.badCoordinate)
    }
    var claims = state.claims
    let accuracy = weighedAccuracy(of: fix, &claims)
    guard accuracy <= parameters.maxAccuracy else { return .rejected(.imprecise) }
    let this = DeviceState.LastFix(time: fix.time, coordinate: fix.coordinate, accuracy: accuracy)

    guard let last = state.lastFix else {
      state.claims = claims
      state.noteStand(this)
      state.saidSince = fix.time
      state.lastFix = this
      lookAtNewFences(fix, state: &state, into: &transitions)
      takeFirstEntry(fix, accuracy: accuracy, state: state, into: &transitions, observer)
      return .admitted
    }
    let step = Step(from: last, to: this)
    guard let reason = objection(to: step, speed: state.speed, longestGap: state.longestGap) else {
      if step.seconds >= parameters.silence { keepPast(of: &state, until: fix.time) }
      if state.isHolding { state.held = nil }
      state.claims = claims
      let first = transitions.count
      weigh(fix, this, step, state: &state, into: &transitions, observer)
      if state.hasPast { noteTold(transitions[first...].filter { $0.source != .silence }[...], &state) }
      // What comes after a visit is elsewhere.
      if fix.verdict?.kind == .departure { state.stand = .nowhere }
      return .admitted
    }
    if reason == .late { weighLate(fix, state: &state, into: &transitions, observer) }
    return putAside(fix, this, step, reason, state: &state, into: &transitions, observer)
  }

  /// What becomes of a fix that can't follow the one before.
  @inline(never)
  private func putAside(
    _ fix: Fix, _ this: DeviceState.LastFix, _ step: Step, _ reason: Rejection, state: inout DeviceState,
    into transitions: inout [Transition], _ observer: ((Judgement) -> Void)?
  ) -> Admission {
    guard reason == .clockJump || reason == .impossibleSpeed else { return .rejected(reason) }
    if var held = state.held {
      let objection = objection(
        to: Step(from: held.latest, to: this), speed: parameters.maxSpeed, longestGap: state.longestGap)
      if let objection, objection == .duplicate || objection == .late { return .rejected(objection) }
      if objection == nil {
        // However long receivers stray, they stray farther than the device can have gone since it was last believed. A phone
        // under ground repeats its last coordinate, and has gone on since it first said that.
        let seconds = max(step.seconds, fix.time.seconds(since: state.saidSince))
        let isReachable = step.metres <= step.slack + parameters.maxSpeed * seconds
        if held.reason == .clockJump
          || isReachable && fix.time.seconds(since: held.first.time) >= parameters.jumpHold
        {
          believe(held, fix, state: &state, into: &transitions, observer)
          weigh(fix, this, Step(from: held.first, to: this), state: &state, into: &transitions, observer)
          return .admittedWithHeld(held.reason)
        }
        held.latest = this
        state.held = held
        return .held(reason)
      }
    }
    state.held = DeviceState.HeldFixes(reason: reason, first: this, latest: this)
    return .held(reason)
  }

  /// Why a fix can't follow another; `nil` where it can.
  @inline(__always)
  private func objection(
    to step: Step, speed: @autoclosure () -> Double, longestGap: Double
  ) -> Rejection? {
    let seconds = step.seconds
    if seconds <= 0 {
      // A clock that was months ahead is set right; anything less is a fix that was on its way for long.
      return seconds == 0 ? .duplicate : seconds < -FenceEvaluator.clockSetBack ? .clockJump : .late
    }
    if seconds > max(FenceEvaluator.longestUsualGap, 2 * longestGap) { return .clockJump }
    let fastest = parameters.maxSpeed * seconds
    let gained = parameters.maxAcceleration * seconds * seconds / 2
    // From a stand it could have gone so far: no need to ask for the speed.
    let easy = step.slack + min(fastest, gained)
    if step.square <= easy * easy { return nil }
    return step.metres > step.slack + min(fastest, speed() * seconds + gained) ? .impossibleSpeed : nil
  }

  /// Seconds without a fix after which the next one's clock is doubted, unless there was such a gap before.
  private static let longestUsualGap = 86_400.0
  /// Seconds by which a clock must go back until it is believed to have been ahead.
  private static let clockSetBack = 30 * 86_400.0

  /// Weighs the first of the fixes that were held. After a jump of the clock the way to it is not known.
  private func believe(
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
    weigh(
      first, held.first, Step(from: last, to: held.first), state: &state, into: &transitions, observer)
  }
}
