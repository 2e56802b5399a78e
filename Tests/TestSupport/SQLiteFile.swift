import CFencepostSQLite

/// Opens a file as any other program with SQLite does.
public enum SQLiteFile {
  /// What SQLite said.
  public struct Failure: Error {
    /// SQLite's words.
    public var words: String
  }

  /// Runs a script.
  public static func run(_ script: String, at path: String) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    guard sqlite3_open(path, &handle) == SQLITE_OK, sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK
    else { throw Failure(words: handle.flatMap(sqlite3_errmsg).map { String(cString: $0) } ?? "") }
  }
}
