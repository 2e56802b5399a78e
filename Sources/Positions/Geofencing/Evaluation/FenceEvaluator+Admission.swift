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
    var confirmed: Rejection?
    if let held = state.held, let confirmsAt = held.confirmsAt, confirmsAt <= fix.time,
      // A wrong clock is no silence.
      !isClockJump(seconds: fix.time.seconds(since: held.latest.time), state.maximumGap)
    {
      settleBySilence(
        through: fix.time, of: fix.device, state: &state, into: &transitions, observer: observer)
      if state.lastFix == held.latest { confirmed = held.reason }
    }
    var claims = state.claims
    let accuracy = weighedAccuracy(of: fix, &claims)
    let this = DeviceState.LastFix(time: fix.time, coordinate: fix.coordinate, accuracy: accuracy)

    guard let last = state.lastFix else {
      guard accuracy <= parameters.maxAccuracy else { return .rejected(.imprecise) }
      keepPast(of: &state, until: this)
      state.claims = claims
      state.updateRest(this)
      state.coordinateSince = fix.time
      state.lastFix = this
      let first = transitions.count
      lookAtNewFences(fix, state: &state, into: &transitions)
      applyFirstEntry(fix, accuracy: accuracy, state: state, into: &transitions, observer)
      noteReported(transitions[first...].filter { !$0.isInitial }[...], &state)
      if transitions.count > first + 1 { order(&transitions[first...]) }
      return .admitted
    }
    let step = Step(from: last, to: this)
    guard isTelling(fix, this, after: last, step) else { return .rejected(.imprecise) }
    var reason = objection(to: step, speed: state.speed, maximumGap: state.maximumGap)
    if reason == .duplicate, accuracy < last.accuracy ?? .infinity {
      // Of two fixes of one time the better one counts.
      reason = step.metres > wideSlack(of: step) ? .impossibleSpeed : nil
    } else if reason == .impossibleSpeed, last.accuracy ?? 0 > parameters.maxAccuracy,
      isMuchCoarser(last, than: this)
    {
      // The fix before says little, and may be a stray. It does not speak against a good one.
      reason = nil
    } else if reason == nil, leavesRest(fix, this, step, state) {
      reason = .unconfirmed
    }
    guard let reason else {
      state.claims = claims
      var step = step
      if state.isHolding, let held = state.held, confirms(this, held, step) {
        // It counts alone, but the held ones say since when.
        acceptHeld(held, of: fix.device, state: &state, into: &transitions, observer)
        // Two agree on the jump.
        state.caution = 0
        step = Step(from: state.lastFix ?? held.first, to: this)
        confirmed = held.reason
      }
      admit(fix, this, step, state: &state, into: &transitions, observer)
      // After a visit the device is elsewhere. A coarse fix does not show where it rests.
      if fix.verdict?.kind == .departure || accuracy > parameters.maxAccuracy { state.rest = .nowhere }
      return confirmed.map { .admittedWithHeld($0) } ?? .admitted
    }
    if reason == .late, weighLate(fix, state: &state, into: &transitions, observer) { return .admittedLate }
    return putAside(fix, this, step, reason, state: &state, into: &transitions, observer)
  }

  /// Whether a fix says more than the one before, which may be very coarse: it must be farther away than
  /// twice the errors of both.
  @inline(__always)
  private func isTelling(
    _ fix: Fix, _ this: DeviceState.LastFix, after last: DeviceState.LastFix, _ step: Step
  ) -> Bool {
    let error = this.accuracy ?? 0
    guard error <= parameters.maxAccuracy else {
      return step.metres > FenceEvaluator.coarseSteps * step.slack
    }
    guard error > parameters.coarse, let claim = fix.horizontalAccuracy, claim > parameters.maxAccuracy,
      last.accuracy ?? .infinity <= parameters.coarse
    else { return true }
    return step.metres > claim
  }

  /// A fix with an error of more than ``RobustParameters/maxAccuracy`` counts if it is this many times the
  /// errors of both fixes away.
  private static let coarseSteps = 2.0

  /// Whether a fix alone puts a device that was at rest farther away than it could have walked; a precise fix,
  /// than a car goes on average from a standstill.
  @inline(__always)
  private func leavesRest(
    _ fix: Fix, _ this: DeviceState.LastFix, _ step: Step, _ state: borrowing DeviceState
  ) -> Bool {
    let easy = 2 * step.slack + 2 * min(step.seconds, FenceEvaluator.longestWalk)
    guard step.square > easy * easy, state.isResting, !(fix.verdict?.isConclusion ?? false) else {
      return false
    }
    if this.accuracy ?? 0 > parameters.coarse { return true }
    let far = 2 * step.slack + FenceEvaluator.departureSpeed * step.seconds
    return step.square > far * far
  }

  /// Metres a second that hardly anything goes on average between two fixes if it stood at the first.
  private static let departureSpeed = 20.0

  /// The seconds for which a device at rest may have walked on. After a longer silence it has done more than
  /// to walk.
  private static let longestWalk = 3_600.0

  /// The error of a step that is surely enough, in metres: a radius that contains 68 % of the positions is
  /// exceeded often, and by a coarse fix by far.
  @inline(__always)
  private func wideSlack(of step: Step) -> Double {
    step.largerError > parameters.coarse ? step.slack + step.largerError : step.slack
  }

  /// Whether a fix is so much coarser than another that it can't contradict it.
  private func isMuchCoarser(_ fix: DeviceState.LastFix, than other: DeviceState.LastFix) -> Bool {
    (fix.accuracy ?? 0) > max(parameters.coarse, 3 * (other.accuracy ?? .infinity))
  }

  /// Whether a fix that can follow the one before is where held ones are, and not where that one is.
  private func confirms(_ this: DeviceState.LastFix, _ held: DeviceState.HeldFixes, _ step: Step) -> Bool {
    guard held.reason != .clockJump, !isMuchCoarser(this, than: held.latest), step.metres > step.slack,
      // A phone that repeats its position is as good as silent.
      this.coordinate != held.latest.coordinate
    else { return false }
    let way = Step(from: held.latest, to: this)
    return way.seconds > 0 && way.metres <= way.slack
  }

  /// Weighs a fix that can follow the one before, and keeps what later fixes from before it need.
  @inline(__always)
  private func admit(
    _ fix: Fix, _ this: DeviceState.LastFix, _ step: Step, state: inout DeviceState,
    into transitions: inout [Transition], _ observer: ((Judgement) -> Void)?
  ) {
    if step.seconds >= parameters.silence {
      if state.closesLateAt < .max { closeLate(of: fix.device, state: &state, into: &transitions) }
      keepPast(of: &state, until: this)
    }
    if state.isHolding, let held = state.held {
      // A hold applies to fixes of like accuracy. With others the device is not silent.
      if isMuchCoarser(this, than: held.latest) { state.held?.confirmsAt = nil } else { state.held = nil }
      state.updateSettling()
    }
    let first = transitions.count
    weigh(fix, this, step, state: &state, into: &transitions, observer)
    if state.hasPast, transitions.count > first {
      noteReported(transitions[first...].filter { $0.source != .silence }[...], &state)
    }
  }

  /// Decides about a fix that can't follow the one before.
  @inline(never)
  private func putAside(
    _ fix: Fix, _ this: DeviceState.LastFix, _ step: Step, _ reason: Rejection, state: inout DeviceState,
    into transitions: inout [Transition], _ observer: ((Judgement) -> Void)?
  ) -> Admission {
    guard reason == .clockJump || reason == .impossibleSpeed || reason == .unconfirmed else {
      return .rejected(reason)
    }
    var aside = DeviceState.HeldFixes(reason: reason, first: this, latest: this)
    var wayFromHeld: Step?
    var isRepeat = false
    if var held = state.held {
      let way = Step(from: held.latest, to: this)
      // Who sends once in some days does so again.
      let maximumGap = max(
        state.maximumGap, state.lastFix.map { held.first.time.seconds(since: $0.time) } ?? 0)
      let objection = objection(to: way, speed: parameters.maxSpeed, maximumGap: maximumGap)
      if objection == .duplicate, this.accuracy ?? .infinity < held.latest.accuracy ?? .infinity {
        // Of two held fixes of one time the better one counts.
        if held.first == held.latest { held.first = this }
        held.latest = this
        state.held = held
        return .held(held.reason)
      }
      if let objection, objection == .duplicate || objection == .late { return .rejected(objection) }
      isRepeat =
        objection == nil && held.reason == .unconfirmed && this.coordinate == held.latest.coordinate
      if objection == nil, !isRepeat {
        // Strays jump farther than the device can have gone since the last believed fix. A phone underground
        // repeats its last coordinate, so count from when it first sent that.
        let seconds = max(step.seconds, fix.time.seconds(since: state.coordinateSince))
        let isReachable = step.metres <= step.slack + farthest(in: seconds)
        let agreed = fix.time.seconds(since: held.first.time)
        if held.reason == .clockJump || isReachable && agreed >= parameters.minimumAgreement
          || state.isUnproven && agreed >= FenceEvaluator.unprovenHold
        {
          acceptHeld(held, of: fix.device, state: &state, into: &transitions, observer)
          admit(
            fix, this, Step(from: state.lastFix ?? held.first, to: this), state: &state, into: &transitions,
            observer)
          return .admittedWithHeld(held.reason)
        }
        wayFromHeld = way
      }
      if objection == nil {
        held.latest = this
        aside = held
      } else if isMuchCoarser(this, than: held.latest) {
        return .rejected(reason)
      }
    }
    // A phone that repeats its position is as good as silent, so it waits on.
    if !isRepeat { aside.confirmsAt = settlingOfHeld(aside, fix, wayFromHeld, state) }
    state.held = aside
    preventSettling(at: this.coordinate, &state)
    state.updateSettling()
    return .held(reason)
  }

  /// When held fixes count if no fix comes until then: a phone that stops sending stayed where it was. `nil`
  /// if silence says nothing.
  ///
  /// - Parameter way: The step from the held fix before, if there is one.
  private func settlingOfHeld(
    _ held: DeviceState.HeldFixes, _ fix: Fix, _ way: Step?, _ state: borrowing DeviceState
  ) -> Instant? {
    let speed = fix.speed ?? way.map { max(0, $0.metres - $0.slack / 2) / max($0.seconds, 1) } ?? 0
    guard held.reason != .clockJump, let last = state.lastFix,
      fix.isStill || speed <= parameters.silenceSpeed
    else { return nil }
    // One fix alone must outlast the fix that comes next.
    let usualGaps = parameters.silenceGaps * state.usualGap
    let gaps = fix.isStill ? 0 : way == nil ? usualGaps : min(Doubt.maximumWaitForGaps, usualGaps)
    let isAgreed = held.latest.time.seconds(since: held.first.time) >= parameters.minimumAgreement
    let settled = (isAgreed ? silenceBeforeArriving : silenceBeforeLeaving).time(
      after: held.latest.time, gaps: gaps)
    // Not before the device can be there.
    let step = Step(from: last, to: held.latest)
    let way = parameters.maxSpeed > 0 ? max(0, step.metres - step.slack) / parameters.maxSpeed : .infinity
    guard way.isFinite else { return nil }
    return max(settled, last.time.adding(seconds: way))
  }

  /// Weighs held fixes that silence has confirmed, as of `time`.
  func acceptRipe(
    at time: Instant, of device: DeviceNumber, state: inout DeviceState, into transitions: inout [Transition],
    _ observer: ((Judgement) -> Void)?
  ) {
    guard let held = state.held, let confirmsAt = held.confirmsAt, confirmsAt <= time else { return }
    if let last = state.lastFix, held.latest.time <= last.time {
      state.held = nil
      return state.updateSettling()
    }
    let first = transitions.count
    let latest = Fix(held.latest, of: device)
    acceptHeld(held, of: device, state: &state, into: &transitions, observer)
    if held.latest != held.first {
      admit(
        latest, held.latest, Step(from: state.lastFix ?? held.first, to: held.latest), state: &state,
        into: &transitions, observer)
    }
    // Silence has confirmed the jump, too.
    state.caution = 0
    for place in state.doubts.indices {
      let doubt = state.doubts[place]
      let needed = doubt.believesInside ? parameters.silenceLeavingEvidence : 0
      guard doubt.evidence > 0, doubt.evidence >= needed,
        index.contains(doubt.fence, held.latest.coordinate) != doubt.believesInside
      else { continue }
      state.doubts[place].confirmsAt = confirmsAt
    }
    state.updateSettling()
    for index in transitions[first...].indices
    where transitions[index].confirmedAt ?? transitions[index].time < confirmsAt {
      transitions[index].confirmedAt = confirmsAt
    }
  }

  /// Lets silence settle no doubt that a held fix contradicts: the fix before may be the stray. Phones send again
  /// soon after a stray, so a silence after the held fix speaks for it.
  private func preventSettling(at coordinate: Coordinate, _ state: inout DeviceState) {
    guard state.confirmsAt != nil else { return }
    for place in state.doubts.indices
    where index.contains(state.doubts[place].fence, coordinate) == state.doubts[place].believesInside {
      state.doubts[place].confirmsAt = nil
    }
    state.updateSettling()
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
    if isClockJump(seconds: seconds, maximumGap) { return .clockJump }
    let gained = parameters.maxAcceleration * seconds * seconds / 2
    // Possible even from a standstill, so the speed is not needed.
    let easy = step.slack + min(parameters.maxSpeed * seconds, gained)
    if step.square <= easy * easy { return nil }
    let farthest = min(farthest(in: seconds), speed() * seconds + gained)
    return step.metres > wideSlack(of: step) + farthest ? .impossibleSpeed : nil
  }

  /// Whether a time without a fix is so long that a clock is wrong.
  @inline(__always)
  private func isClockJump(seconds: Double, _ maximumGap: Double) -> Bool {
    seconds > max(FenceEvaluator.maximumUsualGap, 2 * maximumGap)
  }

  /// How many metres a device can go in some seconds: on the ground, or in the time of a flight through the
  /// air.
  private func farthest(in seconds: Double) -> Double {
    let isFlight = seconds >= FenceEvaluator.minimumFlight
    return
      (isFlight ? max(parameters.maxSpeed, parameters.flightSpeed) : parameters.maxSpeed)
      * seconds
  }

  /// The seconds for which held fixes must agree against a first fix that no other one has ever agreed with.
  private static let unprovenHold = 30.0

  /// The seconds in which a train goes farther than phones stray.
  private static let minimumFlight = 1_000.0

  /// After this many seconds without a fix the next fix's clock is doubted, unless such a gap occurred
  /// before.
  private static let maximumUsualGap = 86_400.0

  /// Weighs the first of the held fixes. After a clock jump the way to it is unknown.
  private func acceptHeld(
    _ held: DeviceState.HeldFixes, of device: DeviceNumber, state: inout DeviceState,
    into transitions: inout [Transition], _ observer: ((Judgement) -> Void)?
  ) {
    var first = Fix(held.first, of: device)
    // Nor is there a way from a first fix that was a stray.
    first.startsSegment = held.reason == .clockJump || state.isUnproven
    state.held = nil
    state.updateSettling()
    // A much coarser fix may have counted meanwhile. What came before it is then only a sign.
    guard let last = state.lastFix, held.reason == .clockJump || last.time < held.first.time else { return }
    admit(
      first, held.first, Step(from: last, to: held.first), state: &state, into: &transitions, observer)
  }
}

extension Fix {
  /// A fix that was held, whose speed and verdict are not known any more.
  fileprivate init(_ held: DeviceState.LastFix, of device: DeviceNumber) {
    self.init(
      device: device, time: held.time, coordinate: held.coordinate, horizontalAccuracy: held.accuracy)
  }
}
