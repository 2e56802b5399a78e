import CFencepostSQLite

@testable import FencepostCalendarStore

/// Opens a file as any other program with SQLite does.
enum SQLiteFile {
  /// Runs a script.
  static func run(_ script: String, at path: String) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    let code =
      sqlite3_open(path, &handle) == SQLITE_OK
      ? sqlite3_exec(handle, script, nil, nil, nil) : sqlite3_errcode(handle)
    if code != SQLITE_OK { throw StoreError(path: path, code: code, connection: handle) }
  }
}
