import CalendarModel
import Geodesy

extension FenceEvaluator {
  /// The exact policy: a transition at each fix whose containment differs from that of the fix before.
  func evaluateExactly(
    _ fix: Fix, state: inout DeviceState, into transitions: inout [Transition]
  ) -> Admission {
    guard fix.coordinate.isValid else { return .rejected(.badCoordinate) }
    let here = Point(fix.coordinate)
    let first = transitions.count
    if let last = state.lastFix {
      guard fix.time > last.time else { return .rejected(fix.time == last.time ? .duplicate : .late) }
      if fix.coordinate != last.coordinate {
        let there = Point(last.coordinate)
        let seen = state.seenRevision
        index.forEachChange(from: there, to: here) { entry, inside in
          guard entry.fence.revision <= seen, let circle = entry.circle else { return }
          var transition = Transition(
            fence: entry.fence.id, kind: inside ? .enter : .leave, time: fix.time, fix: fix)
          if !fix.startsSegment {
            let fraction = Crossing.fraction(from: there, to: here, of: circle)
            transition.time = last.time.adding(seconds: fix.time.seconds(since: last.time) * fraction)
            transition.isInterpolated = true
          }
          transitions.append(transition)
        }
      }
    }
    if state.seenRevision < index.revision {
      index.forEachInitialPresence(at: here, after: state.seenRevision) { entry in
        transitions.append(
          Transition(fence: entry.fence.id, kind: .enter, time: fix.time, fix: fix, isInitial: true))
      }
      state.seenRevision = index.revision
    }
    state.lastFix = DeviceState.LastFix(
      time: fix.time, coordinate: fix.coordinate, accuracy: fix.horizontalAccuracy)
    if transitions.count > first + 1 {
      transitions[first...].sort { ($0.time, $0.fence) < ($1.time, $1.fence) }
    }
    return .admitted
  }
}
