import CalendarModel
import Geofencing

/// Counts crossings like people do: a boundary that several alarms share counts once.
struct CrossingCount {
  private struct Key: Hashable {
    var kind: Transition.Kind
    var time: Instant
    var region: Region
  }

  private(set) var count = 0
  /// The crossings at the current fix. Alarms at one place cross at the same fix.
  private var seen: Set<Key> = []
  private var latest: (device: DeviceNumber, time: Instant)?

  /// Counts a crossing of a region's boundary, unless it was already counted for another alarm.
  mutating func add(_ transition: Transition, of region: Region) {
    let fix = transition.fix
    if latest?.device != fix.device || latest?.time != fix.time {
      latest = (fix.device, fix.time)
      seen.removeAll(keepingCapacity: true)
    }
    if seen.insert(Key(kind: transition.kind, time: transition.time, region: region)).inserted { count += 1 }
  }
}
