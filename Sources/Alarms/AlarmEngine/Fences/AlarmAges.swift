import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing

/// When alarms at places were made, for positions that a phone sends later: what happened before an alarm was
/// made is none of its business.
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

  /// Whether an alarm was made after a crossing.
  ///
  /// - Parameters:
  ///   - number: The alarm's number.
  ///   - seenAtStart: The newest alarm that the device had met as the engine learnt its state from the store;
  ///     `nil` if the store had none.
  func isMade(
    _ number: Int64, of item: Identifier<CalendarItem>, after crossing: Transition, seenAtStart: Int64?,
    in store: CalendarStore
  ) throws -> Bool {
    let time: Instant?
    if let known = made[number] {
      time = known
    } else if crossing.isFirstLook {
      time = try store.read { try $0.item(item)?.lastModified }
    } else if newestAtStart != nil, let seenAtStart, number > seenAtStart {
      // Made while no engine ran. An edit since then says nothing about the alarm.
      time = try store.read { try $0.item(item)?.created }
    } else {
      return false
    }
    return time.map { $0 > crossing.time } ?? false
  }
}
