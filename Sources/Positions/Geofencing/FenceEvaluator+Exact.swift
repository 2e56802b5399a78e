import FencepostGeodesy
import FencepostSpatiotemporal

extension FenceEvaluator {
  /// The exact policy: a transition at each fix whose containment differs from the fix before.
  func evaluateExactly(
    _ fix: Fix, state: inout DeviceState, into transitions: inout [Transition]
  ) -> Admission {
    guard fix.coordinate.isValid else { return .rejected(.badCoordinate) }
    if let last = state.lastFix, fix.time <= last.time {
      return .rejected(fix.time == last.time ? .duplicate : .late)
    }
    // A known vicinity means that all fences have been seen.
    if state.lastFix == nil || !state.vicinity.covers(fix.coordinate, version: index.fences.pointee.version) {
      findChanges(fix, state: &state, into: &transitions)
    }
    state.lastFix = DeviceState.LastFix(
      time: fix.time, coordinate: fix.coordinate, accuracy: fix.horizontalAccuracy)
    return .admitted
  }

  /// Finds the fences that contain exactly one of a fix and the one before.
  @inline(never)
  private func findChanges(_ fix: Fix, state: inout DeviceState, into transitions: inout [Transition]) {
    let fences = index.fences
    let first = transitions.count
    if let last = state.lastFix {
      let here = Point(fix.coordinate)
      let there = state.vicinity.point(at: last.coordinate)
      let seen = state.seenRevision
      fences.pointee.forEachChange(from: there, to: here, vicinity: &state.vicinity) { slot, shape, inside in
        let isFirstLook = fences.pointee.revision(slot) > seen
        if isFirstLook && inside && fences.pointee.reportsPresence(slot) { return }
        var transition = Transition(
          fence: fences.pointee.id(slot), kind: inside ? .enter : .leave, time: fix.time, fix: fix,
          isFirstLook: isFirstLook)
        if !fix.startsSegment {
          let gap = fix.time.seconds(since: last.time)
          transition.time = last.time.adding(seconds: gap * shape.crossing(from: there, to: here))
          transition.isInterpolated = true
        }
        transitions.append(transition)
      }
    }
    lookAtNewFences(fix, state: &state, into: &transitions)
    if transitions.count > first + 1 { order(&transitions[first...]) }
  }

  /// Reports presence in fences that the device sees for the first time, if they ask for it.
  func lookAtNewFences(_ fix: Fix, state: inout DeviceState, into transitions: inout [Transition]) {
    guard state.seenRevision < index.revision else { return }
    index.fences.pointee.forEachInitialPresence(at: Point(fix.coordinate), after: state.seenRevision) {
      fence in
      transitions.append(Transition(fence: fence, kind: .enter, time: fix.time, fix: fix, isInitial: true))
    }
    state.seenRevision = index.revision
  }

  /// Sorts the transitions of one fix by time, then by fence.
  func order(_ transitions: inout ArraySlice<Transition>) {
    transitions.sort { ($0.time, $0.fence) < ($1.time, $1.fence) }
  }
}
