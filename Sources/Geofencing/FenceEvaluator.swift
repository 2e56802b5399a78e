public import Spatiotemporal

/// Tells when devices cross the boundaries of fences.
///
/// A function of fences, the state of one device and a fix. Devices share nothing, so a copy of the evaluator
/// on each core can take some of them.
public struct FenceEvaluator: Sendable {
  /// What counts as having crossed a boundary.
  public var policy: Policy { isExact ? .exact : .robust(parameters) }
  private let isExact: Bool
  /// The robust policy's. Here, and not in an enumeration, whose payload would be copied at each fix.
  let parameters: RobustParameters
  // What follows from these, worked out once.
  let ripening: Doubt.Wait
  let leaveRipening: Doubt.Wait
  let strays: Doubt.Strays
  let straysAfterSilence: Doubt.Strays
  let straysOfRepeats: Doubt.Strays
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
    strays = Doubt.Strays(share: parameters.strays)
    straysAfterSilence = Doubt.Strays(share: parameters.straysAfterSilence)
    straysOfRepeats = Doubt.Strays(share: parameters.straysOfRepeats)
    self.index = index
  }

  /// Weighs a fix of the device whose state is `state`, and appends what it settles to `transitions`, in the
  /// order of their times, then of their fences' numbers.
  ///
  /// Fixes are to be given in the order in which they came. A fix that is turned away changes nothing but what
  /// is needed to judge the next one.
  /// Allocates nothing where nothing happens.
  ///
  /// - Parameter observer: told what the robust policy makes of the fix, boundary by boundary; for `explain`. Without one
  ///   it costs nothing. Why a fix was turned away is in the result.
  @discardableResult
  public func evaluate(
    _ fix: Fix, state: inout DeviceState, into transitions: inout [Transition],
    observer: ((Judgement) -> Void)? = nil
  ) -> Admission {
    if isExact { return evaluateExactly(fix, state: &state, into: &transitions) }
    if passesQuietly(fix, &state) { return .admitted }
    return evaluateRobustly(fix, state: &state, into: &transitions, observer)
  }

  /// True where the device is taken to be inside of a fence; `nil` where the fence is not known or the device
  /// has not had a look at it yet.
  public func isInside(_ fence: FenceID, _ state: DeviceState) -> Bool? {
    guard let last = state.lastFix, let revision = index[fence]?.revision, revision <= state.seenRevision
    else { return nil }
    if let doubt = state.doubts.first(where: { $0.fence == fence }) { return doubt.believesInside }
    return index.contains(fence, last.coordinate)
  }

  /// The fences that the device is taken to be inside of, in ascending order.
  public func fencesInside(_ state: DeviceState) -> [FenceID] {
    guard let last = state.lastFix else { return [] }
    let nearby =
      index.fences(containing: last.coordinate) + state.doubts.lazy.filter(\.believesInside).map(\.fence)
    return Set(nearby).filter { isInside($0, state) ?? false }.sorted()
  }
}
