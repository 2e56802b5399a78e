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

  /// The numbers of the last changes of calendars after a number in the log: of the calendar itself, of its
  /// items, and of items that have left it. After 0, all calendars have one.
  ///
  /// Cost: about a microsecond for each change after the number.
  public func lastChanges(
    after sequence: Int64 = 0
  ) throws(StoreError) -> [Identifier<ItemCalendar>: Int64] {
    let all = try connection.all(Queries.ofCalendars, { $0.add(sequence) }) { row in
      (row.identifier() as Identifier<ItemCalendar>, row.int64())
    }
    return Dictionary(all) { $1 }
  }

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
    for query in [Queries.forget, Queries.trim] { try connection.run(query) { $0.add(min(target, end)) } }
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
  private static let end = "min(?1, coalesce((SELECT min(first_change) - 1 FROM undo_steps), ?1))"
  static let trim = SQL("DELETE FROM changes WHERE sequence <= " + end)
  /// The changes of calendars that meet a condition. Entity 1 is a calendar, 2 an item. An item that has left
  /// did so with the change after the number in its row.
  private static func ofCalendars(changed: String, left: String) -> String {
    """
    SELECT i.calendar AS calendar, l.sequence AS sequence FROM changes l JOIN items i ON i.id = l.id
    WHERE l.entity = 2 AND l.sequence \(changed)
    UNION ALL
    SELECT c.row, l.sequence FROM changes l JOIN calendars c ON c.id = l.id
    WHERE l.entity = 1 AND l.sequence \(changed)
    UNION ALL
    SELECT c.row, min(d.sequence + 1, \(Schema.lastChange)) FROM departed_items d
    JOIN calendars c ON c.row = d.calendar WHERE d.sequence \(left)
    """
  }
  static let forget = SQL(
    """
    INSERT INTO forgotten_changes
    SELECT calendar, max(sequence) FROM (\(ofCalendars(changed: "<= " + end, left: "< " + end))) WHERE TRUE GROUP BY calendar
    ON CONFLICT (calendar) DO UPDATE SET sequence = max(sequence, excluded.sequence)
    """)
  static let ofCalendars = SQL(
    """
    SELECT c.id, max(n.sequence) FROM (
      \(ofCalendars(changed: "> ?1", left: ">= ?1"))
      UNION ALL
      SELECT calendar, sequence FROM forgotten_changes WHERE sequence > ?1
    ) n JOIN calendars c ON c.row = n.calendar GROUP BY c.row
    """)
  static let log = SQL("INSERT INTO changes (transaction_number, entity, id, kind) VALUES (?, ?, ?, ?)")
}
