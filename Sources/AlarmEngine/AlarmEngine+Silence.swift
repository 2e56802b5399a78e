import CalendarModel
import CalendarStore
import Geofencing

/// Doubts that are settled as nothing is heard of a device.
extension AlarmEngine {
  /// When it is `time` by a device's clock, on the engine's clock.
  ///
  /// A device's positions may come late, all at once, or again after a restart: that it was inside when last heard
  /// of says nothing about the time after that. So time passes for a device at the pace of the wall from its last
  /// position on. Where positions come as they are made, that is the time itself.
  func engineTime(of time: Instant, for device: Int) -> Instant {
    guard case .wall = clock else { return time }
    let silentSince = silentSince
    guard let last = heardAt[device] ?? states[device]?.lastFix.map({ ($0.time, silentSince) }) else {
      return time
    }
    return max(time, last.wall.adding(seconds: time.seconds(since: last.time)))
  }

  /// Notes when the next doubt of a device ripens.
  func awaitRipening(of device: Int) {
    let time = states[device]?.ripensAt
    ripening.set(time.map { engineTime(of: $0, for: device) }, of: device)
  }

  /// Finds the devices that an earlier run left in doubt, or that were released in doubt.
  func findDevicesInDoubt() throws {
    guard !knowsDevicesInDoubt else { return }
    knowsDevicesInDoubt = true
    for name in try journal.devicesInDoubt() {
      let device = devices.lend(to: name)
      try makeState(of: device)
      awaitRipening(of: Int(device.rawValue))
    }
  }

  /// When the next doubt is settled, or the next crossing counts that was found later; `nil` where none is.
  var nextRipening: Instant? {
    guard let ripe = ripening.earliest?.time else { return ripened.first?.settledAt }
    return min(ripe, ripened.first?.settledAt ?? .distantFuture)
  }

  /// Settles the earliest of them if it comes no later than `time`; false if nothing was settled.
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
    let observer = onJudgement.map { tell in { (judgement: Judgement) in tell(position, judgement) } }
    evaluator.ripen(through: due, of: number, state: &state, into: &found, observer: observer)
    states[device] = state
    heard.insert(number)
    awaitRipening(of: device)
    for crossing in found { try take(crossing) }
  }

  /// Keeps the crossings that silence settled before a fix back until the clock has come to them.
  ///
  /// - Returns: The others.
  func holdRipened(_ crossings: [Transition], before fix: Fix) -> [Transition] {
    guard crossings.contains(where: { $0.settledAt < fix.time }) else { return crossings }
    ripened += crossings.filter { $0.settledAt < fix.time }
    // Stable: what was found first of what settled at once comes first.
    ripened.sort { $0.settledAt < $1.settledAt }
    return crossings.filter { $0.settledAt >= fix.time }
  }

  /// Takes what was held back of the device of a fix and settled before it.
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
