import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing
import FencepostRecurrence

extension AlarmEngine {
  /// The evaluator's fence for a stored one.
  static func fence(_ stored: StoredFence) -> Fence {
    // A stay counts from the first look at a device that is already inside.
    let isStay = if case .dwell = stored.trigger.event { true } else { false }
    return Fence(
      id: FenceID(rawValue: stored.number), region: stored.region,
      reportsInitialPresence: stored.trigger.firesIfInside || isStay,
      seesPassing: stored.trigger.includesPassing)
  }

  /// Passes the judgements of a fix on, for each alarm that has the fence.
  func reportJudgements(of fix: Fix) {
    guard let onJudgement, !judgements.isEmpty else { return }
    let all = judgements
    judgements.removeAll()
    for var judgement in all {
      for number in fenceAlarms.alarms(of: judgement.fence) {
        judgement.fence = FenceID(rawValue: number)
        onJudgement(fix, judgement)
      }
    }
  }

  /// The fences that a phone means by a region: the one that it got under this number, or those of the item
  /// that an import made of its waypoint.
  func fences(of region: WaypointKey) throws -> [FenceID] {
    if let number = region.fence {
      let fence = fenceAlarms.fence(ofAlarm: number)
      if tracker.evaluator.index[fence] != nil { return [fence] }
      // The alarm is silent now. The phone still watches its place, perhaps for other alarms.
      return try store.read { try $0.region(ofFence: number) }
        .map { tracker.evaluator.index.fences(alike: $0) } ?? []
    }
    if let ownRegions { return ownRegions[region] ?? [] }
    var found: [WaypointKey: [FenceID]] = [:]
    try store.read { reader in
      try reader.forEachFence(ofItemsNamed: WaypointKey.itemPrefix) { fence in
        let key = WaypointKey(text: String(fence.item.rawValue.dropFirst(WaypointKey.itemPrefix.count)))
        let name = WaypointKey(name: fence.trigger.location.title)
        for key in [key, name] { found[key, default: []].append(FenceID(rawValue: fence.number)) }
      }
    }
    ownRegions = found
    return found[region] ?? []
  }

  /// Applies a crossing to an alarm that waits for it.
  ///
  /// - Parameters:
  ///   - alarm: The alarm with its item and place.
  ///   - number: The alarm's number.
  ///   - facts: What is known of it.
  func fire(
    _ alarm: AlarmSubject, _ number: Int64, _ facts: FenceAlarms.Facts, on transition: Transition
  ) throws {
    let device = devices.name(of: transition.fix.device)
    let trigger = fenceAlarms.limitedTrigger(of: number, facts)
    if let trigger, !trigger.devices.isEmpty && !trigger.devices.contains(device) {
      return suppress(number, transition, .otherDevice)
    }
    if transition.isFirstLook, let changed = try store.read({ try $0.item(alarm.item)?.lastModified }),
      changed > transition.time
    {
      return suppress(number, transition, .beforeAlarm)
    }
    if transition.isLate, now.seconds(since: transition.settledAt) > maximumAge {
      return suppress(number, transition, .tooLate)
    }
    if case .dwell(let seconds) = trigger?.event {
      // The length of a stay follows from where the device is now, which late positions do not show.
      guard !transition.isLate else { return }
      tracker.recorder?.decide(transition.kind == .enter ? .stayBegan : .stayEnded)
      guard transition.kind == .enter else { return callOff(stayAt: alarm, of: device) }
      return expect(stay: seconds, at: alarm, of: device, from: transition.time)
    }
    if transition.isInitial && !facts.contains(.firesIfInside) {
      return suppress(number, transition, .alreadyInside)
    }
    let firing = Firing(
      kind: transition.kind == .enter ? .enter : .leave, time: transition.time,
      confirmedAt: transition.settledAt == transition.time ? nil : transition.settledAt, of: alarm,
      crossing: Firing.Crossing(
        device: device, position: transition.fix.coordinate, accuracy: transition.fix.horizontalAccuracy,
        isInterpolated: transition.isInterpolated, gap: gap(around: transition), source: transition.source),
      isLate: transition.isLate || isLate(transition.settledAt, at: now))
    if let reason = try trigger.flatMap({ try suppression(of: firing, by: $0) }) {
      return suppress(number, transition, reason)
    }
    tracker.recorder?.decide(.fired, firing: firing.key)
    add(firing)
  }

  private func suppress(_ number: Int64, _ transition: Transition, _ reason: Suppression) {
    tracker.recorder?.decide(.suppressed(reason.rawValue))
    guard let onSuppression, let fence = fenceAlarms.fence(number) else { return }
    var transition = transition
    transition.fence = FenceID(rawValue: number)
    onSuppression(fence, transition, reason)
  }

  /// When a stay may go off on the wall clock.
  ///
  /// Like all times of a device (``DeviceTracker/engineTime(of:for:)``), but another position at or after the
  /// end of the stay ends it at once.
  func ripeTime(of stay: DueTime) throws -> Instant {
    guard case .wall = clock, let device = stay.device else { return stay.time }
    let heard = devices.known(device).flatMap { tracker.heardAt($0) }
    // Positions from an earlier run count from the start of this one.
    guard let last = try heard ?? lastFix(of: device).map({ ($0.time, start) }) else { return stay.time }
    guard last.time < stay.time else { return .distantPast }
    return max(stay.time, last.wall.adding(seconds: stay.time.seconds(since: last.time)))
  }

  /// The last position of the device called `name`; `nil` if nothing is known of it, for example after an
  /// erase.
  ///
  /// This assigns no number, because only devices that send positions release theirs.
  private func lastFix(of name: String) throws -> DeviceState.LastFix? {
    if let number = devices.known(name) { return try lastFix(of: number) }
    do {
      return try journal.state(ofDevice: name)?.lastFix
    } catch is DeviceStateDecodingError {
      // Starting from other saved data takes a number.
      return try lastFix(of: devices.temporaryNumber(of: name))
    }
  }

  /// The last position of a device, whose state is made if there is none yet.
  func lastFix(of number: DeviceNumber) throws -> DeviceState.LastFix? {
    try makeState(of: number)
    return tracker.lastFix(of: number)
  }

  /// Fires the delayed stays that may go off now.
  func endStays(by time: Instant) throws {
    guard !stays.isEmpty else { return }
    let ripe = try stays.filter { try ripeTime(of: $0) <= time }
    stays.removeAll { ripe.contains($0) }
    for stay in ripe { try fire(stay, at: time) }
  }

  /// The end of a stay: goes off unless the device left, which removes the due time.
  func fireDwell(_ due: DueTime) throws {
    guard let device = due.device,
      let fence = try store.read({ try $0.fences(of: due.item) }).first(where: { $0.alarm == due.alarm })
    else { return }
    // An erased device stays nowhere.
    guard let last = try lastFix(of: device) else { return }
    let crossing = Firing.Crossing(
      device: device, position: last.coordinate, accuracy: last.accuracy, isInterpolated: false)
    let firing = Firing(
      kind: .dwell, time: due.time, of: fence.subject, crossing: crossing, isLate: isLate(due.time, at: now))
    if try suppression(of: firing, by: fence.trigger) == nil { add(firing) }
  }

  /// Why an alarm's limits suppress a firing; `nil` if they do not, and then the limits count it.
  private func suppression(of firing: Firing, by trigger: ProximityTrigger) throws -> Suppression? {
    let floating = schedule.resolver.floating
    if let window = trigger.window, !window.contains(floating.civil(at: firing.time)) {
      return .outsideWindow
    }
    // A trial uses no alarm up.
    if trigger.frequency != .always, !firing.isTrial {
      let alarm = AlarmOfItem(item: firing.item, alarm: firing.alarm)
      let last =
        try lastFirings[alarm] ?? journal.lastFiring(of: firing.alarm, item: firing.item)
      if let last,
        trigger.frequency == .once || floating.civil(at: last).day == floating.civil(at: firing.time).day
      {
        return .wentOffBefore
      }
      // One from late positions may be older than the last.
      lastFirings[alarm] = max(last ?? .distantPast, firing.time)
    }
    return nil
  }

  private func expect(stay seconds: Int, at alarm: AlarmSubject, of device: String, from start: Instant) {
    arm(
      DueTime(
        kind: .dwell, time: start.adding(seconds: Double(seconds)), alarm: alarm.alarm, item: alarm.item,
        device: device))
  }

  private func callOff(stayAt alarm: AlarmSubject, of device: String) {
    let isCalledOff: (DueTime) -> Bool = {
      $0.item == alarm.item && $0.alarm == alarm.alarm && $0.device == device
    }
    queue.removeAll(where: isCalledOff)
    stays.removeAll(where: isCalledOff)
    step.disarm(item: alarm.item, alarm: alarm.alarm, device: device)
  }
}

extension ProximityTrigger.Event {
  /// True if the alarm waits for a crossing of this kind.
  func awaits(_ kind: Transition.Kind) -> Bool {
    switch (self, kind) {
    case (.enter, .enter), (.leave, .leave), (.dwell, _): true
    default: false
    }
  }
}
