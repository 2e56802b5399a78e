import Geodesy
public import Spatiotemporal

extension FenceEvaluator {
  /// So many metres a phone may be past the boundary that it says it has crossed, beside its error: Apple's systems wait until it
  /// is so far. (developer.apple.com, "Monitoring the user's proximity to geographic regions")
  private static let farthestPast = 200.0

  /// Believes what a phone says of fences that it watches itself, after its fix was weighed.
  ///
  /// A phone that watches a region may send nothing else. So where that is the fence, no position is weighed against it. What
  /// is older than the last position changes nothing. Under the exact policy nothing is believed but positions.
  ///
  /// - Parameters:
  ///   - fix: The fix with the verdict.
  ///   - fences: The fences that the verdict names. Those of the same extent are meant too.
  public func believe(
    _ fix: Fix, of fences: [FenceID], state: inout DeviceState, into transitions: inout [Transition],
    observer: ((Judgement) -> Void)? = nil
  ) {
    guard case .robust = policy, let last = state.lastFix, fix.time >= last.time,
      let isInside = fix.verdict?.saysInside
    else { return }
    for fence in fencesAlike(fences) where index[fence].map({ $0.revision <= state.seenRevision }) ?? false {
      let wasInside = self.isInside(fence, state) ?? false
      state.doubts.removeAll { $0.fence == fence }
      if index.contains(fence, last.coordinate) != isInside {
        state.doubts.append(Doubt(fence: fence, believesInside: isInside, isInterpolated: true))
      }
      state.noteRipening()
      guard wasInside != isInside else { continue }
      observer?(
        Judgement(
          fence: fence, time: fix.time, believedInside: wasInside,
          depth: index.depth(of: fence, at: last.coordinate) ?? 0,
          accuracy: last.accuracy ?? parameters.assumedAccuracy, gain: 0, evidence: 0, needed: 0,
          circumstances: .verdict, outcome: .believed))
      transitions.append(
        Transition(
          fence: fence, kind: isInside ? .enter : .leave, time: fix.time, fix: fix, source: .phone))
    }
  }

  /// The fences of the same extent as any of some.
  private func fencesAlike(_ fences: [FenceID]) -> Set<FenceID> {
    var alike = Set(fences)
    for fence in fences {
      guard case .circle(let center, _)? = index[fence]?.region else { continue }
      alike.formUnion(index.fences(containing: center).filter { index[$0]?.region == index[fence]?.region })
    }
    return alike
  }

  /// Takes a device's first fix for the arrival that the phone says it is, in fences whose boundary it can just have crossed.
  func takeFirstEntry(
    _ fix: Fix, accuracy: Double, state: borrowing DeviceState, into transitions: inout [Transition],
    _ observer: ((Judgement) -> Void)?
  ) {
    guard fix.verdict?.kind == .enter else { return }
    let first = transitions.count
    for fence in index.fences(containing: fix.coordinate) {
      guard let depth = index.depth(of: fence, at: fix.coordinate),
        -depth <= FenceEvaluator.farthestPast + accuracy,
        !transitions.contains(where: { $0.fence == fence })
      else { continue }
      observer?(
        Judgement(
          fence: fence, time: fix.time, believedInside: false, depth: depth, accuracy: accuracy, gain: 0,
          evidence: 0, needed: 0, circumstances: .verdict, outcome: .crossed))
      transitions.append(Transition(fence: fence, kind: .enter, time: fix.time, fix: fix, source: .phone))
    }
    if transitions.count > first + 1 { order(&transitions[first...]) }
  }
}

extension PhoneVerdict {
  /// Whether it says that the phone is in its region; `nil` where it says neither.
  fileprivate var saysInside: Bool? {
    switch kind {
    case .enter, .inside: true
    case .leave: false
    case .visit, .departure, .wakened: nil
    }
  }

  /// True where the phone has weighed more than the one position that comes with it.
  var isConclusion: Bool {
    switch kind {
    case .enter, .leave, .visit: true
    case .inside, .departure, .wakened: false
    }
  }
}
