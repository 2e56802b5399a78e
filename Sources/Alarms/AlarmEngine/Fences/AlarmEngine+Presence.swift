import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostGeofencing

extension AlarmEngine {
  /// New alarms that are looked at, at most. Others wait for the next position of a device.
  private static let maximumNewFences: Int64 = 1_000

  /// For how many seconds a last position says where a device is. One that stands may send nothing for hours,
  /// but mostly sends once a day.
  private static let maximumPresenceAge = 86_400.0

  /// Reports presence to alarms that came into the store since the last call, if they ask for it, for devices
  /// that were there at their last position: "if inside" means at once, and a device that stands may send
  /// nothing for hours.
  func reportPresence() throws {
    let newest = try store.read { try $0.latestFenceNumber() }
    newestBefore = newestLookedAt
    guard newestLookedAt < newest else { return }
    newestLookedAt = newest
    let first = max(newestBefore + 1, newest - AlarmEngine.maximumNewFences + 1)
    let (fences, places) = try store.read { reader in
      let fences = try (first...newest).compactMap { try reader.fence(number: $0) }.map(AlarmEngine.fence)
        .filter(\.reportsInitialPresence)
      return (fences, fences.isEmpty ? [] : try reader.devices())
    }
    guard !fences.isEmpty else { return }
    let new = FenceIndex(fences)
    for place in places {
      guard let last = place.lastFix, now.seconds(since: last.time) <= AlarmEngine.maximumPresenceAge,
        last.coordinate.isValid, !new.fences(containing: last.coordinate).isEmpty
      else { continue }
      try reportPresence(of: devices.known(place.name) ?? devices.temporaryNumber(of: place.name))
    }
  }

  /// Reports presence of a device in fences that it sees for the first time.
  private func reportPresence(of device: DeviceNumber) throws {
    guard let last = try lastFix(of: device) else { return }
    try loader.load(for: last.coordinate, after: nil, into: &tracker.evaluator.index, &fenceAlarms)
    var found: [Transition] = []
    tracker.reportPresence(of: device, at: now, into: &found)
    for crossing in found { try take(crossing) }
  }
}
