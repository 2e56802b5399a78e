import CalendarModel
import Geodesy

#if canImport(Glibc)
  import Glibc
#endif

extension FenceEvaluator {
  /// The robust policy: admits or rejects the fix, then weighs it.
  func evaluateRobustly(
    _ fix: Fix, _ parameters: RobustParameters, state: inout DeviceState,
    into transitions: inout [Transition], _ observer: ((Judgement) -> Void)?
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
    let metres = Step.metres(from: last.coordinate, to: fix.coordinate)
    guard
      let reason = objection(
        to: this, after: last, metres: metres, speed: state.speed, longestGap: state.longestGap, parameters)
    else {
      if state.held != nil { state.held = nil }
      weigh(fix, this, metres: metres, parameters, state: &state, into: &transitions, observer)
      return .admitted
    }
    guard reason == .clockJump || reason == .impossibleSpeed else { return .rejected(reason) }
    if var held = state.held {
      let objection = objection(
        to: this, after: held.latest,
        metres: Step.metres(from: held.latest.coordinate, to: fix.coordinate), speed: parameters.maxSpeed,
        longestGap: state.longestGap, parameters)
      if let objection, objection == .duplicate || objection == .late { return .rejected(objection) }
      if objection == nil {
        if held.reason == .clockJump || fix.time.seconds(since: held.first.time) >= parameters.jumpHold {
          believe(held, fix, parameters, state: &state, into: &transitions, observer)
          weigh(
            fix, this, metres: Step.metres(from: held.first.coordinate, to: fix.coordinate), parameters,
            state: &state, into: &transitions, observer)
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
    to fix: DeviceState.LastFix, after last: DeviceState.LastFix, metres: Double, speed: Double,
    longestGap: Double, _ parameters: RobustParameters
  ) -> Rejection? {
    let seconds = fix.time.seconds(since: last.time)
    if seconds <= 0 {
      // A clock that was months ahead is set right; anything less is a fix that was on its way for long.
      return seconds == 0 ? .duplicate : seconds < -FenceEvaluator.clockSetBack ? .clockJump : .late
    }
    if seconds > max(FenceEvaluator.longestUsualGap, 2 * longestGap) { return .clockJump }
    let slack = (fix.accuracy ?? 0) + (last.accuracy ?? 0)
    let gained = parameters.maxAcceleration * seconds * seconds / 2
    return metres > slack + min(parameters.maxSpeed * seconds, speed * seconds + gained)
      ? .impossibleSpeed : nil
  }

  /// Seconds without a fix after which the next one's clock is doubted, unless there was such a gap before.
  private static let longestUsualGap = 86_400.0
  /// Seconds by which a clock must go back until it is believed to have been ahead.
  private static let clockSetBack = 30 * 86_400.0

  /// Weighs the first of the fixes that were held. After a jump of the clock the way to it is not known.
  private func believe(
    _ held: DeviceState.HeldFixes, _ fix: Fix, _ parameters: RobustParameters, state: inout DeviceState,
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
      first, held.first, metres: Step.metres(from: last.coordinate, to: first.coordinate), parameters,
      state: &state, into: &transitions, observer)
  }
}
