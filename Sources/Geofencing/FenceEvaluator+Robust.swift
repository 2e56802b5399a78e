import CalendarModel
import Geodesy

#if canImport(Glibc)
  import Glibc
#endif

extension FenceEvaluator {
  /// Weighs an admitted fix: for each boundary in doubt, what it says for or against a crossing.
  ///
  /// A boundary comes into doubt when the fixes cross it, and is in doubt until the evidence is enough or used
  /// up. So for every fence that is not in doubt, what is believed is what the last fix says.
  func weigh(
    _ fix: Fix, _ this: DeviceState.LastFix, _ parameters: RobustParameters, state: inout DeviceState,
    into transitions: inout [Transition]
  ) {
    guard let last = state.lastFix else { return }
    let seconds = max(0, fix.time.seconds(since: last.time))
    let metres = Vicinity.metres(from: last.coordinate, to: fix.coordinate)
    let accuracy = this.accuracy ?? parameters.assumedAccuracy
    let slack = 2 * (accuracy + (last.accuracy ?? accuracy))
    let wasCautious = state.caution > 0
    beCautious(&state, metres: metres, seconds: seconds, slack: slack)

    let fences = index.fences
    let first = transitions.count
    let crossed = !state.vicinity.covers(fix.coordinate, version: index.fences.pointee.version)
    if crossed || !state.doubts.isEmpty {
      let here = Point(fix.coordinate)
      let there = state.vicinity.point(at: last.coordinate)
      for place in state.doubts.indices { state.doubts[place].isCrossed = false }
      if crossed {
        // Out of the state for a while, as what is found changes it.
        var vicinity = Vicinity()
        swap(&vicinity, &state.vicinity)
        fences.forEachChange(from: there, to: here, vicinity: &vicinity) { slot, shape, inside in
          guard fences.pointee.revision(slot) <= state.seenRevision else { return }
          let fraction = fix.startsSegment ? 1 : shape.crossing(from: there, to: here)
          state.noteCrossing(
            of: fences.pointee.id(slot), slot: slot, inside: inside, fraction: fraction,
            startsSegment: fix.startsSegment)
        }
        swap(&vicinity, &state.vicinity)
      }
      if crossed && !wasCautious && state.caution == 0 {
        seePassages(
          fix, from: there, to: here, seconds: seconds, slack: slack / 2 + parameters.cushion, state: state,
          into: &transitions)
      }
      let deviation = accuracy / Doubt.deviationsInAccuracy
      let weight = parameters.hold > 0 ? 1 - exp(-seconds / parameters.hold) : 1
      let most = state.caution > 0 ? Doubt.mostAfterJump : Doubt.most
      var kept = 0
      for place in state.doubts.indices {
        var doubt = state.doubts[place]
        guard let slot = fences.pointee.slot(of: doubt.fence, guess: doubt.slot),
          fences.pointee.revision(slot) <= state.seenRevision,
          let shape = fences.pointee.shape(slot)
        else { continue }
        doubt.slot = slot
        let isInside = shape.contains(here)
        let isBeyond = isInside != doubt.believesInside
        let beyond = doubt.isCrossed ? (isBeyond ? 1 - doubt.fraction : doubt.fraction) : isBeyond ? 1 : 0
        doubt.secondsBeyond += seconds * beyond
        let depth = shape.depth(here)
        let past = (doubt.believesInside ? depth : -depth) - parameters.cushion
        let ratio = Doubt.logLikelihoodRatio(deviations: past / deviation)
        doubt.evidence = max(0, doubt.evidence + weight * min(most, max(-most, ratio)))
        if doubt.evidence >= parameters.certainty {
          transitions.append(
            Transition(
              fence: doubt.fence, kind: doubt.believesInside ? .leave : .enter,
              time: fix.time.adding(seconds: -doubt.secondsBeyond), confirmedAt: fix.time, fix: fix,
              isInterpolated: doubt.isInterpolated))
          if isBeyond { continue }
          doubt = Doubt(fence: doubt.fence, believesInside: !doubt.believesInside, isInterpolated: true)
        } else if doubt.evidence <= 0 && !isBeyond {
          continue
        }
        state.doubts[kept] = doubt
        kept += 1
      }
      state.doubts.removeSubrange(kept...)
    }
    lookAtNewFences(fix, state: &state, into: &transitions)
    if transitions.count > first + 1 { order(&transitions[first...]) }

    if seconds > 0 {
      state.speed = metres / seconds
      if !fix.startsSegment { state.longestGap = max(state.longestGap, seconds) }
    }
    state.lastFix = this
  }

  /// Notes a step that the speed before did not foretell: it may be a stray fix that claims to be good.
  ///
  /// Moving on clears the suspicion; standing where the jump led does so after some fixes.
  private func beCautious(_ state: inout DeviceState, metres: Double, seconds: Double, slack: Double) {
    if metres <= slack {
      if state.caution > 0 { state.caution -= 1 }
    } else if state.caution > 0 || metres <= slack + (1.5 * state.speed + 2) * seconds {
      state.caution = 0
    } else {
      state.caution = 4
    }
  }
}

extension DeviceState {
  /// Notes that the way to the fix at hand crosses a boundary at a `fraction` of it.
  fileprivate mutating func noteCrossing(
    of fence: FenceID, slot: Int32, inside: Bool, fraction: Double, startsSegment: Bool
  ) {
    var place = doubts.firstIndex { $0.fence == fence }
    if place == nil {
      place = doubts.count
      doubts.append(
        Doubt(fence: fence, slot: slot, believesInside: !inside, isInterpolated: !startsSegment))
    }
    guard let place else { return }
    doubts[place].isCrossed = true
    doubts[place].fraction = fraction
  }
}
