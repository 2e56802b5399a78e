import Glibc
import System

/// A large change that comes from elsewhere, such as an import: made in steps that let others read and write in between,
/// and kept whole or not at all.
///
/// New items are written at once, and other readers see them when the change is finished. Changes to older items, and their
/// removal, are only noted at first, and done right after. A change that fails, is given up, or whose process is killed is
/// taken back. A finished one is completed, by this process or by the next one that opens the store.
///
///     let change = try store.beginBulkChange()
///     do {
///       try change.steps(items) { item, writer in try writer.save(item) }
///       try change.finish { _ in }
///     } catch {
///       change.giveUp()
///       throw error
///     }
///
/// Confined to one thread. One at a time over a store, in all processes; beginning waits for another one.
public final class BulkChange {
  private let store: CalendarStore
  private let lock: FileLock?
  private let rows: BulkRows
  private let label: UndoLabel
  private let pace: WritePace
  private var isOpen = true

  init(_ store: CalendarStore, lock: FileLock?, isAuthoritative: Bool) throws {
    self.store = store
    self.lock = lock
    // What can't be undone is recorded all the same, to be taken back.
    let label = store.undoLabel ?? .internal()
    self.label = label
    pace = WritePace(store)
    rows = try store.write(labelled: nil) { writer in
      let connection = writer.connection
      func last(_ table: String) throws(StoreError) -> Int64 {
        try connection.first(Queries.lastNumber, { $0.add(table) }, read: { $0.int64() }) ?? 0
      }
      let before = try last("items")
      let alarms = try last("alarms")
      let numbers = before + 1...before + BulkRows.most
      // What others add meanwhile gets greater numbers.
      let hasNumber =
        try connection.first(Queries.lastNumber, { $0.add("items") }, read: { $0.int64() }) != nil
      try connection.run(!hasNumber ? Queries.addNumber : Queries.setNumber) { $0.add(numbers.upperBound) }
      try connection.run(Queries.begin) {
        $0.add(numbers.lowerBound)
        $0.add(numbers.upperBound)
        $0.add(isAuthoritative)
        $0.add(alarms + 1)
        $0.add(writer.transactionNumber - 1)
        $0.add(label.run)
        $0.add(label.command)
        $0.add(label.time)
      }
      return BulkRows(change: connection.lastInsertedRow, numbers: numbers)
    }
  }

  deinit { giveUp() }

  /// Does `body` for each of `parts`, in short transactions, so that other programs can write between them.
  ///
  /// - Throws: As ``step(_:)``. The change is to be given up then.
  public func steps<Part>(
    _ parts: some Sequence<Part>, _ body: (Part, borrowing StoreWriter) throws -> Void
  ) throws {
    var rest = parts.makeIterator()
    var next = rest.next()
    while next != nil {
      try step { writer in
        let begin = ContinuousClock.now
        while let part = next {
          try body(part, writer)
          next = rest.next()
          if ContinuousClock.now - begin > WritePace.step { break }
        }
      }
    }
  }

  /// Makes a part of the change, in one transaction. It should be over within some hundredths of a second, since others
  /// wait meanwhile.
  ///
  /// Items that are saved and removed here are as described at ``BulkChange``: what it added before can be read, what it
  /// changed and removed is as it was. Everything else that `body` does is done and seen at once.
  ///
  /// - Throws: ``StoreError``, or what `body` throws. The part was not made then; the change can go on, or be given up.
  @discardableResult
  public func step<Result>(_ body: (borrowing StoreWriter) throws -> Result) throws -> Result {
    pace.rest()
    defer { pace.noteEnd() }
    return try store.write(labelled: label, bulk: rows) { writer in
      let connection = writer.connection
      try connection.run(Queries.setHidden) {
        $0.add(false); $0.add(rows.change)
      }
      let result = try body(writer)
      try connection.run(Queries.setHidden) {
        $0.add(true); $0.add(rows.change)
      }
      return result
    }
  }

  /// Finishes the change: what it added is seen from here on, and what else there is to do is done.
  ///
  /// - Parameter body: What is to be kept along with it, in the transaction that decides.
  /// - Throws: ``StoreError``, or what `body` throws. Where nothing was decided, ``giveUp()`` takes it all back; else the
  ///   rest is done when the store is opened next.
  @discardableResult
  public func finish<Result>(_ body: (borrowing StoreWriter) throws -> Result) throws -> Result {
    let settlement = BulkSettlement(change: rows.change)
    pace.rest()
    let result = try store.write(labelled: store.undoLabel) { writer in
      try writer.connection.run(Queries.decide) { $0.add(rows.change) }
      let result = try body(writer)
      try settlement.go(on: writer)
      return result
    }
    isOpen = false
    try store.settle(settlement, as: store.undoLabel)
    return result
  }

  /// Takes back what was not finished. What can't be taken back now, on a full disk for instance, stays hidden until the
  /// store is opened next.
  public func giveUp() {
    guard isOpen else { return }
    isOpen = false
    try? store.takeBack(rows.change)
  }

  /// SQL: no running change has reserved the number of the item.
  ///
  /// The sign keeps SQLite from looking for the numbers instead of for what else is asked.
  static func excludes(_ row: String) -> String {
    "+\(row) NOT BETWEEN coalesce((SELECT first_item FROM bulk_changes WHERE is_hidden), 1) "
      + "AND coalesce((SELECT last_item FROM bulk_changes WHERE is_hidden), 0)"
  }
}

extension CalendarStore {
  /// Begins a large change.
  ///
  /// - Parameter isAuthoritative: Whether it counts, whatever somebody has changed meanwhile; else what is a later
  ///   revision stays.
  /// - Throws: ``StoreError``: ``StoreError/Reason/locked`` where another one takes too long.
  public func beginBulkChange(isAuthoritative: Bool = false) throws -> BulkChange {
    guard access != .readOnly else { throw StoreError(path: path, reason: .readOnly) }
    guard let lockPath = bulkLockPath else {
      try settleAllBulkChanges()
      return try BulkChange(self, lock: nil, isAuthoritative: isAuthoritative)
    }
    var waits = busyTimeout / 20
    while true {
      if let lock = try StoreError.lock(lockPath) {
        try settleAllBulkChanges()
        return try BulkChange(self, lock: lock, isAuthoritative: isAuthoritative)
      }
      guard waits > 0 else { throw StoreError(path: path, reason: .locked) }
      waits -= 1
      usleep(20_000)
    }
  }

  /// Where the one who makes a large change has a lock; `nil` in memory.
  var bulkLockPath: String? { isInMemory ? nil : path + ".import" }
}

private enum Queries {
  static let lastNumber = SQL("SELECT seq FROM sqlite_sequence WHERE name = ?")
  static let addNumber = SQL("INSERT INTO sqlite_sequence (name, seq) VALUES ('items', ?)")
  static let setNumber = SQL("UPDATE sqlite_sequence SET seq = ? WHERE name = 'items'")
  static let begin = SQL(
    """
    INSERT INTO bulk_changes
      (first_item, last_item, is_hidden, is_decided, is_authoritative, first_alarm, last_change, run, command, made_at)
    VALUES (?, ?, TRUE, FALSE, ?, ?, ?, ?, ?, ?)
    """)
  static let setHidden = SQL("UPDATE bulk_changes SET is_hidden = ? WHERE row = ?")
  static let decide = SQL("UPDATE bulk_changes SET is_hidden = FALSE, is_decided = TRUE WHERE row = ?")
}
