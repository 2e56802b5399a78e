import FencepostSpatiotemporal

// A phone may save positions and send them after later ones, perhaps newest first. The evaluator continues
// from the state before the silence to find what happened meanwhile.
extension FenceEvaluator {
  /// How many reported crossings to remember, in case late positions find them again. Each takes 9 bytes of a
  /// saved state.
  private static let maximumReported = 1_024
  /// How many late positions of a silence to keep, in case older ones come after them. Each takes about 40
  /// bytes of a saved state.
  private static let maximumLate = 1_024
  /// For how many of the last silences late positions count.
  private static let maximumSilences = 8

  /// Saves the state before a silence, or before the first fix.
  ///
  /// The late fixes of earlier silences need not be saved with each fix any longer: older ones than those
  /// hardly come after another silence.
  func keepPast(of state: inout DeviceState, until end: DeviceState.LastFix) {
    var pasts = state.pasts
    state.pasts = []
    for place in pasts.indices { settle(pasts[place].late.count, in: &pasts[place]) }
    let number = pasts.last.map { $0.number + 1 } ?? 0
    if pasts.count >= FenceEvaluator.maximumSilences {
      state.endedSilences.append(pasts.removeFirst().number)
    }
    var past = DeviceState.Past(number: number, state: state, until: end.time, end: end)
    // Only the state of now is saved in parts.
    past.state.endedSilences = []
    // It only saves work, and takes more memory than all others.
    past.state.vicinity = Vicinity()
    pasts.append(past)
    state.pasts = pasts
  }

  /// Records crossings that were reported since. If they are too many, late positions no longer count: to
  /// miss a crossing of then is better than to report others twice.
  func noteReported(_ transitions: ArraySlice<Transition>, _ state: inout DeviceState) {
    guard transitions.contains(where: { !$0.isLate }) else { return }
    for place in state.pasts.indices {
      for transition in transitions where !transition.isLate {
        state.pasts[place].reported.append(.init(fence: transition.fence, kind: transition.kind))
      }
    }
    let isFull = { (past: DeviceState.Past) in past.reported.count > FenceEvaluator.maximumReported }
    guard state.pasts.contains(where: isFull) else { return }
    state.endedSilences += state.pasts.filter(isFull).map(\.number)
    state.pasts.removeAll(where: isFull)
  }

  /// Undoes ``noteReported(_:_:)`` for the last crossing of `fence` in a direction.
  func forgetReported(_ fence: FenceID, _ kind: Transition.Kind, _ state: inout DeviceState) {
    for past in state.pasts.indices {
      let place = state.pasts[past].reported.lastIndex(of: .init(fence: fence, kind: kind))
      if let place { state.pasts[past].reported.remove(at: place) }
    }
  }

  /// Weighs a late fix of one of the last silences, in its place among the other late ones. New crossings
  /// that it finds are marked as late. False if the fix does not count.
  @inline(never)
  func weighLate(
    _ fix: Fix, state: inout DeviceState, into transitions: inout [Transition],
    _ observer: ((Judgement) -> Void)?
  ) -> Bool {
    guard let place = state.pasts.lastIndex(where: { $0.includes(fix.time) }) else { return false }
    var position =
      state.pasts[place].late.firstIndex { $0.time >= fix.time } ?? state.pasts[place].late.count
    if position < state.pasts[place].late.count, state.pasts[place].late[position].time == fix.time {
      return false
    }
    if state.pasts[place].late.count >= FenceEvaluator.maximumLate {
      let half = FenceEvaluator.maximumLate / 2
      guard position > half else { return false }
      settle(half, in: &state.pasts[place])
      position -= half
    }
    // Out of the array, so that changes copy nothing.
    var late: [Fix] = []
    swap(&late, &state.pasts[place].late)
    defer { swap(&late, &state.pasts[place].late) }
    var tip: DeviceState.Past.Tip
    if position == late.count, let known = state.pasts[place].tip {
      tip = known
    } else {
      tip = self.tip(of: late[..<position], from: state.pasts[place])
    }
    state.pasts[place].tip = nil
    var found: [Transition] = []
    let admission = weigh(fix, after: &tip, into: &found, observer)
    if case .rejected = admission { return false }
    late.insert(fix, at: position)
    state.pasts[place].unsaved.append(fix.time)
    for var later in late[(position + 1)...] {
      later.device = fix.device
      _ = weigh(later, after: &tip, into: &found, nil)
    }
    let new = reportLate(found, as: tip.found, in: &state.pasts[place], into: &transitions)
    let isOpen = !endings(of: tip, in: state.pasts[place]).isEmpty
    if state.pasts[place].isOpen != isOpen { state.pasts[place].isOpen = isOpen }
    if isOpen, let last = state.lastFix {
      state.closesLateAt = silenceBeforeArriving.time(after: last.time, gaps: 0).microseconds
      state.updateSettling()
    }
    if place == state.pasts.count - 1 { dropDoubts(settledBy: new, as: tip.state, &state) }
    state.pasts[place].tip = tip
    return admission.isAdmission
  }

  /// Reports late crossings, unless they were reported before.
  ///
  /// - Parameters:
  ///   - found: the crossings.
  ///   - all: all that late fixes lead to; ends with those of `found`.
  /// - Returns: the ones that are new.
  private func reportLate(
    _ found: [Transition], as all: [DeviceState.Past.Reported], in past: inout DeviceState.Past,
    into transitions: inout [Transition]
  ) -> [Transition] {
    // With too many to remember, to miss a crossing is better than to report others twice.
    let room = max(0, FenceEvaluator.maximumReported - past.reported.count)
    let new = Array(unreported(found, of: all, in: past).prefix(room))
    for var transition in new {
      past.reported.append(.init(fence: transition.fence, kind: transition.kind))
      transition.isLate = true
      transitions.append(transition)
    }
    return new
  }

  /// Reports the crossings between the last late fix of a silence and the fix that ended the silence: the
  /// device is where that fix says. They wait until no more late fixes come, which may show them better.
  func closeLate(
    of device: DeviceNumber, state: inout DeviceState, into transitions: inout [Transition]
  ) {
    state.closesLateAt = .max
    for place in state.pasts.indices where state.pasts[place].isOpen {
      state.pasts[place].isOpen = false
      let past = state.pasts[place]
      guard let last = past.late.last, let end = past.end else { continue }
      let tip = past.tip ?? self.tip(of: past.late[...], from: past)
      let position = Fix(
        device: device, time: end.time, coordinate: end.coordinate, horizontalAccuracy: end.accuracy)
      let found = endings(of: tip, in: past).map { ending, fraction in
        Transition(
          fence: ending.fence, kind: ending.kind,
          time: last.time.adding(seconds: fraction * end.time.seconds(since: last.time)),
          confirmedAt: end.time, fix: position, isInterpolated: true)
      }
      let all = tip.found + found.map { .init(fence: $0.fence, kind: $0.kind) }
      _ = reportLate(found, as: all, in: &state.pasts[place], into: &transitions)
    }
  }

  /// How the fences that late fixes crossed were crossed again before the fix that ended the silence, and where
  /// on the way to it.
  ///
  /// That fix decides if it is clear, or if nothing else was reported since.
  private func endings(
    of tip: DeviceState.Past.Tip, in past: DeviceState.Past
  ) -> [(crossing: DeviceState.Past.Reported, fraction: Double)] {
    guard let end = past.end, let last = tip.state.lastFix else { return [] }
    let here = Point(end.coordinate)
    var others: [FenceID: Int] = [:]
    for crossing in past.reported { others[crossing.fence, default: 0] += 1 }
    for crossing in tip.found { others[crossing.fence, default: 0] -= 1 }
    let fences = index.fences
    return Set(tip.found.map(\.fence)).sorted().compactMap { fence in
      guard let slot = fences.pointee.slot(of: fence, guess: -1), let shape = fences.pointee.shape(slot),
        let wasInside = isInside(fence, tip.state)
      else { return nil }
      let isInside = shape.contains(here)
      let isSame = others[fence] == 0 && self.isInside(fence, past.state) == isInside
      guard isInside != wasInside, isSame || abs(shape.depth(here)) > end.accuracy ?? 0 else { return nil }
      let there = Point(last.coordinate)
      return (
        .init(fence: fence, kind: isInside ? .enter : .leave),
        shape.contains(there) == isInside ? 0 : shape.crossing(from: there, to: here)
      )
    }
  }

  /// The state after late fixes.
  private func tip(of late: ArraySlice<Fix>, from past: DeviceState.Past) -> DeviceState.Past.Tip {
    var tip = DeviceState.Past.Tip(state: past.state)
    var found: [Transition] = []
    for fix in late { _ = weigh(fix, after: &tip, into: &found, nil) }
    return tip
  }

  /// Weighs one late fix after others.
  private func weigh(
    _ fix: Fix, after tip: inout DeviceState.Past.Tip, into found: inout [Transition],
    _ observer: ((Judgement) -> Void)?
  ) -> Admission {
    let first = found.count
    let admission = evaluateRobustly(fix, state: &tip.state, into: &found, observer)
    tip.state.pasts = []
    // Presence then is no news now.
    found.removeSubrange(first..., where: \.isInitial)
    for transition in found[first...] {
      tip.found.append(.init(fence: transition.fence, kind: transition.kind))
    }
    return admission
  }

  /// The crossings of `found` that were not reported. They are the last of `all` that late fixes lead to.
  private func unreported(
    _ found: [Transition], of all: [DeviceState.Past.Reported], in past: DeviceState.Past
  ) -> [Transition] {
    guard !found.isEmpty else { return [] }
    var rest: [DeviceState.Past.Reported: Int] = [:]
    for crossing in past.reported { rest[crossing, default: 0] += 1 }
    /// Whether a crossing was reported, once more than it was asked for.
    func wasReported(_ crossing: DeviceState.Past.Reported) -> Bool {
      guard let count = rest[crossing], count > 0 else { return false }
      rest[crossing] = count - 1
      return true
    }
    // The ones before.
    for crossing in all.dropLast(found.count) { _ = wasReported(crossing) }
    // The latest first: if they come newest first, those were reported.
    let new = found.reversed().filter { !wasReported(.init(fence: $0.fence, kind: $0.kind)) }
    return new.reversed()
  }

  /// Advances the start of a past over so many of its oldest late fixes, which are removed.
  private func settle(_ count: Int, in past: inout DeviceState.Past) {
    let late = past.late[..<count]
    guard let last = late.last else { return }
    let isAll = count == past.late.count
    let tip = isAll ? past.tip ?? self.tip(of: late, from: past) : self.tip(of: late, from: past)
    past.state = tip.state
    if isAll { past.tip = nil }
    for crossing in tip.found {
      if let place = past.reported.firstIndex(of: crossing) { past.reported.remove(at: place) }
      if let place = past.tip?.found.firstIndex(of: crossing) { past.tip?.found.remove(at: place) }
    }
    past.late.removeFirst(count)
    past.settledThrough = last.time
    past.unsaved.removeAll { $0 <= last.time }
  }

  /// Drops the current doubts about crossings that late fixes have settled, so that no alarm goes off twice.
  private func dropDoubts(settledBy crossings: [Transition], as past: DeviceState, _ state: inout DeviceState)
  {
    guard let last = state.lastFix, !crossings.isEmpty else { return }
    state.doubts.removeAll { doubt in
      let isInside = !doubt.believesInside
      return crossings.contains { $0.fence == doubt.fence && ($0.kind == .enter) == isInside }
        && index.contains(doubt.fence, last.coordinate) == isInside
        && self.isInside(doubt.fence, past) == isInside
    }
    state.updateSettling()
  }
}

extension Array {
  /// Removes the elements of a range that satisfy a condition.
  fileprivate mutating func removeSubrange(
    _ range: PartialRangeFrom<Int>, where isMeant: (Element) -> Bool
  ) {
    guard self[range].contains(where: isMeant) else { return }
    replaceSubrange(range, with: self[range].filter { !isMeant($0) })
  }
}
