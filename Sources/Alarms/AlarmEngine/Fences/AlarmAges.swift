import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing

/// When alarms at places were made. A phone may send positions later: what happened before an alarm was made
/// does not set it off.
struct AlarmAges {
  /// The newest alarm as the engine started; `nil` for a trace, whose alarms may be newer than its positions.
  private let newestAtStart: Int64?
  /// When alarms were made or moved since the start, by number. A number is never used again.
  private var made: [Int64: Instant] = [:]

  init(newestAtStart: Int64?) { self.newestAtStart = newestAtStart }

  /// Remembers when the alarms of an item that has changed were made.
  mutating func follow(
    _ item: Identifier<CalendarItem>, with fences: [StoredFence], in store: CalendarStore
  ) throws {
    guard let newestAtStart else { return }
    let new = fences.filter { $0.number > newestAtStart && made[$0.number] == nil }
    guard !new.isEmpty, let time = try store.read({ try $0.item(item)?.lastModified }) else { return }
    for fence in new { made[fence.number] = time }
  }

  /// Whether an alarm was made after a crossing of a device that had sent positions before it. The first
  /// positions of a new device always count: somebody tries it out.
  func isMade(
    _ number: Int64, of item: Identifier<CalendarItem>, after crossing: Transition,
    by tracker: borrowing DeviceTracker, in store: CalendarStore
  ) throws -> Bool {
    let device = crossing.fix.device
    let time: Instant?
    if let known = made[number] {
      time = tracker.hasHeard(device, before: known) ? known : nil
    } else if crossing.isFirstLook {
      time = try store.read { try $0.item(item)?.lastModified }
    } else if newestAtStart != nil, let seen = tracker.seenAtStart(by: device), number > seen {
      // Made while no engine ran. An edit since then says nothing about the alarm.
      time = try store.read { try $0.item(item)?.created }
    } else {
      return false
    }
    return time.map { $0 > crossing.time } ?? false
  }
}
