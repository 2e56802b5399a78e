import Spatiotemporal

// Positions that a phone saved up and sends after later ones. What the device did meanwhile is found from what was known of it
// before it fell silent; where it is now stays as it is.
extension FenceEvaluator {
  /// How many crossings are remembered that late positions may find again.
  private static let mostTold = 64

  /// Keeps what is known before a silence.
  func keepPast(of state: inout DeviceState, until end: Instant) {
    state.past = nil
    state.past = DeviceState.Past(state: state, until: end)
  }

  /// Notes crossings that were told of since.
  func noteTold(_ transitions: ArraySlice<Transition>, _ state: inout DeviceState) {
    for transition in transitions where !transition.isLate {
      guard let count = state.past?.told.count, count < FenceEvaluator.mostTold else { return }
      state.past?.told.append(.init(fence: transition.fence, kind: transition.kind))
    }
  }

  /// Weighs a fix of the last silence for what it was. What follows from it and was not told of yet is late.
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
      let told = DeviceState.Past.Told(fence: transition.fence, kind: transition.kind)
      if let place = past.told.firstIndex(of: told) {
        past.told.remove(at: place)
      } else {
        transition.isLate = true
        transitions.append(transition)
      }
    }
    state.past = past
  }
}
