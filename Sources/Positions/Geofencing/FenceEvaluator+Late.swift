import FencepostSpatiotemporal

// A phone may save positions and send them after later ones. The evaluator continues from the state before
// the silence to find what happened meanwhile. The current state does not change.
extension FenceEvaluator {
  /// How many reported crossings to remember, in case late positions find them again. Each takes 9 bytes of a saved state.
  private static let mostReported = 1_024

  /// Saves the state before a silence.
  func keepPast(of state: inout DeviceState, until end: Instant) {
    state.past = nil
    state.past = DeviceState.Past(state: state, until: end)
  }

  /// Records crossings that were reported since. If they are too many, late positions no longer count: to miss a
  /// crossing of then is better than to report others twice.
  func noteReported(_ transitions: ArraySlice<Transition>, _ state: inout DeviceState) {
    guard transitions.contains(where: { !$0.isLate }), var past = state.past else { return }
    state.past = nil
    for transition in transitions where !transition.isLate {
      past.reported.append(.init(fence: transition.fence, kind: transition.kind))
    }
    if past.reported.count <= FenceEvaluator.mostReported { state.past = past }
  }

  /// Undoes ``noteReported(_:_:)`` for the last crossing of `fence` in a direction.
  func forgetReported(_ fence: FenceID, _ kind: Transition.Kind, _ state: inout DeviceState) {
    guard let place = state.past?.reported.lastIndex(of: .init(fence: fence, kind: kind)) else { return }
    state.past?.reported.remove(at: place)
  }

  /// Weighs a late fix of the last silence. New crossings that it finds are marked as late. False if the fix does not
  /// count.
  @inline(never)
  func weighLate(
    _ fix: Fix, state: inout DeviceState, into transitions: inout [Transition],
    _ observer: ((Judgement) -> Void)?
  ) -> Bool {
    guard var past = state.past, fix.time < past.until, let last = past.state.lastFix, fix.time > last.time
    else { return false }
    var found: [Transition] = []
    let admission = evaluateRobustly(fix, state: &past.state, into: &found, observer)
    past.state.past = nil
    for var transition in found {
      let reported = DeviceState.Past.Reported(fence: transition.fence, kind: transition.kind)
      if let place = past.reported.firstIndex(of: reported) {
        past.reported.remove(at: place)
      } else {
        transition.isLate = true
        transitions.append(transition)
      }
    }
    state.past = past
    return admission.isAdmission
  }
}
