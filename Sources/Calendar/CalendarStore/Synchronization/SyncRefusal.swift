public import FencepostCalendarModel
public import FencepostDatabase

/// An item that the server rejects.
public struct SyncRefusal: Hashable, Sendable {
  /// The UID of the item.
  public var uid: String
  /// The text that it did not take.
  public var text: String
  /// Why.
  public var reason: String
  /// When it was sent the last time.
  public var refused: Instant

  /// A refusal.
  public init(uid: String, text: String, reason: String, refused: Instant) {
    self.uid = uid
    self.text = text
    self.reason = reason
    self.refused = refused
  }
}

/// An item that is only here, because the server rejects it.
public struct RefusedItem: Hashable, Sendable {
  /// The UID of the item.
  public var uid: String
  /// The title of the item.
  public var title: String
  /// The title of its calendar.
  public var calendar: String
  /// Why.
  public var reason: String
  /// When it was sent the last time.
  public var refused: Instant
}

extension StoreReader {
  /// The refusals of a collection, by UID.
  public func syncRefusals(in collection: Int64) throws(StoreError) -> [SyncRefusal] {
    try connection.all(Queries.inCollection, { $0.add(collection) }, read: { $0.syncRefusal() })
  }

  /// The items of an account's calendars that the server rejects, by calendar and UID.
  public func refusedItems(of account: Int64) throws(StoreError) -> [RefusedItem] {
    try connection.all(Queries.ofAccount, { $0.add(account) }) { row in
      RefusedItem(
        uid: row.text(), title: row.text(), calendar: row.text(), reason: row.text(), refused: row.instant())
    }
  }

  /// True if the server refused an item of a collection before a time. Cost: microseconds.
  public func hasSyncRefusals(in collection: Int64, before time: Instant) throws(StoreError) -> Bool {
    try connection.first(
      Queries.hasOld,
      {
        $0.add(collection)
        $0.add(time)
      }, read: { $0.bool() }) ?? false
  }
}

extension StoreWriter {
  /// Records that the server rejects an item.
  public func save(_ refusal: SyncRefusal, in collection: Int64) throws(StoreError) {
    try connection.run(Queries.save) {
      $0.add(collection)
      $0.add(refusal.uid)
      $0.add(refusal.text)
      $0.add(refusal.reason)
      $0.add(refusal.refused)
    }
  }

  /// Removes the refusal of an item, if there is one.
  public func removeSyncRefusal(uid: String, in collection: Int64) throws(StoreError) {
    try connection.run(Queries.remove) {
      $0.add(collection)
      $0.add(uid)
    }
  }
}

extension RowReader {
  fileprivate mutating func syncRefusal() -> SyncRefusal {
    SyncRefusal(uid: text(), text: text(), reason: text(), refused: instant())
  }
}

private enum Queries {
  static let inCollection = SQL(
    "SELECT uid, text, reason, refused_at FROM sync_refusals WHERE collection = ? ORDER BY uid")
  static let ofAccount = SQL(
    """
    SELECT r.uid, i.title, c.title, r.reason, r.refused_at
    FROM sync_refusals r JOIN sync_collections s ON s.row = r.collection JOIN calendars c ON c.row = s.calendar
      JOIN items i ON i.row = (
        SELECT row FROM items WHERE uid = r.uid AND calendar = s.calendar
        ORDER BY detached_occurrence IS NOT NULL, row LIMIT 1)
    WHERE s.account = ?
    ORDER BY s.row, r.uid
    """)
  static let hasOld = SQL(
    "SELECT EXISTS (SELECT 1 FROM sync_refusals WHERE collection = ? AND refused_at < ?)")
  static let save = SQL(
    """
    INSERT OR REPLACE INTO sync_refusals (collection, uid, text, reason, refused_at) VALUES (?, ?, ?, ?, ?)
    """)
  static let remove = SQL("DELETE FROM sync_refusals WHERE collection = ? AND uid = ?")
}
