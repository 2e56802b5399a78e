import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing

/// Alarms at places that others change.
extension AlarmEngine {
  /// Of all fences, so many of the newest are looked at, at most. Others wait for the next position of a
  /// device.
  private static let maximumNewFences: Int64 = 1_000

  /// Reads the due times again, and the fences of changed items. Device states stay.
  ///
  /// Cost: some ten microseconds for each item. If all changed, as for ``reload()``.
  public func follow(_ effect: ChangeEffect) throws {
    switch effect {
    case .nothing: return
    case .items(let items):
      // Alarms that share a fence can't be told apart.
      guard loader.knowsItems else { return try reload() }
      reloadTimes()
      for item in items { try reloadFences(of: item) }
    case .all:
      try reload()
      try store.read { reader in
        let newest = try reader.latestFenceNumber()
        for number in max(1, newest - AlarmEngine.maximumNewFences + 1)..<newest + 1 {
          if let fence = try reader.fence(number: number) { awaitPresence(in: AlarmEngine.fence(fence)) }
        }
      }
    }
  }

  private func reloadFences(of item: Identifier<CalendarItem>) throws {
    if item.rawValue.hasPrefix(WaypointKey.itemPrefix) { ownRegions = nil }
    let (all, changed) = try loader.reload(item, into: &tracker.evaluator.index)
    for fence in changed { awaitPresence(in: fence) }
    try ages.follow(item, with: all, in: store)
    recorder?.follow(item, with: all)
  }

  private func awaitPresence(in fence: Fence) {
    if fence.reportsInitialPresence { newFences.append(fence) }
  }

  /// Takes over the new alarms that another engine could not look at yet.
  func takeOverNewAlarms(from other: AlarmEngine) { newFences += other.newFences }
}
