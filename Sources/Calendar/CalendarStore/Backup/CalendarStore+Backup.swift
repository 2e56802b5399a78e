public import FencepostDatabase
import FencepostSystem
import Glibc

extension CalendarStore {
  /// Copies the store, as it is now, into one file. Other programs can read and write meanwhile.
  ///
  /// The copy appears complete or not at all, has mode 0600 and replaces an earlier backup.
  ///
  /// - Parameter destination: The path of the copy. A file there is replaced if it is a store that no program
  ///   has open.
  /// - Returns: The size of the copy in bytes.
  /// - Throws: ``StoreError``: ``StoreError/Reason/notAStore`` if another kind of file is there,
  ///   ``StoreError/Reason/inUse`` if a program has it open.
  @discardableResult
  public func backUp(to destination: String) throws(StoreError) -> Int64 {
    try checkFile()
    let destination = Self.file(at: destination)
    try Self.checkReplaceable(destination)
    var template = Array((destination + ".XXXXXX").utf8CString)
    // mkstemp sets mode 0600, and SQLite's files beside it get the same mode.
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw .system(path: destination) }
    close(descriptor)
    let temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { for file in [""] + StoreFile.companions { unlink(temporary + file) } }
    do {
      let source = try SQLiteConnection(store: path, isReadOnly: true, busyTimeout: busyTimeout)
      let copy = try SQLiteConnection(store: temporary, isReadOnly: false, busyTimeout: 0)
      try copy.copy(allOf: source)
      // One file without a log, so that it can be read in a read-only directory.
      try copy.execute("PRAGMA journal_mode = DELETE")
    }
    var status = stat()
    guard stat(temporary, &status) == 0, rename(temporary, destination) == 0 else {
      throw .system(path: destination)
    }
    StoreFile.syncDirectory(of: destination)
    return Int64(status.st_size)
  }

  /// Replaces the contents of the store at `path` with a backup, or creates the store. This is one
  /// transaction: programs with the store open see either the old or the new contents.
  ///
  /// The numbers of the log of changes continue, so that programs notice the change.
  ///
  /// - Returns: The number of items in the store now.
  /// - Throws: ``StoreError`` if the backup is not a complete store of a known version, the store at `path`
  ///   is damaged, or an engine uses it (``StoreError/Reason/watched``). The store is unchanged then.
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

  /// Checks whether a file is a complete store of a known version, as ``restore(_:to:)`` does.
  ///
  /// - Returns: The number of its items.
  public static func check(_ path: String) throws(StoreError) -> Int {
    try wholeStore(at: file(at: path)).first(Queries.itemCount) { $0.int() } ?? 0
  }

  private static func wholeStore(at path: String) throws(StoreError) -> SQLiteConnection {
    try StoreFile.prepare(path)
    let connection = try SQLiteConnection(store: path, isReadOnly: true, busyTimeout: 1_000)
    guard case .store = try connection.identify() else { throw StoreError(path: path, reason: .notAStore) }
    if let flaw = try connection.first(Queries.checkIntegrity, read: { $0.text() }), flaw != "ok" {
      throw StoreError(path: path, reason: .corrupt(flaw))
    }
    if let table = try connection.first(Queries.checkReferences, read: { $0.text() }) {
      throw StoreError(path: path, reason: .corrupt("a row of \(table) refers to one that is missing"))
    }
    return connection
  }

  /// Checks that the path is free, or has a store that no program has open.
  private static func checkReplaceable(_ path: String) throws(StoreError) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    try StoreFile.prepare(path)
    let kind = try SQLiteConnection(store: path, isReadOnly: true, busyTimeout: 0).identify()
    guard case .store = kind else { throw StoreError(path: path, reason: .notAStore) }
    try removeCompanions(of: path)
  }

  /// Removes the files that SQLite put beside a store before it is replaced: a log of another file would
  /// damage the new one. Readers and crashed programs leave such files behind.
  ///
  /// - Throws: ``StoreError/Reason/inUse`` if a program has the store open.
  private static func removeCompanions(of path: String) throws(StoreError) {
    guard StoreFile.companions.contains(where: { Glibc.access(path + $0, F_OK) == 0 }) else { return }
    do throws(StoreError) {
      let connection = try SQLiteConnection(store: path, isReadOnly: false, busyTimeout: 0)
      // Moves the log into the file and removes it. SQLite allows that only if no other program has the file
      // open.
      try connection.execute("PRAGMA journal_mode = DELETE")
    } catch {
      throw error.reason == .locked ? StoreError(path: path, reason: .inUse) : error
    }
  }
}

extension SQLiteConnection {
  /// Continues the log of changes after a number from another log.
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
