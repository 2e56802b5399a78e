import CalendarModel
import Geodesy
import Geofencing

extension AlarmEngine {
  /// Weighs fixes of one device from `first` on, up to the first that leads to something; returns where to go on.
  ///
  /// Nearly all fixes lead to nothing, so what they cost is what a long trace costs: the device's state and the fences
  /// are taken in hand once.
  func weighRun(of fixes: [Fix], from first: Int) throws -> Int {
    let device = fixes[first].device
    let number = Int(device.rawValue)
    try makeState(of: device)
    try loader.load(
      for: fixes[first].coordinate, after: states[number]?.lastFix?.coordinate, into: &evaluator.index,
      &fenceAlarms)
    let quiet = try quietTime()

    let evaluator = evaluator
    let loader = loader
    let isOnWall = clock != .trace
    var counted = AdmissionCounts()
    var heardAt: Instant?
    var now = now
    var state = states[number] ?? DeviceState()
    states[number] = nil
    var before = state.lastFix?.time
    crossings.removeAll(keepingCapacity: true)
    var found: [Transition] = []
    swap(&found, &crossings)
    var next = first
    var last: (fix: Fix, admission: Admission)?
    repeat {
      let fix = fixes[next]
      let observer = onJudgement.map { tell in { (judgement: Judgement) in tell(fix, judgement) } }
      let admission = evaluator.evaluate(fix, state: &state, into: &found, observer: observer)
      next += 1
      if admission.isAdmission {
        gaps.note(device, from: before, to: fix.time)
        before = fix.time
      }
      let clockTime = isOnWall ? min(fix.time, now) : fix.time
      if !found.isEmpty || clockTime >= quiet {
        last = (fix, admission)
        break
      }
      counted.count(admission)
      if admission.isAdmission {
        heardAt = fix.time
        now = max(now, clockTime)
      }
    } while next < fixes.count && fixes[next].device == device && loader.isAtHand(fixes[next].coordinate)

    states[number] = state
    swap(&found, &crossings)
    heard.insert(device)
    counts.admissions.add(counted)
    self.now = now
    if let heardAt { self.heardAt[number] = (heardAt, now) }
    if let last { try follow(last.fix, last.admission, crossings) }
    awaitRipening(of: number)
    return next
  }

  /// Weighs fixes on all cores, where that pays; `false`, and nothing is done, where it does not.
  func weighInParallel(_ fixes: [Fix]) throws -> Bool {
    guard cores > 1, fixes.count >= ParallelWeighing.leastFixes, onJudgement == nil,
      fixes.contains(where: { $0.device != fixes[0].device })
    else { return false }
    // On a trace, fixes of one device tell how long another was silent. That can be told afterwards only where they are in
    // the order of their times, as traces are merged.
    guard clock != .trace || zip(fixes, fixes.dropFirst()).allSatisfy({ $0.time <= $1.time }) else {
      return false
    }
    for fix in fixes where !heard.contains(fix.device) {
      try makeState(of: fix.device)
      heard.insert(fix.device)
    }
    guard try loadFences(around: fixes) else { return false }
    var outcomes = ParallelWeighing.weigh(fixes, states: &states, by: evaluator, cores: cores)
    for index in outcomes.indices where !outcomes[index].transitions.isEmpty {
      outcomes[index].transitions = holdRipened(outcomes[index].transitions, before: fixes[index])
    }
    for device in heard.members { awaitRipening(of: Int(device.rawValue)) }
    var counted = AdmissionCounts()
    var next = 0
    while next < fixes.count {
      next = try passQuietly(fixes, outcomes, from: next, &counted)
      guard next < fixes.count else { break }
      if outcomes[next].admission.isAdmission {
        gaps.note(fixes[next].device, from: outcomes[next].before, to: fixes[next].time)
      }
      try follow(fixes[next], outcomes[next].admission, outcomes[next].transitions)
      next += 1
    }
    counts.admissions.add(counted)
    try takeRipened()
    // On the wall it counts when they were heard, too.
    for device in heard.members { awaitRipening(of: Int(device.rawValue)) }
    return true
  }

  /// Counts fixes that were weighed, from `first` on, up to the first that leads to something; returns where that is.
  private func passQuietly(
    _ fixes: [Fix], _ outcomes: [ParallelWeighing.Outcome], from first: Int, _ counted: inout AdmissionCounts
  ) throws -> Int {
    let quiet = try quietTime()
    let isOnWall = clock != .trace
    var now = now
    // Out of the engine for a while, as each look at what an object holds is checked.
    var heardAt: [(time: Instant, wall: Instant)?] = []
    swap(&heardAt, &self.heardAt)
    var next = first
    while next < fixes.count, outcomes[next].transitions.isEmpty {
      let time = fixes[next].time
      let clockTime = isOnWall ? min(time, now) : time
      guard clockTime < quiet else { break }
      counted.count(outcomes[next].admission)
      if outcomes[next].admission.isAdmission {
        let device = fixes[next].device
        gaps.note(device, from: outcomes[next].before, to: time)
        heardAt[Int(device.rawValue)] = (time, now)
        now = max(now, clockTime)
      }
      next += 1
    }
    swap(&heardAt, &self.heardAt)
    self.now = now
    return next
  }

  /// Until when a fix leads to nothing unless it crosses a boundary: no time comes before that anything waits for, and
  /// nobody wants to be told of each fix.
  private func quietTime() throws -> Instant {
    guard onFix == nil, onJudgement == nil, !keepsHistory, stays.isEmpty else { return .distantPast }
    try refillQueue()
    return min(queue.earliest?.time ?? .distantFuture, nextRipening ?? .distantFuture)
  }

  /// What time it is when a fix comes.
  private func clockTime(of fix: Fix) -> Instant {
    switch clock {
    case .trace: fix.time
    case .wall: min(fix.time, now)
    }
  }

  /// Loads the fences that may be needed for `fixes`, as they can't be loaded while others look for them; `false` where
  /// that are too many.
  private func loadFences(around fixes: [Fix]) throws -> Bool {
    var places = fixes.map(\.coordinate)
    // In place: a state taken out of the array would be copied.
    states.withUnsafeBufferPointer { states in
      for device in heard.members {
        if let before = states[Int(device.rawValue)]?.lastFix?.coordinate { places.append(before) }
      }
    }
    // Nearly always all are near one another.
    if try loader.load(around: places, into: &evaluator.index, &fenceAlarms) { return true }
    let devices = Dictionary(grouping: fixes, by: \.device)
    for (device, fixes) in devices {
      let before = states[Int(device.rawValue)]?.lastFix.map { [$0.coordinate] } ?? []
      let places = before + fixes.map(\.coordinate)
      guard try loader.load(around: places, into: &evaluator.index, &fenceAlarms) else { return false }
    }
    return true
  }

  /// Does what a fix that was weighed leads to.
  private func follow(_ fix: Fix, _ admission: Admission, _ crossings: [Transition]) throws {
    counts.admissions.count(admission)
    onFix?(fix, admission)
    guard admission.isAdmission else { return }
    heardAt[Int(fix.device.rawValue)] = (fix.time, now)
    if keepsHistory { track.append(fix) }
    let now = holdRipened(crossings, before: fix)
    // What was due before the fix goes off before what the fix leads to.
    try passTime(to: clockTime(of: fix))
    try takeRipened(before: fix)
    for crossing in now { try take(crossing) }
  }
}

extension Admission {
  /// True where the fix was weighed.
  fileprivate var isAdmission: Bool {
    switch self {
    case .admitted, .admittedWithHeld: true
    case .rejected, .held: false
    }
  }
}
