import CSQLite

/// Records what a connection changes, by SQLite's session extension, so that it can be undone.
///
/// Memory: some 100 bytes for each row that is changed, and its old values, up to ``mostMemory``. Cost: about a
/// microsecond a row.
final class ChangeRecorder {
  /// `nil` once there was too much to record.
  private var session: OpaquePointer?
  private let connection: SQLiteConnection

  /// The tables that users' changes are in. What the engine keeps for itself follows from them, or happened.
  ///
  /// Changes are reverted table by table in this order: rows that refer to others stand before those, so that none
  /// goes with a row which it no longer refers to. Rows may well be added before what they refer to.
  private static let tables = [
    "location_extents", "structured_locations", "alarms", "recurrence_rules", "recurrence_dates",
    "participants", "received_items", "items", "preserved_components", "subscriptions", "calendars",
    "sources",
    "time_zone_observances",
    "time_zone_definitions",
    "named_places", "access_decisions", "settings", "suggestions", "seen_suggestions", "scanned_mails",
    "trusted_senders",
  ]

  /// Begins to record.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    var created: OpaquePointer?
    let code = sqlite3session_create(connection.handle, "main", &created)
    guard code == SQLITE_OK, let created else { throw connection.error(code) }
    session = created
    self.connection = connection
    var measuresSize: Int32 = 1
    sqlite3session_object_config(created, SQLITE_SESSION_OBJCONFIG_SIZE, &measuresSize)
    for table in Self.tables {
      let code = sqlite3session_attach(created, table)
      guard code == SQLITE_OK else { throw connection.error(code) }
    }
  }

  deinit { giveUp() }

  /// So many bytes of memory for what is recorded, in SQLite's form, which takes more room than a changeset.
  private static let mostMemory: Int64 = 128 << 20

  /// Gives up recording, and the memory for it, where that has become too much: before a change of an item, so that
  /// an import of any size stays within bounds.
  func checkMemory() {
    guard let session, sqlite3session_memory_used(session) > Self.mostMemory else { return }
    giveUp()
  }

  /// Records no more, and forgets what was recorded: there is to be too much of it.
  func giveUp() {
    if let session { sqlite3session_delete(session) }
    session = nil
  }

  /// While true, changes are not recorded.
  var isPaused: Bool {
    get { session.map { sqlite3session_enable($0, -1) == 0 } ?? true }
    set { if let session { sqlite3session_enable(session, newValue ? 0 : 1) } }
  }

  /// The changes so far, or `nil` where they would take more than `limit` bytes.
  func changeset(atMost limit: Int) throws(StoreError) -> [UInt8]? {
    guard let session, sqlite3session_changeset_size(session) <= Int64(limit) else { return nil }
    var count: Int32 = 0
    var bytes: UnsafeMutableRawPointer?
    let code = sqlite3session_changeset(session, &count, &bytes)
    defer { sqlite3_free(bytes) }
    guard code == SQLITE_OK else { throw connection.error(code) }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }
}

extension SQLiteConnection {
  /// Makes changes undone: rows are again as they were before.
  ///
  /// - Returns: False where rows are no longer as the changes left them; then nothing was done.
  func revert(_ changeset: [UInt8]) throws(StoreError) -> Bool {
    if changeset.isEmpty { return true }
    var inverse: UnsafeMutableRawPointer?
    var count: Int32 = 0
    let inverted = changeset.withUnsafeBytes { bytes in
      // Neither is changed through its pointer.
      sqlite3changeset_invert(Int32(bytes.count), bytes.baseAddress, &count, &inverse)
    }
    defer { sqlite3_free(inverse) }
    guard inverted == SQLITE_OK else {
      throw failed(StoreError(path: path, reason: .corrupt("a step of the journal of changes")))
    }
    let code = sqlite3changeset_apply(
      handle, count, inverse, nil,
      { _, kind, change in
        var operation: Int32 = 0
        var table: UnsafePointer<CChar>?
        var columns: Int32 = 0
        guard let change, kind != SQLITE_CHANGESET_FOREIGN_KEY else { return SQLITE_CHANGESET_ABORT }
        sqlite3changeset_op(change, &table, &columns, &operation, nil)
        // A part went with the item that it was a part of.
        if kind == SQLITE_CHANGESET_NOTFOUND, operation == SQLITE_DELETE { return SQLITE_CHANGESET_OMIT }
        // A subscription notes when it was last looked at; that is no reason to keep it.
        if kind == SQLITE_CHANGESET_DATA, let table, String(cString: table) == "subscriptions" {
          return SQLITE_CHANGESET_REPLACE
        }
        return SQLITE_CHANGESET_ABORT
      }, nil)
    if code == SQLITE_ABORT { return false }
    guard code == SQLITE_OK else { throw error(code) }
    return true
  }
}
