import CSQLite
import CSpatiaLite
import Glibc

/// The text of a statement. Each is made once, as a constant, so that its identity is the key under which
/// connections keep it prepared.
final class SQL: Sendable {
  let text: String
  init(_ text: String) { self.text = text }
}

/// One connection to SQLite with SpatiaLite's functions in it.
///
/// Not safe to use from two threads at once, and never seen from outside: ``CalendarStore`` hands
/// it to one closure at a time. SQLite is opened in its multi-thread mode (SQLITE_OPEN_NOMUTEX), which is
/// safe because of that and spares a lock for each call.
final class SQLiteConnection {
  let path: String
  /// How long to wait for another process, in milliseconds.
  let busyTimeout: Int32
  let handle: OpaquePointer
  /// SpatiaLite's memory for this connection; freed after the connection is closed, as it demands.
  private let spatialCache: UnsafeMutableRawPointer
  private var prepared: [ObjectIdentifier: SQLiteStatement] = [:]
  private let common = CommonValues()
  /// While a write scope is open: how it is doing.
  var writing: WriteState?
  /// While a write scope is open that can be undone: what it changes.
  var recorder: ChangeRecorder?

  /// Opens `path`; `:memory:` is a database of this connection's own.
  init(path: String, isReadOnly: Bool, busyTimeout: Int32) throws(StoreError) {
    self.path = path
    self.busyTimeout = busyTimeout
    // Extended result codes, since they tell a full disk and a snapshot conflict apart from their kin.
    let flags =
      (isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
      | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
    _ = Self.isConfigured
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = StoreError(path: path, code: code, connection: opened)
      sqlite3_close_v2(opened)
      throw error
    }
    guard let cache = spatialite_alloc_connection() else {
      sqlite3_close_v2(opened)
      throw StoreError(path: path, reason: .unexpected("SpatiaLite has no room for a connection"))
    }
    spatialite_init_ex(opened, cache, 0)
    // After SpatiaLite, which sets 5 s of its own.
    sqlite3_busy_handler(opened, waitForLock, UnsafeMutableRawPointer(bitPattern: Int(busyTimeout)))
    handle = opened
    spatialCache = cache
  }

  /// Makes SQLite keep no statistics of its memory, which cost a lock for each piece: an import spends 6 % of its
  /// time on that. False, and of no matter, where somebody else in this process was first to use SQLite.
  private static let isConfigured = fencepost_sqlite3_disable_memory_statistics() == SQLITE_OK

  deinit {
    prepared.removeAll()
    // SQLite would delete the write-ahead log by its name: that of the file which took this one's place.
    if hasMoved { keepLog() }
    // Refused while a statement is in use, which would keep the file open after its store has gone.
    let code = sqlite3_close(handle)
    assert(code == SQLITE_OK, "a statement outlives its connection")
    spatialite_cleanup_ex(spatialCache)
  }

  /// True where the file is not at its path any more.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK
      && hasMoved != 0
  }

  /// Leaves the write-ahead log where it is when the connection is closed.
  private func keepLog() {
    var keeps: Int32 = 1
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps)
  }

  /// Runs statements that take no values and whose rows, if any, don't matter.
  func execute(_ script: String) throws(StoreError) {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Runs `sql` to its end.
  func run(_ sql: SQL, _ bind: (inout Binder) -> Void = { _ in }) throws(StoreError) {
    try forEach(sql, bind) { _ in true }
  }

  /// The first row of `sql`, as `read` sees it.
  func first<Value>(
    _ sql: SQL, _ bind: (inout Binder) -> Void = { _ in }, read: (inout RowReader) -> Value
  ) throws(StoreError) -> Value? {
    var value: Value?
    try forEach(sql, bind) { row in
      value = read(&row)
      return false
    }
    return value
  }

  /// All rows of `sql`, as `read` sees them.
  func all<Value>(
    _ sql: SQL, _ bind: (inout Binder) -> Void = { _ in }, read: (inout RowReader) -> Value
  ) throws(StoreError) -> [Value] {
    var values: [Value] = []
    try forEach(sql, bind) { row in
      values.append(read(&row))
      return true
    }
    return values
  }

  /// Hands each row of `sql` to `body` until it returns false.
  ///
  /// A value that can't be read fails the query once `body` has returned: see ``RowReader/damage``. `body` may run
  /// further queries.
  func forEach(
    _ sql: SQL, _ bind: (inout Binder) -> Void = { _ in },
    _ body: (inout RowReader) throws(StoreError) -> Bool
  ) throws(StoreError) {
    // SQLite ends a transaction by itself on some errors. What came after would be kept, bit by bit.
    if let failure = writing?.failure { throw failure }
    let statement = try take(sql)
    defer { giveBack(statement) }
    var binder = Binder(statement: statement.handle)
    bind(&binder)
    guard binder.code == SQLITE_OK else { throw error(binder.code) }
    while true {
      let code = sqlite3_step(statement.handle)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw error(code) }
      var row = RowReader(statement: statement.handle, common: common)
      let wantsMore = try body(&row)
      if let damage = row.damage { throw StoreError(path: path, reason: .corrupt(damage)) }
      if !wantsMore { return }
    }
  }

  /// The number that SQLite gave to the row inserted last.
  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// How many rows the last statement inserted, changed or removed.
  var changedRows: Int { Int(sqlite3_changes(handle)) }

  /// True while a transaction is open. SQLite closes one by itself on some errors, a full disk among them.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The prepared statement for `sql`; one more where a query inside a query runs the same text.
  private func take(_ sql: SQL) throws(StoreError) -> SQLiteStatement {
    if let statement = prepared[ObjectIdentifier(sql)], !statement.isInUse {
      statement.isInUse = true
      return statement
    }
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(
      self.handle, sql.text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else { throw error(code) }
    let statement = SQLiteStatement(handle: handle, sql: sql)
    if prepared[ObjectIdentifier(sql)] == nil { prepared[ObjectIdentifier(sql)] = statement }
    return statement
  }

  private func giveBack(_ statement: SQLiteStatement) {
    sqlite3_reset(statement.handle)
    sqlite3_clear_bindings(statement.handle)
    statement.isInUse = false
  }

  /// The error that a result code of a call on this connection stands for.
  func error(_ code: Int32) -> StoreError {
    failed(StoreError(path: path, code: code, connection: handle))
  }

  /// Notes that a change was made in part, so that the write scope cannot be committed any more, even where
  /// its body passes over the error.
  func failed(_ error: StoreError) -> StoreError {
    writing?.failure = error
    return error
  }
}

/// Waits, asleep for a little at a time, while another process writes: often enough to come between two steps of a
/// large change (``WritePace``), which SQLite's own handler, asleep for a tenth of a second, would miss.
///
/// - Parameter limit: For how many milliseconds to wait in all, as a pointer.
private func waitForLock(_ limit: UnsafeMutableRawPointer?, _ count: Int32) -> Int32 {
  let often: Int32 = 1_000
  let waited = count < often ? count : often + (count - often) * 5
  guard Int(waited) < Int(bitPattern: limit) else { return 0 }
  usleep(count < often ? 1_000 : 5_000)
  return 1
}

/// How a write scope is doing.
struct WriteState {
  /// The error that one of its statements failed with.
  var failure: StoreError?
}

/// A prepared statement, finalised when it goes.
final class SQLiteStatement {
  let handle: OpaquePointer
  /// Kept alive, so that no other text gets its identity while this statement is cached under it.
  let sql: SQL
  /// True while its rows are read.
  var isInUse = true

  init(handle: OpaquePointer, sql: SQL) {
    self.handle = handle
    self.sql = sql
  }

  deinit { sqlite3_finalize(handle) }
}

extension StoreError {
  /// The error that SQLite's result code stands for.
  init(path: String, code: Int32, connection: OpaquePointer?) {
    let words = connection.flatMap(sqlite3_errmsg).map { String(cString: $0) } ?? "code \(code)"
    let systemError = connection.map { sqlite3_system_errno($0) } ?? 0
    var reason = Reason(code: code, systemError: systemError, words: words)
    // What is not there is one of the files that SQLite puts beside a store, even to read it.
    if reason == .noStore, access(path, F_OK) == 0 { reason = .readOnly }
    self.init(path: path, reason: reason)
  }
}

extension StoreError.Reason {
  /// The reason that SQLite's result code, and the system's error number behind it, stand for.
  init(code: Int32, systemError: Int32, words: String) {
    switch code & 0xFF {
    case SQLITE_NOTADB: self = .notAStore
    case SQLITE_CORRUPT: self = .corrupt(words)
    case SQLITE_PERM, SQLITE_AUTH: self = .noPermission
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_BUSY, SQLITE_LOCKED: self = .locked
    case SQLITE_FULL: self = .diskFull
    case SQLITE_CONSTRAINT: self = .constraint(words)
    case SQLITE_CANTOPEN, SQLITE_IOERR:
      self = Self(systemError: systemError) ?? .inputOutput(words)
    default: self = .unexpected(words)
    }
  }
}
