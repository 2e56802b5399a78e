import CFencepostSQLite
import Glibc

/// Records the changes of a connection for undo, with SQLite's session extension.
///
/// Memory: some 100 bytes per changed row, plus its old values, up to ``maximumMemory``. Cost: about a
/// microsecond per row.
public final class ChangeRecorder {
  /// `nil` once the changes became too large to record.
  private var session: OpaquePointer?
  private let connection: SQLiteConnection

  /// Begins recording changes of `tables`. They are reverted table by table in this order.
  public init(_ connection: SQLiteConnection, tables: [String]) throws(StoreError) {
    var created: OpaquePointer?
    let code = sqlite3session_create(connection.handle, "main", &created)
    guard code == SQLITE_OK, let created else { throw connection.error(code) }
    session = created
    self.connection = connection
    var measuresSize: Int32 = 1
    sqlite3session_object_config(created, SQLITE_SESSION_OBJCONFIG_SIZE, &measuresSize)
    for table in tables {
      let code = sqlite3session_attach(created, table)
      guard code == SQLITE_OK else { throw connection.error(code) }
    }
  }

  deinit { giveUp() }

  /// The maximum memory for recorded changes in bytes, in SQLite's form, which is larger than a changeset.
  private static let maximumMemory: Int64 = 128 << 20

  /// Stops recording and frees its memory if it uses too much. Call it before each change, so that an import
  /// of any size stays bounded.
  public func checkMemory() {
    guard let session, sqlite3session_memory_used(session) > Self.maximumMemory else { return }
    giveUp()
  }

  /// Stops recording and drops the recorded changes, because there will be too many.
  public func giveUp() {
    if let session { sqlite3session_delete(session) }
    session = nil
  }

  /// While true, changes are not recorded.
  public var isPaused: Bool {
    get { session.map { sqlite3session_enable($0, -1) == 0 } ?? true }
    set { if let session { sqlite3session_enable(session, newValue ? 0 : 1) } }
  }

  /// The changes so far, or `nil` if they would take more than `limit` bytes.
  public func changeset(atMost limit: Int) throws(StoreError) -> [UInt8]? {
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
  /// Reverts changes: rows get their previous values.
  ///
  /// - Parameters:
  ///   - changeset: What a ``ChangeRecorder`` has recorded.
  ///   - tables: The tables whose rows are reverted even if they have changed since; of those a row may also
  ///     be gone.
  ///   - kept: The tables whose rows stay as they are if they have changed since.
  /// - Returns: False if rows have changed since. A part was done then, so the transaction can't be
  ///   committed.
  public func revert(
    _ changeset: [UInt8], always tables: [String], keepingChanged kept: [String] = []
  ) throws(StoreError) -> Bool {
    if changeset.isEmpty { return true }
    var inverse: UnsafeMutableRawPointer?
    var count: Int32 = 0
    let inverted = changeset.withUnsafeBytes { bytes in
      // The call changes neither buffer.
      sqlite3changeset_invert(Int32(bytes.count), bytes.baseAddress, &count, &inverse)
    }
    defer { sqlite3_free(inverse) }
    guard inverted == SQLITE_OK else {
      throw failed(StoreError(path: path, reason: .corrupt("a step of the journal of changes")))
    }
    // Without a savepoint of its own: each statement inside a savepoint walks through all pages that SQLite
    // has saved for it, so the time would grow with the square of the size.
    let lenient = TableNames(always: tables, keeping: kept)
    let code = sqlite3changeset_apply_v2(
      handle, count, inverse, nil,
      { context, kind, change in
        var operation: Int32 = 0
        var table: UnsafePointer<CChar>?
        var columns: Int32 = 0
        guard let change, kind != SQLITE_CHANGESET_FOREIGN_KEY else { return SQLITE_CHANGESET_ABORT }
        sqlite3changeset_op(change, &table, &columns, &operation, nil)
        // A part was deleted with its item.
        if kind == SQLITE_CHANGESET_NOTFOUND, operation == SQLITE_DELETE { return SQLITE_CHANGESET_OMIT }
        guard let table, let context else { return SQLITE_CHANGESET_ABORT }
        let known = Unmanaged<TableNames>.fromOpaque(context).takeUnretainedValue()
        let name = String(cString: table)
        if kind == SQLITE_CHANGESET_DATA, known.kept.contains(name) { return SQLITE_CHANGESET_OMIT }
        guard known.always.contains(name) else { return SQLITE_CHANGESET_ABORT }
        switch kind {
        case SQLITE_CHANGESET_DATA: return SQLITE_CHANGESET_REPLACE
        case SQLITE_CHANGESET_NOTFOUND: return SQLITE_CHANGESET_OMIT
        default: return SQLITE_CHANGESET_ABORT
        }
      }, Unmanaged.passUnretained(lenient).toOpaque(), nil, nil, SQLITE_CHANGESETAPPLY_NOSAVEPOINT)
    withExtendedLifetime(lenient) {}
    if code == SQLITE_ABORT {
      _ = failed(StoreError(path: path, reason: .constraint("rows have changed since a step was recorded")))
      return false
    }
    guard code == SQLITE_OK else { throw error(code) }
    return true
  }
}

/// Names of tables, for a function of C.
private final class TableNames {
  let always: [String]
  let kept: [String]

  init(always: [String], keeping kept: [String]) { (self.always, self.kept) = (always, kept) }
}
