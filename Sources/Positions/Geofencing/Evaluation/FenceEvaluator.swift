import FencepostGeodesy
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
  let silenceBeforeArriving: Doubt.Wait
  let silenceBeforeLeaving: Doubt.Wait
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
    silenceBeforeArriving = Doubt.Wait(seconds: parameters.silenceBeforeArriving)
    silenceBeforeLeaving = Doubt.Wait(seconds: parameters.silenceBeforeLeaving)
    strays = StrayTable(parameters)
    self.index = index
  }

  /// Weighs a fix of the device whose state is `state`, and appends what it settles to `transitions`, in the
  /// order of time, then of fence number.
  ///
  /// Pass fixes in the order in which they came. A rejected fix changes only what is needed to judge the next
  /// one. Allocates nothing if nothing happens.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - state: The state of the fix's device. It changes even if the fix is rejected.
  ///   - transitions: Gets the transitions. The ones that it has stay.
  ///   - observer: Receives the robust policy's judgement of the fix, boundary by boundary, for `explain`.
  ///     Without one it costs nothing.
  /// - Returns: Whether the fix counted, and if not, why.
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
    guard let last = state.lastFix, let revision = index[fence]?.revision,
      revision <= max(state.seenRevision, state.presenceRevision)
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
      let (seen, reported) = (state.seenRevision, state.presenceRevision)
      fences.pointee.forEachChange(from: there, to: here, vicinity: &state.vicinity) { slot, shape, inside in
        let look = fences.pointee.look(at: slot, inside: inside, seen: seen, reported: reported)
        if look == .ofPresence { return }
        let isFirstLook = look == .first
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

  /// Reports presence at a device's last position in fences that it has not seen yet, if they ask for it, as
  /// of `time`. Otherwise its next fix does so. For all others, the next fix is still the first look.
  public func reportPresence(
    of device: DeviceNumber, at time: Instant, state: inout DeviceState, into transitions: inout [Transition]
  ) {
    guard let last = state.lastFix else { return }
    let position = Fix(
      device: device, time: time, coordinate: last.coordinate, horizontalAccuracy: last.accuracy)
    let first = transitions.count
    let seen = max(state.seenRevision, state.presenceRevision)
    guard seen < index.revision else { return }
    index.fences.pointee.forEachInitialPresence(at: Point(last.coordinate), after: seen) { fence, _ in
      transitions.append(
        Transition(fence: fence, kind: .enter, time: time, fix: position, isInitial: true))
    }
    state.presenceRevision = index.revision
    order(&transitions[first...])
  }

  /// Reports presence in fences that the device sees for the first time, if they ask for it.
  func lookAtNewFences(_ fix: Fix, state: inout DeviceState, into transitions: inout [Transition]) {
    guard state.seenRevision < index.revision else { return }
    let fences = index.fences
    // Where the device was as its presence was last reported.
    let reported = state.presenceRevision
    let before = reported > state.seenRevision ? state.lastFix.map { Point($0.coordinate) } : nil
    let seen = state.seenRevision
    fences.pointee.forEachInitialPresence(at: Point(fix.coordinate), after: seen) { fence, slot in
      if let before, fences.pointee.revision(slot) <= reported,
        fences.pointee.shape(slot)?.contains(before) ?? false
      {
        return
      }
      transitions.append(Transition(fence: fence, kind: .enter, time: fix.time, fix: fix, isInitial: true))
    }
    state.seenRevision = index.revision
  }

  /// Sorts the transitions of one fix by time, then by fence.
  func order(_ transitions: inout ArraySlice<Transition>) {
    transitions.sort { ($0.time, $0.fence) < ($1.time, $1.fence) }
  }
}
