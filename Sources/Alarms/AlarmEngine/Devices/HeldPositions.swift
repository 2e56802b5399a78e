import FencepostCalendarModel
import FencepostGeofencing

/// The positions of each device that were set aside, until others or silence confirm or refute them.
///
/// The state of a device has only the first and the last of them, without what a phone claims of itself.
struct HeldPositions {
  private struct Position {
    let fix: Fix
    /// Why, if it was counted as rejected; `nil` for one of an earlier run.
    let reason: Rejection?
  }

  private struct Aside {
    var positions: [Position] = []
    /// When the last one came.
    var heardAt: Instant
  }

  /// How many of a device are kept, at most. They decide nothing.
  private static let maximum = 1_000

  private var asides: [DeviceNumber: Aside] = [:]

  /// True if no device has any.
  var isEmpty: Bool { asides.isEmpty }

  /// When the last one of a device came; `nil` if it has none.
  func heardAt(_ device: DeviceNumber) -> Instant? { asides[device]?.heardAt }

  /// Adds one that came at `time`. What was set aside before `first` is refuted.
  mutating func add(_ fix: Fix, _ reason: Rejection?, at time: Instant, since first: Instant) {
    var aside = asides.removeValue(forKey: fix.device) ?? Aside(heardAt: time)
    aside.positions.removeAll { $0.fix.time < first }
    if aside.positions.count >= HeldPositions.maximum { aside.positions.removeFirst() }
    aside.positions.append(Position(fix: fix, reason: reason))
    aside.heardAt = time
    asides[fix.device] = aside
  }

  /// Removes those of a device, which are confirmed, and counts them so.
  mutating func confirm(_ device: DeviceNumber, _ counts: inout AdmissionCounts) -> [Fix] {
    guard let aside = asides.removeValue(forKey: device) else { return [] }
    for position in aside.positions { if let reason = position.reason { counts.confirm(reason) } }
    return aside.positions.map(\.fix)
  }

  /// Forgets those of a device.
  mutating func forget(_ device: DeviceNumber) { asides[device] = nil }

  /// Treats those that came after `time` as if they had come then.
  mutating func setBack(to time: Instant) {
    for (device, aside) in asides where aside.heardAt > time { asides[device]?.heardAt = time }
  }
}
