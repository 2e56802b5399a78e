public import FencepostCalendarModel
public import FencepostDatabase

/// A calendar of an account that was removed here and is still on the server.
public struct SyncRemoval: Hashable, Sendable {
  /// Its path on the server.
  public var name: String
  /// The calendar that it was here. It exists again if the removal was undone.
  public var calendar: Identifier<ItemCalendar>
  /// Its title.
  public var title: String
  /// The tags of its objects at the last synchronization, by name; empty for no tag.
  public var tags: [String: String]
}

extension StoreReader {
  /// The calendars of an account that were removed here.
  public func syncRemovals(of account: Int64) throws(StoreError) -> [SyncRemoval] {
    try connection.all(Queries.ofAccount, { $0.add(account) }, read: { $0.syncRemoval() })
  }
}

extension StoreWriter {
  /// Forgets that a calendar was removed here.
  public func removeSyncRemoval(named name: String, of account: Int64) throws(StoreError) {
    try connection.run(Queries.remove) {
      $0.add(account)
      $0.add(name)
    }
  }
}

extension RowReader {
  fileprivate mutating func syncRemoval() -> SyncRemoval {
    var removal = SyncRemoval(name: text(), calendar: identifier(), title: text(), tags: [:])
    // A name is an encoded path, which has no space.
    for object in withBytes({ StringList.list(stored: $0) ?? [] }) {
      let parts = object.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { removal.tags[String(parts[0])] = String(parts[1]) }
    }
    return removal
  }
}

private enum Queries {
  static let ofAccount = SQL(
    "SELECT name, calendar, title, objects FROM sync_removals WHERE account = ? ORDER BY name")
  static let remove = SQL("DELETE FROM sync_removals WHERE account = ? AND name = ?")
}
