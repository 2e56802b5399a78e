import CalendarModel
import CalendarStore
import Geofencing

/// Doubts that time settles while a device is silent.
extension AlarmEngine {
  /// Converts `time` of a device's clock to the engine's clock.
  ///
  /// A device's positions may come late, all at once, or again after a restart. If it was inside at its last
  /// position, that proves nothing about the time after it. So for a device time passes at the pace of the
  /// wall clock from its last position on. If positions come as they are made, both times are the same.
  func engineTime(of time: Instant, for device: Int) -> Instant {
    guard case .wall = clock else { return time }
    let silentSince = silentSince
    guard let last = heardAt[device] ?? states[device]?.lastFix.map({ ($0.time, silentSince) }) else {
      return time
    }
    return max(time, last.wall.adding(seconds: time.seconds(since: last.time)))
  }

  /// Records when the next doubt of a device ripens.
  func awaitRipening(of device: Int) {
    let time = states[device]?.ripensAt
    ripening.set(time.map { engineTime(of: $0, for: device) }, of: device)
  }

  /// Finds the devices that an earlier run, or a release, left in doubt.
  func findDevicesInDoubt() throws {
    guard !knowsDevicesInDoubt else { return }
    knowsDevicesInDoubt = true
    for name in try journal.devicesInDoubt() {
      let device = devices.temporaryNumber(of: name)
      try makeState(of: device)
      awaitRipening(of: Int(device.rawValue))
    }
  }

  /// When the next doubt is settled, or a crossing that was found early counts; `nil` if there is nothing to
  /// wait for.
  var nextRipening: Instant? {
    guard let ripe = ripening.earliest?.time else { return ripened.first?.settledAt }
    return min(ripe, ripened.first?.settledAt ?? .distantFuture)
  }

  /// Settles the earliest of them if it is not later than `time`; false if nothing was settled.
  func takeRipe(through time: Instant) throws -> Bool {
    guard let next = nextRipening, next <= time else { return false }
    now = max(now, next)
    if let crossing = ripened.first, crossing.settledAt == next {
      ripened.removeFirst()
      try take(crossing)
    } else if let device = ripening.earliest?.device {
      try ripen(device, through: time)
    }
    return true
  }

  private func ripen(_ device: Int, through time: Instant) throws {
    guard var state = states[device], let due = state.ripensAt, let last = state.lastFix,
      engineTime(of: due, for: device) <= time
    else { return awaitRipening(of: device) }
    try loader.load(for: last.coordinate, after: nil, into: &evaluator.index, &fenceAlarms)
    let number = DeviceNumber(rawValue: UInt32(device))
    let position = Fix(
      device: number, time: last.time, coordinate: last.coordinate, horizontalAccuracy: last.accuracy)
    var found: [Transition] = []
    let observer = observer(of: position)
    evaluator.ripen(through: due, of: number, state: &state, into: &found, observer: observer)
    states[device] = state
    heard.insert(number)
    awaitRipening(of: device)
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
