public import FencepostSpatiotemporal

/// Reports when devices cross the boundaries of fences.
///
/// A function of fences, the state of one device and a fix. Devices share nothing, so each core can take some
/// of them with its own copy of the evaluator.
public struct FenceEvaluator: Sendable {
  /// What counts as having crossed a boundary.
  public var policy: Policy { isExact ? .exact : .robust(parameters) }
  private let isExact: Bool
  /// The robust policy's. Not in an enumeration, because its payload would be copied at each fix.
  let parameters: RobustParameters
  // Derived from these, computed once.
  let ripening: Doubt.Wait
  let leaveRipening: Doubt.Wait
  let strays: StrayTable
  /// The fences. They may be changed between fixes.
  public var index: FenceIndex

  /// An evaluator of `policy` over `index`.
  public init(policy: Policy, index: FenceIndex = FenceIndex()) {
    switch policy {
    case .exact:
      isExact = true
      parameters = RobustParameters()
    case .robust(let parameters):
      isExact = false
      self.parameters = parameters
    }
    ripening = Doubt.Wait(seconds: parameters.ripening)
    leaveRipening = Doubt.Wait(seconds: parameters.leaveRipening)
    strays = StrayTable(parameters)
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
