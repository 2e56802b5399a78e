import FencepostSystem
import Glibc

extension SQLiteConnection {
  /// Prepares a new connection to a file: identifies the file, sets SQLite's modes and migrates the schema.
  func prepareFile(isReadOnly: Bool) throws(StoreError) {
    // Each name would have a separate write-ahead log.
    if let file = FileIdentity(at: path), file.links > 1, StoreFile.isDatabase(path) {
      throw StoreError(path: path, reason: .linked)
    }
    let kind = try identify()
    if isReadOnly {
      guard case .store(version: Migration.all.count) = kind else {
        throw StoreError(path: path, reason: .outdated)
      }
    } else {
      // Readers continue while a writer writes. The mode is stored in the file, so only the first call changes it.
      // This does not wait for other connections by itself, and several processes may create the same store.
      try retryingWhileLocked { () throws(StoreError) in try execute("PRAGMA journal_mode = WAL") }
      try chooseModes()
      // First checked without the write lock, so that readers never wait.
      if case .store(version: Migration.all.count) = kind {} else { try migrate() }
    }
    try chooseModes()
  }

  /// Prepares the connection of a store in memory.
  func prepareMemory() throws(StoreError) {
    try chooseModes()
    try migrate()
  }

  /// Prepares a read-only connection beside a writer's.
  func preparedForReading() throws(StoreError) -> SQLiteConnection {
    try chooseModes()
    return self
  }

  /// The settings of each connection.
  private func chooseModes() throws(StoreError) {
    try execute(
      """
      -- Rows that refer to others that don't exist are refused; SQLite's default is to let them in.
      PRAGMA foreign_keys = ON;
      -- A commit returns when the disk has it: a firing that was delivered must not be forgotten, and fire
      -- again, after a loss of power. NORMAL would be twice as fast and lose the last commits.
      PRAGMA synchronous = FULL;
      -- What is removed is overwritten, so that no position is left in a page that is not in use.
      PRAGMA secure_delete = ON;
      -- Sorting and the like never puts personal data into files elsewhere.
      PRAGMA temp_store = MEMORY;
      -- Up to 64 MB of pages instead of 2: an import of 100,000 items keeps its indexes in memory. What is
      -- not needed is not taken.
      PRAGMA cache_size = -65536;
      -- The write-ahead log goes into the store after 16 MB instead of 4: the steps of an import change the same
      -- pages again and again. A longer log is cut back to 16 MB then.
      PRAGMA wal_autocheckpoint = 4000;
      PRAGMA journal_size_limit = 16777216;
      """)
  }

  /// Moves the write-ahead log into the file and empties it; returns false if a reader still uses it.
  func emptyLog() throws(StoreError) -> Bool {
    try first(Queries.emptyLog) { $0.int() == 0 } ?? true
  }

  /// Runs `body` in a read transaction.
  func snapshot<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try execute("BEGIN")
    defer { endSnapshot() }
    return try body(self)
  }

  /// Nothing was changed, so any end is fine, but the transaction must end: otherwise the next reader would see old
  /// data, and no writer could empty the log.
  private func endSnapshot() {
    do { try execute("COMMIT") } catch { try? execute("ROLLBACK") }
  }

  /// Runs `body` in a write transaction. Rolls back if it throws, or if any of its statements failed.
  ///
  /// IMMEDIATE takes the write lock at once, where SQLite can wait for it. A transaction that begins as a reader's
  /// could find that another process has written since, and would fail without waiting.
  ///
  /// - Parameters:
  ///   - isDurable: Whether the commit waits for the disk, with the write lock. Without it, a loss of power may revert the
  ///     last transactions; the next durable one saves all before it.
  ///   - body: The changes.
  func transaction<Result>(
    isDurable: Bool = true, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    if isDurable != self.isDurable {
      // The transactions before this one did not wait for the disk. Others can write while this one waits here.
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

  /// Runs `body` within a write transaction. If it throws, its changes are undone, and the transaction continues.
  func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
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

  /// Repeats `body` while the store is locked, up to the timeout.
  private func retryingWhileLocked(_ body: () throws(StoreError) -> Void) throws(StoreError) {
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
}

private enum Queries {
  static let emptyLog = SQL("PRAGMA wal_checkpoint(TRUNCATE)")
}
