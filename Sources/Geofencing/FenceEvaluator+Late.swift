import Spatiotemporal

// A phone may save positions and send them after later ones. The evaluator continues from the state before
// the silence to find what happened meanwhile. The current state does not change.
extension FenceEvaluator {
  /// How many reported crossings to remember, in case late positions find them again.
  private static let mostReported = 64

  /// Saves the state before a silence.
  func keepPast(of state: inout DeviceState, until end: Instant) {
    state.past = nil
    state.past = DeviceState.Past(state: state, until: end)
  }

  /// Records crossings that were reported since.
  func noteReported(_ transitions: ArraySlice<Transition>, _ state: inout DeviceState) {
    for transition in transitions where !transition.isLate {
      guard let count = state.past?.reported.count, count < FenceEvaluator.mostReported else { return }
      state.past?.reported.append(.init(fence: transition.fence, kind: transition.kind))
    }
  }

  /// Undoes ``noteReported(_:_:)`` for the last crossing of `fence` in a direction.
  func forgetReported(_ fence: FenceID, _ kind: Transition.Kind, _ state: inout DeviceState) {
    guard let place = state.past?.reported.lastIndex(of: .init(fence: fence, kind: kind)) else { return }
    state.past?.reported.remove(at: place)
  }

  /// Weighs a late fix of the last silence. New crossings that it finds are marked as late.
  @inline(never)
  func weighLate(
    _ fix: Fix, state: inout DeviceState, into transitions: inout [Transition],
    _ observer: ((Judgement) -> Void)?
  ) {
    guard var past = state.past, fix.time < past.until, let last = past.state.lastFix, fix.time > last.time
    else { return }
    var found: [Transition] = []
    _ = evaluateRobustly(fix, state: &past.state, into: &found, observer)
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
  }
}
