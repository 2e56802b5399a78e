import Glibc
import System

extension SQLiteConnection {
  /// Makes a new connection to a file ready: finds out what the file is, chooses SQLite's modes and brings
  /// the schema up to date.
  func prepareFile(isReadOnly: Bool) throws(StoreError) {
    // Each name would have a write-ahead log of its own.
    if let file = FileIdentity(at: path), file.links > 1, StoreFile.isDatabase(path) {
      throw StoreError(path: path, reason: .linked)
    }
    let kind = try identify()
    if isReadOnly {
      guard case .store(let version) = kind, version == Migration.all.count else {
        // An empty file, or a schema that would have to be brought up to date first.
        throw StoreError(path: path, reason: .readOnly)
      }
    } else {
      // Readers go on while a writer writes. Kept in the file, so this changes it once only. The switch
      // does not wait for other connections by itself: several processes may begin the same store.
      try retryingWhileLocked { () throws(StoreError) in try execute("PRAGMA journal_mode = WAL") }
      try chooseModes()
      // Looked at without the lock to write first: whoever only reads waits for nobody.
      if case .store(version: Migration.all.count) = kind {} else { try migrate() }
    }
    try chooseModes()
  }

  /// Makes the connection of a store in memory ready.
  func prepareMemory() throws(StoreError) {
    try chooseModes()
    try migrate()
  }

  /// Makes a connection ready that is to read only, beside a writer's.
  func preparedForReading() throws(StoreError) -> SQLiteConnection {
    try chooseModes()
    return self
  }

  /// The settings that are a connection's own.
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
      -- The write-ahead log of a large import is cut back to 16 MB once its pages are in the store.
      PRAGMA journal_size_limit = 16777216;
      """)
  }

  /// Takes what is in the write-ahead log into the file, and empties the log; false where somebody is still reading
  /// what is in it.
  func emptyLog() throws(StoreError) -> Bool {
    try first(Queries.emptyLog) { $0.int() == 0 } ?? true
  }

  /// Runs `body` in a read transaction.
  func snapshot<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try execute("BEGIN")
    defer { endSnapshot() }
    return try body(self)
  }

  /// Nothing was changed, so how it ends makes no difference, as long as it ends: whoever reads next would see the store
  /// as it was, and no writer could empty the log.
  private func endSnapshot() {
    do { try execute("COMMIT") } catch { try? execute("ROLLBACK") }
  }

  /// Runs `body` in a write transaction, rolled back if it throws, or if any of its statements failed.
  ///
  /// IMMEDIATE: the lock to write is taken at once, where SQLite can wait for it. A transaction that began
  /// as a reader's could find that another process had written since, and would fail without waiting.
  func transaction<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
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

  /// Runs `body` within a write transaction; what it did is undone if it throws, and the transaction goes on.
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

  /// Repeats `body` for as long as the store is locked and the timeout allows.
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
