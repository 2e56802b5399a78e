import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostGeofencing

extension AlarmEngine {
  /// For how many seconds a last position says where a device is. One that stands may send nothing for hours,
  /// but mostly sends once a day.
  private static let maximumPresenceAge = 86_400.0

  /// Reports presence to new alarms, for devices that were there at their last position: "if inside" means at
  /// once, and a device that stands may send nothing for hours.
  func reportPresence() throws {
    let new = FenceIndex(newFences)
    for place in try store.read({ try $0.devices() }) {
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
    let before = tracker.state(of: device) ?? DeviceState()
    tracker.reportPresence(of: device, at: now, into: &found)
    for crossing in found where try !wasInside(crossing.fence, before) { try take(crossing) }
  }

  /// Whether a device was inside where the alarm of a fence was before its place changed: then the alarm has
  /// gone off for it, and another radius is no news.
  private func wasInside(_ fence: FenceID, _ state: DeviceState) throws -> Bool {
    guard let earlier = try store.read({ try $0.earlierFence(of: fence.rawValue) }) else { return false }
    let old = Fence(id: FenceID(rawValue: earlier.number), region: earlier.region)
    return FenceEvaluator(policy: policy, index: FenceIndex([old])).isInside(old.id, state) ?? false
  }
}
