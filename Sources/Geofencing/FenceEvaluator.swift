public import Spatiotemporal

/// Reports when devices cross the boundaries of fences.
///
/// A function of fences, the state of one device and a fix. Devices share nothing, so each core can take some
/// of them with its own copy of the evaluator.
public struct FenceEvaluator: Sendable {
  /// What counts as having crossed a boundary.
  public var policy: Policy { isExact ? .exact : .robust(rules.parameters) }
  private let isExact: Bool
  let rules: Rules
  /// The fences. They may be changed between fixes.
  public var index: FenceIndex

  /// The robust policy's parameters, and what is derived from them, computed once. A class, because an engine copies
  /// its evaluator for each run of fixes of a device.
  final class Rules: Sendable {
    let parameters: RobustParameters
    let ripening: Doubt.Wait
    let leaveRipening: Doubt.Wait
    let strays: StrayTable

    init(_ parameters: RobustParameters) {
      self.parameters = parameters
      ripening = Doubt.Wait(seconds: parameters.ripening)
      leaveRipening = Doubt.Wait(seconds: parameters.leaveRipening)
      strays = StrayTable(parameters)
    }
  }

  /// An evaluator of `policy` over `index`.
  public init(policy: Policy, index: FenceIndex = FenceIndex()) {
    switch policy {
    case .exact:
      isExact = true
      rules = Rules(RobustParameters())
    case .robust(let parameters):
      isExact = false
      rules = Rules(parameters)
    }
    self.index = index
  }

  /// Weighs a fix of the device whose state is `state`, and appends what it settles to `transitions`, in the
  /// order of time, then of fence number.
  ///
  /// Pass fixes in the order in which they came. A rejected fix changes only what is needed to judge the next
  /// one. Allocates nothing if nothing happens.
  ///
  /// - Parameter observer: receives the robust policy's judgement of the fix, boundary by boundary; for
  ///   `explain`. Free without one. The result says why a fix was rejected.
  @discardableResult
  public func evaluate(
    _ fix: Fix, state: inout DeviceState, into transitions: inout [Transition],
    observer: ((Judgement) -> Void)? = nil
  ) -> Admission {
    if isExact { return evaluateExactly(fix, state: &state, into: &transitions) }
    if passesQuietly(fix, &state) { return .admitted }
    return evaluateRobustly(fix, state: &state, into: &transitions, observer)
  }

  /// True if the device is believed to be inside a fence; `nil` if the fence is unknown or the device has not
  /// seen it yet.
  public func isInside(_ fence: FenceID, _ state: DeviceState) -> Bool? {
    guard let last = state.lastFix, let revision = index[fence]?.revision, revision <= state.seenRevision
    else { return nil }
    if let doubt = state.doubts.first(where: { $0.fence == fence }) { return doubt.believesInside }
    return index.contains(fence, last.coordinate)
  }

  /// The fences that the device is believed to be inside, in ascending order.
  public func fencesInside(_ state: DeviceState) -> [FenceID] {
    guard let last = state.lastFix else { return [] }
    let nearby =
      index.fences(containing: last.coordinate) + state.doubts.lazy.filter(\.believesInside).map(\.fence)
    return Set(nearby).filter { isInside($0, state) ?? false }.sorted()
  }
}
