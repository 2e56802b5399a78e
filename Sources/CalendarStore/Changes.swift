public import CalendarModel

/// One line of the store's change log: something was added, changed or removed.
///
/// Items count as one with all that is in them. What the engine keeps (positions, fence states, due times,
/// firings) is not logged here: the ledger is a log of its own.
public struct StoreChange: Hashable, Sendable {
  /// What changed.
  public enum Entity: Int, Hashable, Sendable {
    case source = 0, calendar, item, timeZone, setting, access
    /// A place that was given a name.
    case place
  }

  /// How.
  public enum Kind: Int, Hashable, Sendable {
    case inserted = 0, updated, removed
  }

  /// Its place in the log; later changes have greater ones.
  public var sequence: Int64
  /// Which transaction made it; the same for all changes of one, greater for later ones.
  public var transaction: Int64
  /// What changed.
  public var entity: Entity
  /// The identifier of what changed, or the name of a setting.
  public var id: String
  /// How it changed.
  public var kind: Kind
}

extension StoreReader {
  /// The place of the last change in the log, 0 for none: greater than before means that this or another
  /// process has changed something. Cost: microseconds.
  public func lastChange() throws(StoreError) -> Int64 { try connection.lastChange() }

  /// The changes after a place in the log, in order.
  public func changes(after sequence: Int64, limit: Int = 10_000) throws(StoreError) -> [StoreChange] {
    try connection.all(Queries.after) {
      $0.add(sequence)
      $0.add(limit)
    } read: { row in
      StoreChange(
        sequence: row.int64(), transaction: row.int64(), entity: row.value(or: .item), id: row.text(),
        kind: row.value(or: .updated))
    }
  }
}

extension SQLiteConnection {
  /// The place of the last change in the log, 0 for none.
  func lastChange() throws(StoreError) -> Int64 { try first(Queries.last) { $0.int64() } ?? 0 }
}

extension StoreWriter {
  /// Drops from the log what nobody is likely to ask for: all but the last ``ChangeLog/kept`` changes, and those that
  /// undoing needs. Steps to be undone that are older than 90 days, or that a million changes came after, go first.
  ///
  /// Whoever asks for changes that are gone is given the first that is left, by which they can tell.
  ///
  /// Cost: some 0.3 microseconds for each change that goes.
  ///
  /// - Parameter now: What time it is.
  public func trimChanges(at now: Instant) throws(StoreError) {
    let last = try reader.lastChange()
    try dropSteps(before: now.adding(seconds: -ChangeLog.undoSeconds), change: last - ChangeLog.undoChanges)
    try connection.run(Queries.trim) { $0.add(last - ChangeLog.kept) }
  }

  /// Adds to the log.
  func log(_ kind: StoreChange.Kind, _ entity: StoreChange.Entity, _ id: String) throws(StoreError) {
    try connection.run(Queries.log) {
      $0.add(transactionNumber)
      $0.add(entity.rawValue)
      $0.add(id)
      $0.add(kind.rawValue)
    }
  }
}

/// How much is kept of the log of changes.
public enum ChangeLog {
  /// So many changes at least.
  public static let kept: Int64 = 10_000
  /// Steps can be undone for so many seconds,
  static let undoSeconds = 90.0 * 86_400
  /// and while no more than so many changes came after.
  static let undoChanges: Int64 = 1_000_000
}

private enum Queries {
  static let last = SQL("SELECT seq FROM sqlite_sequence WHERE name = 'changes'")
  static let after = SQL(
    """
    SELECT sequence, transaction_number, entity, id, kind FROM changes WHERE sequence > ?
    ORDER BY sequence LIMIT ?
    """)
  static let trim = SQL(
    """
    DELETE FROM changes
    WHERE sequence <= min(?1, coalesce((SELECT min(first_change) - 1 FROM undo_steps), ?1))
    """
  )
  static let log = SQL("INSERT INTO changes (transaction_number, entity, id, kind) VALUES (?, ?, ?, ?)")
}
