import CalendarModel
import CalendarStore
import Geofencing

/// Counts crossings like people do: a boundary that several alarms share counts once.
struct CrossingCount {
  private struct Key: Hashable {
    var kind: Transition.Kind
    var time: Instant
    var region: Region
  }

  private(set) var count = 0
  private var regions: [FenceID: Region] = [:]
  /// The crossings at the current fix. Alarms at one place cross at the same fix.
  private var seen: Set<Key> = []
  private var latest: (device: DeviceNumber, time: Instant)?

  /// Counts a crossing, unless it was already counted for another alarm.
  mutating func add(_ transition: Transition, in store: CalendarStore) throws {
    let fix = transition.fix
    if latest?.device != fix.device || latest?.time != fix.time {
      latest = (fix.device, fix.time)
      seen.removeAll(keepingCapacity: true)
    }
    guard let region = try region(of: transition.fence, in: store) else { return }
    if seen.insert(Key(kind: transition.kind, time: transition.time, region: region)).inserted { count += 1 }
  }

  private mutating func region(of fence: FenceID, in store: CalendarStore) throws -> Region? {
    if let known = regions[fence] { return known }
    let region = try store.read { try $0.fence(number: fence.rawValue) }?.region
    regions[fence] = region
    return region
  }
}
