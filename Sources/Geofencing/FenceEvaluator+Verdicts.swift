import Geodesy
public import Spatiotemporal

extension FenceEvaluator {
  /// How many metres past the boundary, plus its error, a phone may be when it reports a crossing: Apple's
  /// systems wait until then. (developer.apple.com, "Monitoring the user's proximity to geographic regions")
  private static let farthestPast = 200.0

  /// Accepts what a phone reports about fences that it watches itself, after its fix was weighed.
  ///
  /// A phone that watches a region may send nothing else. So for that fence no position is weighed against
  /// the report. Reports older than the last position change nothing. The exact policy believes only
  /// positions.
  ///
  /// - Parameters:
  ///   - fix: the fix with the verdict.
  ///   - fences: the fences that the verdict names. Fences with the same extent are included.
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
          accuracy: last.accuracy ?? rules.parameters.assumedAccuracy, gain: 0, evidence: 0, needed: 0,
          circumstances: .verdict, outcome: .believed))
      transitions.append(
        Transition(
          fence: fence, kind: isInside ? .enter : .leave, time: fix.time, fix: fix, source: .phone))
    }
  }

  /// All fences with the same extent as one of `fences`, in ascending order.
  private func fencesAlike(_ fences: [FenceID]) -> [FenceID] {
    var alike = Set(fences)
    for fence in fences {
      guard case .circle(let center, _)? = index[fence]?.region else { continue }
      alike.formUnion(index.fences(containing: center).filter { index[$0]?.region == index[fence]?.region })
    }
    return alike.sorted()
  }

  /// Treats a device's first fix as the arrival that the phone reports, in fences whose boundary it may just
  /// have crossed.
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
  /// Whether it reports the phone inside its region; `nil` if it reports neither.
  fileprivate var saysInside: Bool? {
    switch kind {
    case .enter, .inside: true
    case .leave: false
    case .visit, .departure, .wakened: nil
    }
  }

  /// True if the phone's decision rests on more than the one position that comes with it.
  var isConclusion: Bool {
    switch kind {
    case .enter, .leave, .visit: true
    case .inside, .departure, .wakened: false
    }
  }
}
