import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing

/// Doubts that time settles while a device is silent.
extension AlarmEngine {
  /// Finds the devices that an earlier run, or a release, left in doubt.
  func findDevicesInDoubt() throws {
    guard !knowsDevicesInDoubt else { return }
    knowsDevicesInDoubt = true
    for name in try journal.devicesInDoubt() {
      let device = devices.temporaryNumber(of: name)
      try makeState(of: device)
      tracker.awaitRipening(of: device)
    }
  }

  /// When the next doubt is settled, or a crossing that was found early counts; `nil` if there is nothing to
  /// wait for.
  var nextRipening: Instant? {
    guard let ripe = tracker.earliestRipening?.time else { return ripened.first?.settledAt }
    return min(ripe, ripened.first?.settledAt ?? .distantFuture)
  }

  /// Settles the earliest of them if it is not later than `time`; false if nothing was settled.
  func takeRipe(through time: Instant) throws -> Bool {
    guard let next = nextRipening, next <= time else { return false }
    tracker.now = max(now, next)
    if let crossing = ripened.first, crossing.settledAt == next {
      ripened.removeFirst()
      try take(crossing)
    } else if let device = tracker.earliestRipening?.device {
      try ripen(device, through: time)
    }
    return true
  }

  private func ripen(_ device: DeviceNumber, through time: Instant) throws {
    guard let state = tracker.state(of: device), let due = state.ripensAt, let last = state.lastFix,
      tracker.engineTime(of: due, for: device) <= time
    else { return tracker.awaitRipening(of: device) }
    // Held positions may count now.
    let here = state.heldPosition?.fix.coordinate ?? last.coordinate
    try loader.load(for: here, after: last.coordinate, into: &tracker.evaluator.index, &fenceAlarms)
    let position = Fix(
      device: device, time: last.time, coordinate: last.coordinate, horizontalAccuracy: last.accuracy)
    var found: [Transition] = []
    let confirmed = tracker.ripen(device, through: due, into: &found, observer: observer)
    if keepsHistory { track += confirmed }
    if let last = confirmed.last, journal.keepsStates { step.lastFixes[devices.name(of: device)] = last }
    reportJudgements(of: position)
    for crossing in found { try take(crossing) }
  }

  /// Delays the crossings that silence settled before a fix until the clock reaches them.
  ///
  /// - Returns: the other crossings.
  func holdRipened(_ crossings: [Transition], before fix: Fix) -> [Transition] {
    guard crossings.contains(where: { $0.settledAt < fix.time }) else { return crossings }
    ripened += crossings.filter { $0.settledAt < fix.time }
    // Stable: crossings that settled at the same moment keep the order in which they were found.
    ripened.sort { $0.settledAt < $1.settledAt }
    return crossings.filter { $0.settledAt >= fix.time }
  }

  /// Applies the delayed crossings of a fix's device that settled before the fix.
  func takeRipened(before fix: Fix) throws {
    guard !ripened.isEmpty else { return }
    let isMeant = { (crossing: Transition) in
      crossing.fix.device == fix.device && crossing.settledAt < fix.time
    }
    let all = ripened
    ripened.removeAll(where: isMeant)
    for crossing in all where isMeant(crossing) { try take(crossing) }
  }
}
