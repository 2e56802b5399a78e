public import FencepostCalendarModel
public import FencepostDatabase

/// A value that a merge could not keep, because both sides had changed it.
public struct SyncConflict: Hashable, Sendable {
  /// Its number; 0 for a new one.
  public var number: Int64 = 0
  /// The UID of the item.
  public var uid: String
  /// Its title.
  public var title: String
  /// The occurrence, in the form of RECURRENCE-ID; `nil` for the item itself.
  public var occurrence: String?
  /// The property.
  public var property: String
  /// The side whose value was not kept: `local` or `remote`.
  public var loser: String
  /// The content lines that were kept.
  public var kept: [String]
  /// The content lines that were not kept.
  public var lost: [String]
  /// When it was found.
  public var found: Instant

  /// A conflict.
  public init(
    uid: String, title: String, occurrence: String?, property: String, loser: String, kept: [String],
    lost: [String], found: Instant
  ) {
    self.uid = uid
    self.title = title
    self.occurrence = occurrence
    self.property = property
    self.loser = loser
    self.kept = kept
    self.lost = lost
    self.found = found
  }
}

extension StoreReader {
  /// All conflicts of an account with the calendars that they are in, the latest first.
  public func syncConflicts(
    of account: Int64
  ) throws(StoreError) -> [(calendar: Identifier<ItemCalendar>, conflict: SyncConflict)] {
    try connection.all(Queries.conflicts, { $0.add(account) }) { row in
      (row.identifier(), row.syncConflict())
    }
  }
}

extension StoreWriter {
  /// Records a conflict. Keeps the latest 1,000 of a collection.
  public func add(_ conflict: SyncConflict, in collection: Int64) throws(StoreError) {
    try connection.run(Queries.add) {
      $0.add(collection)
      $0.add(conflict.uid)
      $0.add(conflict.title)
      $0.add(conflict.occurrence)
      $0.add(conflict.property)
      $0.add(conflict.loser)
      $0.add(StringList.stored(conflict.kept) ?? "[]")
      $0.add(StringList.stored(conflict.lost) ?? "[]")
      $0.add(conflict.found)
    }
    try connection.run(Queries.trim) { $0.add(collection) }
  }

  /// Removes a conflict.
  public func removeSyncConflict(_ number: Int64) throws(StoreError) {
    try connection.run(Queries.removeOne) { $0.add(number) }
  }

  /// Removes the conflicts of an account.
  public func removeSyncConflicts(of account: Int64) throws(StoreError) {
    try connection.run(Queries.clear) { $0.add(account) }
  }
}

extension RowReader {
  fileprivate mutating func syncConflict() -> SyncConflict {
    func list(_ bytes: UnsafeRawBufferPointer) -> [String] { StringList.list(stored: bytes) ?? [] }
    let number = int64()
    var conflict = SyncConflict(
      uid: text(), title: text(), occurrence: optionalText(), property: text(), loser: text(),
      kept: withBytes(list), lost: withBytes(list), found: instant())
    conflict.number = number
    return conflict
  }
}

private enum Queries {
  static let conflicts = SQL(
    """
    SELECT c.id, x.row, x.uid, x.title, x.occurrence, x.property, x.loser, x.kept, x.lost, x.found_at
    FROM sync_conflicts x JOIN sync_collections s ON s.row = x.collection JOIN calendars c ON c.row = s.calendar
    WHERE s.account = ? ORDER BY x.row DESC
    """)
  static let add = SQL(
    """
    INSERT INTO sync_conflicts (collection, uid, title, occurrence, property, loser, kept, lost, found_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  static let trim = SQL(
    """
    DELETE FROM sync_conflicts WHERE collection = ?1 AND row <= coalesce(
      (SELECT row FROM sync_conflicts WHERE collection = ?1 ORDER BY row DESC LIMIT 1 OFFSET 1000), 0)
    """)
  static let removeOne = SQL("DELETE FROM sync_conflicts WHERE row = ?")
  static let clear = SQL(
    "DELETE FROM sync_conflicts WHERE collection IN (SELECT row FROM sync_collections WHERE account = ?)")
}
