import CSQLite
import Glibc
import System

extension CalendarStore {
  /// Copies the store, as it is at this moment, into one file. Others read and write meanwhile.
  ///
  /// The file is there whole or not at all, has mode 0600 and takes the place of an earlier backup.
  ///
  /// - Parameter destination: Where the copy goes. What is there is replaced if it is a store that no program has open.
  /// - Returns: The size of the copy in bytes.
  /// - Throws: ``StoreError``: ``StoreError/Reason/notAStore`` where something else is there,
  ///   ``StoreError/Reason/inUse`` where a program has it open.
  @discardableResult
  public func backUp(to destination: String) throws(StoreError) -> Int64 {
    try checkFile()
    let destination = Self.file(at: destination)
    try Self.checkReplaceable(destination)
    var template = Array((destination + ".XXXXXX").utf8CString)
    // mkstemp gives it mode 0600, and so what SQLite puts beside it.
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw .system(path: destination) }
    close(descriptor)
    let temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { for file in [""] + StoreFile.companions { unlink(temporary + file) } }
    do {
      let source = try SQLiteConnection(path: path, isReadOnly: true, busyTimeout: busyTimeout)
      let copy = try SQLiteConnection(path: temporary, isReadOnly: false, busyTimeout: 0)
      try copy.take(allOf: source)
      // One file, which can be read where nothing can be written beside it.
      try copy.execute("PRAGMA journal_mode = DELETE")
    }
    var status = stat()
    guard stat(temporary, &status) == 0, rename(temporary, destination) == 0 else {
      throw .system(path: destination)
    }
    StoreFile.syncDirectory(of: destination)
    return Int64(status.st_size)
  }

  /// Replaces the contents of the store at `path` by a backup, or creates the store. It is one transaction: programs that
  /// have the store open see either the old or the new contents.
  ///
  /// The numbers of the log of changes go on from where they were, so that programs notice.
  ///
  /// - Returns: How many items the store has now.
  /// - Throws: ``StoreError``: where the backup is no whole store of a version that is known, the store at `path` is
  ///   damaged, or an engine lets its alarms go off (``StoreError/Reason/watched``). Nothing was changed then.
  public static func restore(_ backup: String, to path: String) throws -> Int {
    let backup = file(at: backup)
    let source = try wholeStore(at: backup)
    let store = try CalendarStore(path: path)
    guard let own = store.file, FileIdentity(at: backup)?.isSame(as: own) == false else {
      throw StoreError(path: backup, reason: .inUse)
    }
    let lock = try StoreLock(of: store)
    defer { withExtendedLifetime(lock) {} }
    try store.replaceAll(by: source)
    return try CalendarStore(path: path).read { try $0.itemCount() }
  }

  /// Looks whether a file is a whole store of a version that is known, as ``restore(_:to:)`` does.
  ///
  /// - Returns: How many items it has.
  public static func check(_ path: String) throws(StoreError) -> Int {
    try wholeStore(at: file(at: path)).first(Queries.itemCount) { $0.int() } ?? 0
  }

  private static func wholeStore(at path: String) throws(StoreError) -> SQLiteConnection {
    try StoreFile.prepare(path, access: .readOnly)
    let connection = try SQLiteConnection(path: path, isReadOnly: true, busyTimeout: 1_000)
    guard case .store = try connection.identify() else { throw StoreError(path: path, reason: .notAStore) }
    if let flaw = try connection.first(Queries.checkIntegrity, read: { $0.text() }), flaw != "ok" {
      throw StoreError(path: path, reason: .corrupt(flaw))
    }
    if let table = try connection.first(Queries.checkReferences, read: { $0.text() }) {
      throw StoreError(path: path, reason: .corrupt("a row of \(table) refers to one that is missing"))
    }
    return connection
  }

  /// Makes sure that there is nothing at a path but a store that no program has open.
  private static func checkReplaceable(_ path: String) throws(StoreError) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    try StoreFile.prepare(path, access: .existing)
    let kind = try SQLiteConnection(path: path, isReadOnly: true, busyTimeout: 0).identify()
    guard case .store = kind else { throw StoreError(path: path, reason: .notAStore) }
    try removeCompanions(of: path)
  }

  /// Removes what SQLite has put beside a store that is to be replaced: a log beside another file than its own would
  /// damage that. Who only reads, and who crashes, leaves it behind.
  ///
  /// - Throws: ``StoreError/Reason/inUse`` where a program has the store open.
  private static func removeCompanions(of path: String) throws(StoreError) {
    guard StoreFile.companions.contains(where: { Glibc.access(path + $0, F_OK) == 0 }) else { return }
    do throws(StoreError) {
      let connection = try SQLiteConnection(path: path, isReadOnly: false, busyTimeout: 0)
      // Moves the log into the file and removes it. SQLite allows that only if no other program has the file open.
      try connection.execute("PRAGMA journal_mode = DELETE")
    } catch {
      throw error.reason == .locked ? StoreError(path: path, reason: .inUse) : error
    }
  }
}

extension SQLiteConnection {
  /// Makes this database a copy of another, in one transaction of each.
  ///
  /// - Parameter prepare: Called when no other program can write to this database, before the other is read.
  func take(
    allOf source: SQLiteConnection,
    preparing prepare: () throws(StoreError) -> Void = { () throws(StoreError) in }
  ) throws(StoreError) {
    guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
      throw error(sqlite3_errcode(handle))
    }
    var isOpen = true
    defer { if isOpen { sqlite3_backup_finish(backup) } }
    // A step of no pages takes the lock to write, which the backup has until it is finished.
    let begin = sqlite3_backup_step(backup, 0)
    guard begin == SQLITE_OK else { throw error(begin) }
    try prepare()
    let code = sqlite3_backup_step(backup, -1)
    isOpen = false
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else { throw error(code == SQLITE_DONE ? end : code) }
  }

  /// Lets the log of changes go on after a number, though it is another log.
  func continueChanges(after last: Int64) throws(StoreError) {
    try run(Queries.continueChanges) { $0.add(last + 1) }
  }
}

private enum Queries {
  static let checkIntegrity = SQL("PRAGMA integrity_check(1)")
  static let checkReferences = SQL("PRAGMA foreign_key_check")
  static let itemCount = SQL("SELECT count(*) FROM items")
  static let continueChanges = SQL("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'changes'")
}
