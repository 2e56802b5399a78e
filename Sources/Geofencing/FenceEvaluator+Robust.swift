import Geodesy
import Spatiotemporal

#if canImport(Glibc)
  import Glibc
#endif

extension FenceEvaluator {
  /// Weighs an admitted fix: for each boundary in doubt, what it says for or against a crossing.
  ///
  /// A boundary comes into doubt when the fixes cross it, and is in doubt until the evidence is enough or used
  /// up. So for every fence that is not in doubt, what is believed is what the last fix says.
  ///
  /// - Parameter step: from the last fix.
  @inline(__always)
  func weigh(
    _ fix: Fix, _ this: DeviceState.LastFix, _ step: Step, state: inout DeviceState,
    into transitions: inout [Transition], _ observer: ((Judgement) -> Void)?
  ) {
    if !state.doubts.isEmpty {
      ripen(through: fix.time, of: fix.device, state: &state, into: &transitions, observer: observer)
    }
    let wasCautious = state.caution > 0
    beCautious(&state, step)
    // What the phone's system woke it up for is no stray of a phone that woke up by itself.
    let isAfterSilence = fix.verdict == nil && step.seconds >= max(parameters.silence, 4 * state.usualGap)
    if step.seconds > 0 { state.usualGap = state.usualGap(after: step.seconds) }
    state.noteStand(this)

    let crossed = !state.vicinity.covers(fix.coordinate, version: index.fences.pointee.version)
    // All fences have been looked at where the vicinity is known.
    if crossed || !state.doubts.isEmpty || state.usualGap >= parameters.sparseGap {
      weighBoundaries(
        fix, this, step, crossed: crossed, looksForPassages: !wasCautious && state.caution == 0,
        isAfterSilence: isAfterSilence, state: &state, into: &transitions, observer)
    }
    if step.seconds > 0 {
      if !fix.startsSegment && step.seconds > state.longestGap { state.longestGap = step.seconds }
      state.noteSpeed(square: step.square, seconds: step.seconds)
    }
    if this.coordinate != state.lastFix?.coordinate { state.saidSince = this.time }
    state.lastFix = this
  }

  /// Weighs a fix at each boundary that is in doubt, or that may have been crossed.
  @inline(never)
  private func weighBoundaries(
    _ fix: Fix, _ this: DeviceState.LastFix, _ step: Step, crossed: Bool, looksForPassages: Bool,
    isAfterSilence: Bool,
    state: inout DeviceState, into transitions: inout [Transition], _ observer: ((Judgement) -> Void)?
  ) {
    guard let last = state.lastFix else { return }
    let isRepeat = this.coordinate == last.coordinate
    let scale = Scale(
      fix, this, step, isRepeat: isRepeat, isAfterSilence: isAfterSilence, state, parameters)
    let first = transitions.count
    let here = Point(scale.fix.coordinate)
    let there = state.vicinity.point(at: last.coordinate)
    for place in state.doubts.indices { state.doubts[place].isCrossed = false }
    if crossed {
      noteCrossings(from: there, to: here, after: last, wayIsKnown: !fix.startsSegment, &state)
      if looksForPassages {
        seePassages(
          fix, after: last, from: there, to: here, slack: step.slack + parameters.cushion, state,
          into: &transitions, observer)
      }
    }
    var kept = 0
    let seen = state.seenRevision
    for place in state.doubts.indices {
      guard
        weigh(&state.doubts[place], at: here, scale, seenRevision: seen, into: &transitions, observer)
      else { continue }
      if kept < place { state.doubts[kept] = state.doubts[place] }
      kept += 1
    }
    if kept < state.doubts.count { state.doubts.removeSubrange(kept...) }
    if state.usualGap >= parameters.sparseGap {
      reachFor(fix, step, from: there, to: here, scale, state: &state, into: &transitions, observer)
    }
    lookAtNewFences(fix, state: &state, into: &transitions)
    if transitions.count > first + 1 { order(&transitions[first...]) }
  }

  /// What a fix weighs, whatever the boundary.
  struct Scale {
    let fix: Fix
    let accuracy: Double
    let seconds: Double
    /// Of ``seconds``, those that the way to it took, and whether it was gone at their end: after a silence, a phone that stood
    /// before it did so until shortly before it spoke, and one that moved did so from soon after it last spoke.
    let secondsOnTheWay: Double
    let wentLast: Bool
    let circumstances: Judgement.Circumstances
    /// Of the fix's error across a boundary, in metres.
    let deviation: Double
    /// How much of the fix is news: little where it comes soon after the one before, nothing where it repeats it.
    let weight: Double
    /// True where the device moved farther than both fixes may be off, so that their errors have little in common.
    let isOnTheMove: Bool
    /// The share of such fixes that are anywhere at all.
    let strays: Double
    /// The most that it may add.
    let most: Double
    /// How much less evidence is needed, as fixes are rare.
    let ease: Double
    /// Seconds without a fix that are a silence, as often as fixes come; `nil` where it would say nothing.
    let longGap: Double?
    /// Where the device rests, if that is where its last coordinate is repeated: a doubt that arose before it lay down there
    /// ripens on.
    let standOfRepeats: Coordinate?

    init(
      _ fix: Fix, _ this: DeviceState.LastFix, _ step: Step, isRepeat: Bool, isAfterSilence: Bool,
      _ state: borrowing DeviceState, _ parameters: RobustParameters
    ) {
      self.fix = fix
      accuracy = this.accuracy ?? parameters.assumedAccuracy
      seconds = max(0, step.seconds)
      let isLong = step.seconds >= max(parameters.silence, 4 * state.usualGap)
      wentLast = state.speed < parameters.walkingPace
      let pace = wentLast ? parameters.walkingPace : state.speed
      secondsOnTheWay = isLong ? min(seconds, step.metres / pace) : seconds
      deviation = accuracy / Doubt.deviationsInAccuracy
      let hold = accuracy > parameters.coarse ? parameters.coarseHold : parameters.hold
      let isConclusion = fix.verdict?.isConclusion ?? false
      weight = isConclusion ? 1 : isRepeat ? 0 : hold > 0 ? 1 - exp(-seconds / hold) : 1
      isOnTheMove = !isRepeat && state.caution == 0 && step.metres >= step.slack
      strays =
        isAfterSilence
        ? parameters.straysAfterSilence : isRepeat ? parameters.straysOfRepeats : parameters.strays
      let isCautious = state.caution > 0
      most = isCautious ? Doubt.mostAfterJump : .infinity
      let isResting = state.stand?.isResting(at: fix.time) ?? false
      var circumstances: Judgement.Circumstances = []
      if isCautious { circumstances.insert(.jump) }
      if isAfterSilence { circumstances.insert(.silence) }
      if isRepeat && !isConclusion { circumstances.insert(.repetition) }
      if isConclusion { circumstances.insert(.verdict) }
      if isResting { circumstances.insert(.rest) }
      self.circumstances = circumstances
      let isSparse = !isResting && state.usualGap > parameters.denseGap
      ease = isSparse ? parameters.sparseEase * log(state.usualGap / parameters.denseGap) : 0
      let stated = fix.speed.flatMap { $0 > 0 ? $0 : nil }
      let speed = stated ?? (seconds > 0 ? max(0, step.metres - step.slack / 2) / seconds : 0)
      standOfRepeats = isRepeat && isResting ? state.stand?.coordinate : nil
      if isResting || isCautious || speed > parameters.ripeningSpeed && !fix.isStill {
        longGap = nil
      } else {
        longGap = fix.isStill ? 0 : min(1_800, parameters.ripeningGaps * state.usualGap)
      }
    }

    /// How many of the seconds since the fix before were spent beyond a boundary that the way to it crosses at `fraction`.
    func secondsBeyond(crossedAt fraction: Double, isBeyond: Bool) -> Double {
      let before = (wentLast ? seconds - secondsOnTheWay : 0) + fraction * secondsOnTheWay
      return isBeyond ? seconds - before : before
    }
  }

  /// The log odds that settle a doubt. A device that rests settles none.
  private func needed(for doubt: borrowing Doubt, of shape: borrowing Shape, _ scale: borrowing Scale)
    -> Double
  {
    if scale.circumstances.contains(.rest) { return .infinity }
    if doubt.believesInside { return max(0, parameters.certainty - scale.ease) }
    let smallness = min(2, parameters.smallFence / shape.radius)
    return max(0, parameters.certainty - parameters.arrivalEase - smallness - scale.ease)
  }

  /// Brings the boundaries that the way to a fix crosses into doubt.
  ///
  /// What is believed of a fence that is newer than the fix before is what that fix says, where that leaves no doubt:
  /// an alarm that is made on the way home is to go off at the next fix, if that is home. Where it leaves some, this
  /// fix is the first look at the fence, and nothing was crossed.
  private func noteCrossings(
    from there: Point, to here: Point, after last: DeviceState.LastFix, wayIsKnown: Bool,
    _ state: inout DeviceState
  ) {
    let fences = index.fences
    // Out of the state for a while, as what is found changes it.
    var vicinity = Vicinity()
    swap(&vicinity, &state.vicinity)
    fences.pointee.forEachChange(from: there, to: here, vicinity: &vicinity) { slot, shape, inside in
      let isFirstLook = fences.pointee.revision(slot) > state.seenRevision
      if isFirstLook {
        if inside && fences.pointee.reportsPresence(slot) { return }
        guard isSure(inside ? shape.depth(there) : -shape.depth(there), last) else { return }
      }
      let fence = fences.pointee.id(slot)
      let place: Int
      let known = state.doubts.firstIndex { $0.fence == fence }
      if let known, !isFirstLook {
        place = known
      } else {
        // What was gathered about where the fence was before says nothing.
        if let known { state.doubts.remove(at: known) }
        place = state.doubts.count
        var doubt = Doubt(fence: fence, slot: slot, believesInside: !inside, isInterpolated: wayIsKnown)
        doubt.isFirstLook = isFirstLook
        state.doubts.append(doubt)
      }
      state.doubts[place].isCrossed = true
      state.doubts[place].fraction = wayIsKnown ? shape.crossing(from: there, to: here) : 1
    }
    swap(&vicinity, &state.vicinity)
  }

  /// True where a fix so far on one side of a boundary, in metres, is enough evidence by itself.
  private func isSure(_ depth: Double, _ fix: DeviceState.LastFix) -> Bool {
    let deviation = (fix.accuracy ?? parameters.assumedAccuracy) / Doubt.deviationsInAccuracy
    return Doubt.logLikelihoodRatio(deviations: (depth - parameters.cushion) / deviation)
      >= parameters.certainty
  }

  /// Weighs a fix at one boundary. False where that settles the matter, one way or the other.
  private func weigh(
    _ doubt: inout Doubt, at here: Point, _ scale: Scale, seenRevision: Int64,
    into transitions: inout [Transition], _ observer: ((Judgement) -> Void)?
  ) -> Bool {
    let fences = index.fences
    guard let slot = fences.pointee.slot(of: doubt.fence, guess: doubt.slot),
      fences.pointee.revision(slot) <= seenRevision || doubt.isFirstLook && doubt.isCrossed,
      let shape = fences.pointee.shape(slot)
    else { return false }
    doubt.slot = slot
    let isBeyond = shape.contains(here) != doubt.believesInside
    if doubt.isCrossed {
      doubt.secondsBeyond += scale.secondsBeyond(crossedAt: doubt.fraction, isBeyond: isBeyond)
    } else if isBeyond {
      doubt.secondsBeyond += doubt.isReached ? scale.seconds / 2 : scale.seconds
    }
    doubt.isReached = false

    let depth = shape.depth(here)
    let past = (doubt.believesInside ? depth : -depth) - parameters.cushion
    let ratio = Doubt.logLikelihoodRatio(deviations: past / scale.deviation, strays: scale.strays)
    let isPassing = scale.isOnTheMove && fences.pointee.table.seesPassing(slot)
    let weight = isPassing ? 1 : scale.weight
    let gain = weight * min(scale.most, max(-scale.most, ratio))
    doubt.evidence = max(0, doubt.evidence + gain)

    let usual = needed(for: doubt, of: shape, scale)
    let needed = isPassing && !doubt.believesInside ? min(usual, parameters.passingCertainty) : usual
    // A visit is over a silence already, as the phone sees it.
    let isVisit = scale.fix.verdict?.kind == .visit && isBeyond && doubt.evidence > 0 && needed.isFinite
    // Where fixes are so rare that nothing more is needed, one on this side is no crossing all the same.
    let isSure = isVisit || doubt.evidence >= needed && (isBeyond || doubt.evidence > 0)
    let isOver = isSure || (doubt.evidence <= 0 && !isBeyond)
    observer?(
      Judgement(
        fence: doubt.fence, time: scale.fix.time, believedInside: doubt.believesInside, depth: depth,
        accuracy: scale.accuracy, gain: gain, evidence: doubt.evidence, needed: needed,
        circumstances: scale.circumstances, outcome: isSure ? .crossed : isOver ? .dismissed : .doubtful))
    // A phone that wakes up elsewhere and says so once has not left for that.
    let isWakeUp = scale.circumstances.contains(.silence) && doubt.believesInside
    let least = doubt.believesInside ? parameters.leaveRipeningEvidence : 0
    let canRipen = isBeyond && doubt.evidence > 0 && doubt.evidence >= least && !isWakeUp
    if let longGap = scale.longGap, canRipen {
      // A fix that repeats another is as good as silence.
      if doubt.ripensAt == nil || !scale.circumstances.contains(.repetition) {
        let wait = doubt.believesInside ? parameters.leaveRipening : parameters.ripening
        doubt.ripensAt = scale.fix.time.adding(seconds: max(wait, longGap))
      }
    } else if !canRipen
      || scale.standOfRepeats.map({ shape.contains(Point($0)) == doubt.believesInside }) ?? true
    {
      doubt.ripensAt = nil
    }
    guard isSure else { return !isOver }
    transitions.append(
      Transition(
        fence: doubt.fence, kind: doubt.believesInside ? .leave : .enter,
        time: scale.fix.time.adding(seconds: -doubt.secondsBeyond), confirmedAt: scale.fix.time,
        fix: scale.fix, isInterpolated: doubt.isInterpolated, isFirstLook: doubt.isFirstLook,
        source: scale.circumstances.contains(.verdict) ? .phone : .positions))
    if isBeyond { return false }
    // A cushion that is negative makes it sure before the boundary: what the fix says is then in doubt.
    doubt = Doubt(
      fence: doubt.fence, slot: slot, believesInside: !doubt.believesInside, isInterpolated: true)
    return true
  }

  /// Notes a step that the speed before did not foretell: it may be a stray fix that claims to be good.
  ///
  /// Moving on clears the suspicion; standing where the jump led does so after some fixes. After an outage a device may
  /// be anywhere, and a jump is none.
  @inline(__always)
  private func beCautious(_ state: inout DeviceState, _ step: Step) {
    let slack = 2 * step.slack
    let seconds = max(0, step.seconds)
    guard state.caution == 0 else {
      state.caution = step.square <= slack * slack ? state.caution - 1 : 0
      return
    }
    // At walking pace it could have gone so far, whatever the speed before.
    let easy = slack + 2 * seconds
    if step.square <= easy * easy { return }
    if seconds <= FenceEvaluator.longestSight && step.metres > slack + (1.5 * state.speed + 2) * seconds {
      state.caution = 4
    }
  }
}
