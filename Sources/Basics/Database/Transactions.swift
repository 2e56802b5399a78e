import CFencepostSQLite
import Glibc

extension SQLiteConnection {
  /// Moves the write-ahead log into the file and empties it; returns false if a reader still uses it.
  public func emptyLog() throws(StoreError) -> Bool {
    try first(Queries.emptyLog) { $0.int() == 0 } ?? true
  }

  /// Runs `body` in a read transaction.
  public func snapshot<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try execute("BEGIN")
    defer { endSnapshot() }
    return try body(self)
  }

  /// Nothing was changed, so any end is fine, but the transaction must end: otherwise the next reader would
  /// see old data, and no writer could empty the log.
  private func endSnapshot() {
    do { try execute("COMMIT") } catch { try? execute("ROLLBACK") }
  }

  /// Runs `body` in a write transaction. Rolls back if it throws, or if any of its statements failed.
  ///
  /// IMMEDIATE takes the write lock at once, where SQLite can wait for it. A transaction that begins as a
  /// reader's could find that another process has written since, and would fail without waiting.
  ///
  /// - Parameters:
  ///   - isDurable: Whether the commit waits for the disk, with the write lock. Without it, a loss of power
  ///     may revert the last transactions; the next durable one saves all before it.
  ///   - body: The changes.
  public func transaction<Result>(
    isDurable: Bool = true, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    if isDurable != self.isDurable {
      // The transactions before this one did not wait for the disk. Others can write while this one waits
      // here.
      if isDurable { StoreFile.syncLog(of: path) }
      try execute("PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
      self.isDurable = isDurable
    }
    try execute("BEGIN IMMEDIATE")
    writing = WriteState()
    defer { writing = nil }
    do {
      let result = try body(self)
      if let failure = writing?.failure { throw failure }
      try execute("COMMIT")
      return result
    } catch {
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// Runs `body` within a write transaction. If it throws, its changes are undone, and the transaction
  /// continues.
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("SAVEPOINT part")
    do {
      let result = try body()
      try execute("RELEASE part")
      return result
    } catch {
      if isInTransaction { try execute("ROLLBACK TO part; RELEASE part") }
      throw error
    }
  }

  /// Runs `body` within a write transaction, and undoes its changes, whether it throws or not. The transaction
  /// continues.
  public func rehearsal<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("SAVEPOINT rehearsal")
    do {
      let result = try body()
      try execute("ROLLBACK TO rehearsal; RELEASE rehearsal")
      return result
    } catch {
      if isInTransaction { try? execute("ROLLBACK TO rehearsal; RELEASE rehearsal") }
      throw error
    }
  }

  /// Repeats `body` while another process has the file locked, up to the timeout.
  public func retryingWhileLocked(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    for _ in 0..<busyTimeout / 10 {
      do {
        return try body()
      } catch {
        guard error.reason == .locked else { throw error }
      }
      usleep(10_000)
    }
    try body()
  }

  /// Makes this database a copy of another, in one transaction in each.
  ///
  /// - Parameter prepare: Called when no other program can write to this database, before the source is read.
  public func copy(
    allOf source: SQLiteConnection,
    preparing prepare: () throws(StoreError) -> Void = { () throws(StoreError) in }
  ) throws(StoreError) {
    guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
      throw error(sqlite3_errcode(handle))
    }
    var isOpen = true
    defer { if isOpen { sqlite3_backup_finish(backup) } }
    // A step of 0 pages takes the write lock, which the backup holds until it ends.
    let begin = sqlite3_backup_step(backup, 0)
    guard begin == SQLITE_OK else { throw error(begin) }
    try prepare()
    let code = sqlite3_backup_step(backup, -1)
    isOpen = false
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else { throw error(code == SQLITE_DONE ? end : code) }
  }
}

private enum Queries {
  static let emptyLog = SQL("PRAGMA wal_checkpoint(TRUNCATE)")
}
