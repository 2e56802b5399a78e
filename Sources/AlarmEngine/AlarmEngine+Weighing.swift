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
      for: fixes[first].coordinate, after: states[number]?.lastFix?.coordinate, into: &evaluator.index)
    let quiet = try quietTime()

    let evaluator = evaluator
    let loader = loader
    let isOnWall = clock != .trace
    var counted = AdmissionCounts()
    var heardAt: Instant?
    var now = now
    var state = states[number] ?? DeviceState()
    states[number] = nil
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
    return next
  }

  /// Weighs fixes on all cores, where that pays; `false`, and nothing is done, where it does not.
  func weighInParallel(_ fixes: [Fix]) throws -> Bool {
    guard cores > 1, fixes.count >= ParallelWeighing.leastFixes, onJudgement == nil,
      fixes.contains(where: { $0.device != fixes[0].device })
    else { return false }
    for fix in fixes { try makeState(of: fix.device) }
    guard try loadFences(around: fixes) else { return false }
    let outcomes = ParallelWeighing.weigh(fixes, states: &states, by: evaluator, cores: cores)
    var quiet = try quietTime()
    var counted = AdmissionCounts()
    for (fix, outcome) in zip(fixes, outcomes) {
      heard.insert(fix.device)
      if outcome.transitions.isEmpty && clockTime(of: fix) < quiet {
        counted.count(outcome.admission)
        if outcome.admission.isAdmission {
          heardAt[Int(fix.device.rawValue)] = (fix.time, now)
          now = max(now, clockTime(of: fix))
        }
      } else {
        try follow(fix, outcome.admission, outcome.transitions)
        quiet = try quietTime()
      }
    }
    counts.admissions.add(counted)
    return true
  }

  /// Until when a fix leads to nothing unless it crosses a boundary: no time comes before that anything waits for, and
  /// nobody wants to be told of each fix.
  private func quietTime() throws -> Instant {
    guard onFix == nil, onJudgement == nil, !keepsHistory, stays.isEmpty else { return .distantPast }
    try refillQueue()
    return queue.earliest?.time ?? .distantFuture
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
    let before = fixes.compactMap { states[Int($0.device.rawValue)]?.lastFix?.coordinate }
    // Nearly always all are near one another.
    if try loader.load(around: before + fixes.map(\.coordinate), into: &evaluator.index) { return true }
    let devices = Dictionary(grouping: fixes, by: \.device)
    for (device, fixes) in devices {
      let before = states[Int(device.rawValue)]?.lastFix.map { [$0.coordinate] } ?? []
      guard try loader.load(around: before + fixes.map(\.coordinate), into: &evaluator.index) else {
        return false
      }
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
    // What was due before the fix goes off before what the fix leads to.
    try passTime(to: clockTime(of: fix))
    for crossing in crossings { try take(crossing) }
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
