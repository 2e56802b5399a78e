import FencepostGeodesy
public import FencepostSpatiotemporal

extension FenceEvaluator {
  /// How many metres past the boundary, plus its error, a phone may be when it reports a crossing: Apple's
  /// systems wait until then. (developer.apple.com, "Monitoring the user's proximity to geographic regions")
  private static let maximumDistancePast = 200.0

  /// Accepts what a phone reports about fences that it watches itself, after its fix was weighed.
  ///
  /// A phone that watches a region may send nothing else. So for that fence no position is weighed against
  /// the report: a phone that reports that it is inside does not leave by the position of the same message.
  /// Reports older than the last position change nothing. The exact policy believes only positions.
  ///
  /// - Parameters:
  ///   - fix: the fix with the verdict.
  ///   - fences: the fences that the verdict names. Fences with the same extent are included.
  ///   - state: the state of the phone.
  ///   - transitions: gets the transitions.
  ///   - observer: receives a judgement for each fence.
  public func applyVerdict(
    _ fix: Fix, of fences: [FenceID], state: inout DeviceState, into transitions: inout [Transition],
    observer: ((Judgement) -> Void)? = nil
  ) {
    guard case .robust = policy, let last = state.lastFix, fix.time >= last.time,
      let isInside = fix.verdict?.saysInside
    else { return }
    var crossings: [Transition] = []
    for fence in fencesAlike(fences) where index[fence].map({ $0.revision <= state.seenRevision }) ?? false {
      guard isCredible(fix, of: fence) else { continue }
      let wasInside = self.isInside(fence, state) ?? false
      state.doubts.removeAll { $0.fence == fence }
      if index.contains(fence, last.coordinate) != isInside {
        var doubt = Doubt(fence: fence, believesInside: isInside, isInterpolated: true)
        // If the position of the report did not count, the time until the report was not spent beyond.
        doubt.secondsBeyond = last.time.seconds(since: fix.time)
        state.doubts.append(doubt)
      }
      state.updateSettling()
      guard wasInside != isInside else { continue }
      let isRevoked = isInside && revokeLeave(of: fence, by: fix, state: &state, from: &transitions)
      observer?(
        Judgement(
          fence: fence, time: fix.time, believedInside: isRevoked || wasInside,
          depth: index.depth(of: fence, at: last.coordinate) ?? 0,
          accuracy: last.accuracy ?? parameters.assumedAccuracy, gain: 0, evidence: 0, needed: 0,
          circumstances: .verdict, outcome: isRevoked ? .overruled : .reportedByPhone))
      if isRevoked { continue }
      crossings.append(
        Transition(
          fence: fence, kind: isInside ? .enter : .leave, time: fix.time, fix: fix, source: .phone))
    }
    if state.hasPast { noteReported(crossings[...], &state) }
    transitions += crossings
  }

  /// Whether to believe the report about a fence. A phone that missed its own leave goes on reporting that it
  /// is inside, from any distance. Reports of a crossing are believed wherever their position is.
  private func isCredible(_ fix: Fix, of fence: FenceID) -> Bool {
    guard fix.verdict?.kind == .inside, let depth = index.depth(of: fence, at: fix.coordinate) else {
      return true
    }
    return depth <= FenceEvaluator.maximumDistancePast
      + (fix.horizontalAccuracy ?? parameters.assumedAccuracy)
  }

  /// Removes the leave that the position of `fix` itself settled. Returns false if it settled no leave.
  private func revokeLeave(
    of fence: FenceID, by fix: Fix, state: inout DeviceState, from transitions: inout [Transition]
  ) -> Bool {
    let place = transitions.lastIndex {
      $0.fence == fence && $0.kind == .leave && $0.fix == fix && $0.confirmedAt == fix.time && !$0.isLate
    }
    guard let place else { return false }
    transitions.remove(at: place)
    if state.hasPast { forgetReported(fence, .leave, &state) }
    return true
  }

  /// All fences with the same extent as one of `fences`, in ascending order.
  private func fencesAlike(_ fences: [FenceID]) -> [FenceID] {
    var alike = Set(fences)
    for fence in fences {
      if let region = index[fence]?.region { alike.formUnion(index.fences(alike: region)) }
    }
    return alike.sorted()
  }

  /// Treats a device's first fix as the arrival that the phone reports, in fences whose boundary it may just
  /// have crossed.
  func applyFirstEntry(
    _ fix: Fix, accuracy: Double, state: borrowing DeviceState, into transitions: inout [Transition],
    _ observer: ((Judgement) -> Void)?
  ) {
    guard fix.verdict?.kind == .enter else { return }
    for fence in index.fences(containing: fix.coordinate) {
      guard let depth = index.depth(of: fence, at: fix.coordinate),
        -depth <= FenceEvaluator.maximumDistancePast + accuracy,
        !transitions.contains(where: { $0.fence == fence })
      else { continue }
      observer?(
        Judgement(
          fence: fence, time: fix.time, believedInside: false, depth: depth, accuracy: accuracy, gain: 0,
          evidence: 0, needed: 0, circumstances: .verdict, outcome: .crossed))
      transitions.append(Transition(fence: fence, kind: .enter, time: fix.time, fix: fix, source: .phone))
    }
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
