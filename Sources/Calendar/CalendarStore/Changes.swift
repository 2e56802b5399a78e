public import FencepostCalendarModel
public import FencepostDatabase

/// One entry of the store's log of changes: something was added, changed or removed.
///
/// A change of an item's parts counts as a change of the item. The engine's state (positions, fence states,
/// due times, firings) is not in this log: the ledger is a separate log.
public struct StoreChange: Hashable, Sendable {
  /// The kind of thing that changed.
  public enum Entity: Int, Hashable, Sendable {
    case source = 0, calendar, item, timeZone, setting, access
    /// A named place.
    case place
  }

  /// The kind of change.
  public enum Kind: Int, Hashable, Sendable {
    case inserted = 0, updated, removed
  }

  /// Its number in the log, which grows.
  public var sequence: Int64
  /// The number of its transaction: equal for all changes of one, greater for later ones.
  public var transaction: Int64
  /// The kind of thing that changed.
  public var entity: Entity
  /// The identifier of the changed thing, or the name of a setting.
  public var id: String
  /// The kind of change.
  public var kind: Kind
}

extension StoreReader {
  /// The number of the last change in the log, 0 for none. If it grows, this or another process has changed
  /// something. Cost: microseconds.
  public func lastChange() throws(StoreError) -> Int64 { try connection.lastChange() }

  /// The changes after a number in the log, in order.
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
  /// The number of the last change in the log, 0 for none.
  func lastChange() throws(StoreError) -> Int64 { try first(Queries.last) { $0.int64() } ?? 0 }
}

extension StoreWriter {
  /// Trims the log: keeps the last ``ChangeLog/kept`` changes, and those that undo needs. Removes undo steps
  /// that are older than 90 days, or have a million later changes, first.
  ///
  /// A request for removed changes returns the first one that is left, which shows the gap.
  ///
  /// One call removes a limited number, so that it does not hold the store's lock for long.
  ///
  /// Cost: some 0.3 microseconds per removed change.
  ///
  /// - Parameter now: The current time.
  /// - Returns: False if a later transaction must continue.
  @discardableResult
  public func trimChanges(at now: Instant) throws(StoreError) -> Bool {
    let last = try reader.lastChange()
    let dropped = try dropSteps(
      before: now.adding(seconds: -ChangeLog.undoSeconds), change: last - ChangeLog.undoChanges)
    let target = last - ChangeLog.kept
    let end = try firstChange() + ChangeLog.removals
    try connection.run(Queries.trim) { $0.add(min(target, end)) }
    let isDone = try trimObjects() && dropped
    guard target > end else { return isDone }
    // If a change before the end is left, undo needs it.
    return try firstChange() <= end && isDone
  }

  private func firstChange() throws(StoreError) -> Int64 {
    try connection.first(Queries.first) { $0.int64() } ?? 0
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

/// The limits of the log of changes.
public enum ChangeLog {
  /// The minimum number of changes to keep.
  public static let kept: Int64 = 10_000
  /// The maximum number of changes that one transaction removes.
  static let removals: Int64 = 20_000
  /// The maximum number of items that left calendars, and of their objects, that one transaction forgets.
  static let objects = 2_000
  /// The age up to which steps can be undone, in seconds.
  static let undoSeconds = 90.0 * 86_400
  /// The number of later changes up to which steps can be undone.
  static let undoChanges: Int64 = 1_000_000
}

private enum Queries {
  static let last = SQL("SELECT seq FROM sqlite_sequence WHERE name = 'changes'")
  static let first = SQL("SELECT min(sequence) FROM changes")
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
