import CalendarModel
import Geodesy

#if canImport(Glibc)
  import Glibc
#endif

extension FenceEvaluator {
  /// The robust policy: admits or rejects the fix, then weighs it.
  func evaluateRobustly(
    _ fix: Fix, state: inout DeviceState, into transitions: inout [Transition],
    _ observer: ((Judgement) -> Void)?
  ) -> Admission {
    // 0,0 is what a receiver says that has no position.
    guard fix.coordinate.isValid, fix.coordinate.latitude != 0 || fix.coordinate.longitude != 0 else {
      return .rejected(.badCoordinate)
    }
    var accuracy = parameters.assumedAccuracy
    if let stated = fix.horizontalAccuracy, stated > 0 { accuracy = max(stated, parameters.minAccuracy) }
    guard accuracy <= parameters.maxAccuracy else { return .rejected(.imprecise) }
    let this = DeviceState.LastFix(time: fix.time, coordinate: fix.coordinate, accuracy: accuracy)

    guard let last = state.lastFix else {
      state.lastFix = this
      lookAtNewFences(fix, state: &state, into: &transitions)
      return .admitted
    }
    let step = Step(from: last, to: this)
    guard let reason = objection(to: step, speed: state.speed, longestGap: state.longestGap) else {
      if state.isHolding { state.held = nil }
      weigh(fix, this, step, state: &state, into: &transitions, observer)
      return .admitted
    }
    return putAside(fix, this, reason, state: &state, into: &transitions, observer)
  }

  /// What becomes of a fix that can't follow the one before.
  @inline(never)
  private func putAside(
    _ fix: Fix, _ this: DeviceState.LastFix, _ reason: Rejection, state: inout DeviceState,
    into transitions: inout [Transition], _ observer: ((Judgement) -> Void)?
  ) -> Admission {
    guard reason == .clockJump || reason == .impossibleSpeed else { return .rejected(reason) }
    if var held = state.held {
      let objection = objection(
        to: Step(from: held.latest, to: this), speed: parameters.maxSpeed, longestGap: state.longestGap)
      if let objection, objection == .duplicate || objection == .late { return .rejected(objection) }
      if objection == nil {
        if held.reason == .clockJump || fix.time.seconds(since: held.first.time) >= parameters.jumpHold {
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
