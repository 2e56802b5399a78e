import CalendarModel
import Geodesy
import Geofencing

extension AlarmEngine {
  /// Weighs fixes of one device from `first` on, up to the first one with a consequence. Returns where to
  /// continue.
  ///
  /// Nearly all fixes have no consequence, so they decide the cost of a long trace. Device state and fences
  /// are fetched once.
  func weighRun(of fixes: [Fix], from first: Int) throws -> Int {
    let device = fixes[first].device
    let number = Int(device.rawValue)
    let before = try lastFix(of: device)
    if !loader.isAtHand(fixes[first].coordinate, after: before?.coordinate) {
      try loader.load(
        for: fixes[first].coordinate, after: before?.coordinate, into: &evaluator.index, &fenceAlarms)
    }
    let quiet = try quietTime()

    let evaluator = evaluator
    let tile = loader.last
    let isOnWall = clock != .trace
    var admitted = 0
    var heardAt: Instant?
    var now = now
    var state = states[number].take() ?? DeviceState()
    var lastTime = before?.time
    crossings.removeAll(keepingCapacity: true)
    var found: [Transition] = []
    swap(&found, &crossings)
    var next = first
    var last: (fix: Fix, admission: Admission)?
    repeat {
      let fix = fixes[next]
      let observer = observer(of: fix)
      let admission = evaluator.evaluate(fix, state: &state, into: &found, observer: observer)
      if let region = fix.verdict?.waypoint {
        evaluator.believe(fix, of: try fences(of: region), state: &state, into: &found, observer: observer)
      }
      next += 1
      if admission.isAdmission {
        gaps.note(device, from: lastTime, to: fix.time)
        lastTime = fix.time
      }
      let clockTime = isOnWall ? min(fix.time, now) : fix.time
      if !found.isEmpty || clockTime >= quiet {
        last = (fix, admission)
        break
      }
      if case .admitted = admission { admitted += 1 } else { counts.admissions.count(admission) }
      if admission.isAdmission {
        heardAt = fix.time
        now = max(now, clockTime)
      }
    } while next < fixes.count && fixes[next].device == device
      && FenceLoader.isAtHand(fixes[next].coordinate, in: tile)

    states[number] = state
    swap(&found, &crossings)
    heard.insert(device)
    if admitted > 0 { counts.admissions.count(admissions: admitted) }
    self.now = now
    if let heardAt { self.heardAt[number] = (heardAt, now) }
    if let last { try follow(last.fix, last.admission, crossings) }
    awaitRipening(of: number)
    return next
  }

  /// Until this time a fix has no consequence unless it crosses a boundary. The distant past if a caller
  /// wants each fix.
  private func quietTime() throws -> Instant {
    guard onFix == nil, onJudgement == nil, !keepsHistory, stays.isEmpty else { return .distantPast }
    try refillQueue()
    return min(queue.earliest?.time ?? .distantFuture, nextRipening ?? .distantFuture)
  }

  /// The clock's time when a fix comes.
  private func clockTime(of fix: Fix) -> Instant {
    switch clock {
    case .trace: fix.time
    case .wall: min(fix.time, now)
    }
  }

  /// Applies the consequences of a weighed fix.
  private func follow(_ fix: Fix, _ admission: Admission, _ crossings: [Transition]) throws {
    counts.admissions.count(admission)
    onFix?(fix, admission)
    guard admission.isAdmission else {
      // A verdict can count even if its position does not.
      for crossing in crossings { try take(crossing) }
      return
    }
    heardAt[Int(fix.device.rawValue)] = (fix.time, now)
    if keepsHistory { track.append(fix) }
    let now = holdRipened(crossings, before: fix)
    // Alarms that were due before the fix go off before its consequences.
    try passTime(to: clockTime(of: fix))
    try takeRipened(before: fix)
    for crossing in now { try take(crossing) }
  }
}
