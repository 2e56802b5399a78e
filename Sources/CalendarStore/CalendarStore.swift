import Glibc
import Synchronization
import System

/// The one database of Fencepost: calendars, events, reminders, alarms, what the engine knows, and the ledger
/// of what went off.
///
/// All access is through two scopes, each of which is a transaction:
///
///     let store = try CalendarStore(path: "calendar.sqlite")
///     try store.write { writer in
///       let list = try writer.defaultCalendar(for: .reminders)
///       try writer.save(CalendarItem(calendar: list.id, title: "Milk", details: .reminder(.init())))
///     }
///     let open = try store.read { reader in try reader.incompleteReminders() }
///
/// One process or several may have a store open. There is one writer at a time, in all of them together;
/// readers never wait for it, and see the store as it was at their scope's first query. In memory there is one
/// connection, and a reader waits its turn.
///
/// Scopes don't nest: a `read` or `write` inside a `write` of the same thread, or in memory inside any scope, would
/// wait for itself and stops the program with a message instead. Within a `write`, read through ``StoreWriter/reader``.
public final class CalendarStore: Sendable {
  /// What may be done with a file.
  public enum Access: Sendable {
    /// Read and write; begin a new store where there is no file.
    case createIfMissing
    /// Read and write a store that exists.
    case existing
    /// Read a store that exists.
    case readOnly
  }

  /// The path that it was opened at, or, where that is a symbolic link, that of the file itself, beside which all that
  /// belongs to the store lies; `:memory:` for one in memory.
  public let path: String
  /// True for a store that can be reached through this object only.
  var isInMemory: Bool { idleReaders == nil }
  /// Where that is so, whether somebody has its ``StoreLock``.
  let isWatched = Atomic(false)
  let access: Access
  /// The file that was opened; `nil` in memory.
  let file: FileIdentity?
  private let writer: Exclusive<SQLiteConnection>
  /// Connections that no reader is using. `nil` in memory, where readers share the writer's.
  private let idleReaders: Exclusive<IdleConnections>?

  /// What writes through this object are called in the journal of changes; `nil` where they aren't kept in it.
  let undoLabel: UndoLabel?
  /// How long a connection waits for another process's transaction, in milliseconds.
  let busyTimeout: Int32
  /// How many connections are kept for readers to come. More readers at once open, and close, their own.
  private static let mostIdleReaders = 4

  /// Opens the store in the file at `path`.
  ///
  /// A new store's file has mode 0600, whatever the umask, and so have the `-wal` and `-shm` files that
  /// SQLite puts beside it; those of a store that others can read are given that mode. Directories that are missing are made with mode 0700. Opening a store of an
  /// earlier version brings its schema up to date. A file that is not a store is left as it is.
  ///
  /// Cost: some 12 ms for a new store, 2 ms for one that exists, 5 ms more for the first of a process.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - access: What may be done with it.
  ///   - timeout: For how many seconds to wait while another process writes, before it is an error: a minute means
  ///     that something hangs.
  ///   - undoLabel: What is written through this object can be undone, under this name; `nil` where it can't.
  public init(
    path: String, access: Access = .createIfMissing, timeout: Double = 60, undoLabel: UndoLabel? = nil
  ) throws(StoreError) {
    self.access = access
    self.undoLabel = undoLabel
    busyTimeout = Int32(max(0, min(timeout, 86_400)) * 1_000)
    try StoreFile.prepare(path, access: access)
    let path = Self.file(at: path)
    self.path = path
    let connection = try SQLiteConnection(
      path: path, isReadOnly: access == .readOnly, busyTimeout: busyTimeout)
    try connection.prepareFile(isReadOnly: access == .readOnly)
    try StoreFile.tighten(path)
    guard let file = FileIdentity(at: path), !connection.hasMoved else {
      throw StoreError(path: path, reason: .replaced)
    }
    self.file = file
    writer = Exclusive(connection)
    idleReaders = Exclusive(IdleConnections())
    // What can't be settled now stays hidden, and is for whoever comes next.
    if access != .readOnly, (try? connection.hasBulkChanges) == true { _ = try? settleBulkChanges() }
  }

  // Those that only read go first: whoever is last takes the write-ahead log into the file, and they can't.
  deinit { idleReaders?.withValue { $0.connections.removeAll() } }

  /// The file that `path` stands for, where that is a symbolic link: what belongs to a store lies beside the file, not
  /// beside links to it.
  public static func file(at path: String) -> String { StoreFile.followingLinks(path) }

  /// True if a file is an SQLite database, as a store is. Cost: reads its first bytes.
  public static func isDatabase(at path: String) -> Bool { StoreFile.isDatabase(path) }

  /// Begins a store in memory, gone with this object.
  ///
  /// Cost: some 10 ms.
  public init(undoLabel: UndoLabel? = nil) throws(StoreError) {
    path = ":memory:"
    self.undoLabel = undoLabel
    access = .createIfMissing
    busyTimeout = 0
    let connection = try SQLiteConnection(path: path, isReadOnly: false, busyTimeout: 0)
    try connection.prepareMemory()
    file = nil
    writer = Exclusive(connection)
    idleReaders = nil
  }

  /// Makes sure that the file at the path is still the one that was opened.
  ///
  /// What is written to a file that was deleted is lost, and what is written to one of two that share a write-ahead log
  /// damages both. Cost: a microsecond.
  ///
  /// - Throws: ``StoreError/Reason/replaced``.
  func checkFile() throws(StoreError) {
    guard let file else { return }
    guard let now = FileIdentity(at: path), now.isSame(as: file) else {
      throw StoreError(path: path, reason: .replaced)
    }
  }

  /// True if the file at the path is no longer the one that was opened. Cost: a microsecond.
  public var isReplaced: Bool {
    do throws(StoreError) { try checkFile() } catch { return true }
    return false
  }

  /// Whether the file has got a second name since it was opened, a hard link, such as a tool for snapshots makes. The store
  /// can be used on; nobody can open it under either name (``StoreError/Reason/linked``).
  public var hasSecondName: Bool { FileIdentity(at: path).map { $0.links > 1 } ?? false }

  /// Begins a store in memory that has all that another one has at this moment: to try out what would become of it.
  /// Nobody waits meanwhile.
  ///
  /// Cost: some tenths of a second and as much memory as the store has bytes, for a store of 100,000 items.
  public convenience init(copyOf other: CalendarStore) throws(StoreError) {
    try self.init()
    try other.checkFile()
    func take(_ source: SQLiteConnection) throws(StoreError) {
      try writer.withValue { (connection) throws(StoreError) in try connection.take(allOf: source) }
    }
    if other.isInMemory {
      try other.writer.withValue(take)
    } else {
      try take(SQLiteConnection(path: other.path, isReadOnly: true, busyTimeout: other.busyTimeout))
    }
  }

  /// Reads, in one snapshot: nothing that is committed after the first query is seen.
  ///
  /// - Throws: ``StoreError``, or what `body` throws.
  public func read<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    guard let idleReaders else {
      return try writer.withValue { connection in
        try connection.snapshot { try body(StoreReader(connection: $0)) }
      }
    }
    try checkFile()
    let connection =
      try idleReaders.withValue { $0.connections.popLast() }
      ?? SQLiteConnection(path: path, isReadOnly: true, busyTimeout: busyTimeout).preparedForReading()
    defer {
      idleReaders.withValue {
        if $0.connections.count < Self.mostIdleReaders && !connection.isInTransaction {
          $0.connections.append(connection)
        }
      }
    }
    return try connection.snapshot { try body(StoreReader(connection: $0)) }
  }

  /// Takes what was changed lately from the write-ahead log into the file, and empties the log, so that nothing that was
  /// erased is left in it. What a disk keeps of files that were overwritten is beyond any program.
  ///
  /// Waits for others who read, as long as for a writer.
  /// - Returns: False where they took too long, and the log is as it was.
  public func emptyLog() throws -> Bool { try writer.withValue { try $0.emptyLog() } }

  /// Takes all of another store instead of what is here, in one transaction: see ``restore(_:to:)``.
  ///
  /// Cost: as much memory as the other store has bytes. A copy is brought up to date before anything is changed here.
  func replaceAll(by source: SQLiteConnection) throws {
    let copy = try SQLiteConnection(path: ":memory:", isReadOnly: false, busyTimeout: 0)
    try copy.take(allOf: source)
    try copy.prepareMemory()
    try writer.withValue { connection in
      try connection.take(allOf: copy) { () throws(StoreError) in
        // Read while nobody else can write, so that the numbers of the log go on from the last one.
        let last = try SQLiteConnection(path: path, isReadOnly: true, busyTimeout: busyTimeout).lastChange()
        try copy.continueChanges(after: last)
      }
    }
  }

  /// Changes the store, in one transaction: all that `body` does is kept, or, where it throws, nothing. Where a
  /// change fails in part, a full disk for instance, nothing is kept even if `body` passes over the error.
  ///
  /// Waits while another thread or process writes. On return the changes are on disk and survive a loss of
  /// power. Cost beyond what `body` does: a flush of the disk, some tenths of a millisecond or more; so many
  /// changes belong into one scope. Those of any number belong into a ``BulkChange``.
  ///
  /// - Throws: ``StoreError``, or what `body` throws.
  @discardableResult
  public func write<Result>(_ body: (borrowing StoreWriter) throws -> Result) throws -> Result {
    try write(labelled: undoLabel, body)
  }

  /// Changes the store as ``write(_:)`` does, as a step that can be undone by itself.
  ///
  /// - Parameter label: What the step is called.
  @discardableResult
  public func write<Result>(
    undoableAs label: UndoLabel, _ body: (borrowing StoreWriter) throws -> Result
  ) throws -> Result {
    try write(labelled: label, body)
  }

  /// Changes the store in several transactions, one after another, until `body` returns false. Others come in between.
  ///
  /// - Throws: ``StoreError``, or what `body` throws. What was done before is kept.
  public func writeInSteps(_ body: (borrowing StoreWriter) throws -> Bool) throws {
    try writeInSteps(labelled: undoLabel, body)
  }

  func writeInSteps(labelled label: UndoLabel?, _ body: (borrowing StoreWriter) throws -> Bool) throws {
    let pace = WritePace(self)
    var goesOn = true
    while goesOn {
      pace.rest()
      goesOn = try write(labelled: label, body)
      pace.noteEnd()
    }
  }

  /// Changes the store, as a step of a larger change where `bulk` is given.
  func write<Result>(
    labelled label: UndoLabel?, bulk: BulkRows? = nil, _ body: (borrowing StoreWriter) throws -> Result
  ) throws -> Result {
    guard access != .readOnly else { throw StoreError(path: path, reason: .readOnly) }
    return try writer.withValue { connection in
      try connection.transaction { connection in
        try checkFile()
        let reader = StoreReader(connection: connection)
        let number = try reader.lastChange() + 1
        let writer = StoreWriter(reader: reader, transactionNumber: number, bulk: bulk)
        let recorder = label == nil ? nil : try ChangeRecorder(connection)
        connection.recorder = recorder
        defer { connection.recorder = nil }
        let result = try body(writer)
        if let label, let recorder { try writer.keep(recorder, as: label) }
        try checkFile()
        return result
      }
    }
  }
}

/// A class, so that connections are taken from and given back to one list.
private final class IdleConnections {
  var connections: [SQLiteConnection] = []
}
