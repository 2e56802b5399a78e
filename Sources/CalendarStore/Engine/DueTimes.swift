public import CalendarModel

/// A moment at which a time-based alarm is to go off.
public struct DueTime: Hashable, Sendable {
  /// Whether the alarm's trigger is absolute or relative.
  public enum Kind: String, Hashable, Sendable {
    case absolute, relative
  }

  /// The item.
  public var item: Identifier<CalendarItem>
  /// The alarm.
  public var alarm: Identifier<Alarm>
  /// Whether the alarm's trigger is absolute or relative.
  public var kind: Kind
  /// For a recurring item, the start of the occurrence that it is told from.
  public var occurrence: CalendarTime?
  /// Which time of an alarm that goes off again (REPEAT): 0 is the first.
  public var repetition: Int
  /// When.
  public var due: Instant

  /// A due time.
  public init(
    item: Identifier<CalendarItem>, alarm: Identifier<Alarm>, kind: Kind, occurrence: CalendarTime? = nil,
    repetition: Int = 0, due: Instant
  ) {
    self.item = item
    self.alarm = alarm
    self.kind = kind
    self.occurrence = occurrence
    self.repetition = repetition
    self.due = due
  }
}

extension StoreReader {
  /// The moment of the earliest due time; `nil` where nothing is due, ever. Cost: microseconds, whatever
  /// the store holds.
  public func earliestDue() throws(StoreError) -> Instant? {
    try connection.first(Queries.earliest) { $0.instant() }
  }

  /// What is due at or before a moment, the earliest first.
  public func dueTimes(until moment: Instant, limit: Int = 1_000) throws(StoreError) -> [DueTime] {
    try connection.all(Queries.until) {
      $0.add(moment)
      $0.add(limit)
    } read: {
      $0.dueTime()
    }
  }

  /// What is due after a moment, the earliest first: what `fencepost alarms next` shows.
  public func dueTimes(after moment: Instant, limit: Int) throws(StoreError) -> [DueTime] {
    try connection.all(Queries.after) {
      $0.add(moment)
      $0.add(limit)
    } read: {
      $0.dueTime()
    }
  }

  /// The due times of an item, the earliest first.
  public func dueTimes(of item: Identifier<CalendarItem>) throws(StoreError) -> [DueTime] {
    try connection.all(Queries.ofItem, { $0.add(item) }, read: { $0.dueTime() })
  }
}

extension StoreWriter {
  /// Puts due times in the place of all that an item has. They belong into the transaction that saves it.
  ///
  /// - Throws: ``StoreError/Reason/notFound(_:)`` where the item, or an alarm of it that a due time names, is
  ///   not in the store.
  public func replaceDueTimes(
    of item: Identifier<CalendarItem>, with dueTimes: [DueTime]
  ) throws(StoreError) {
    let row = try row(of: item)
    try connection.run(Queries.remove) { $0.add(row) }
    for dueTime in dueTimes {
      try connection.run(Queries.add) {
        $0.add(dueTime.kind.rawValue)
        $0.add(dueTime.occurrence)
        $0.add(dueTime.repetition)
        $0.add(dueTime.due)
        $0.add(row)
        $0.add(dueTime.alarm)
      }
      guard connection.changedRows > 0 else {
        throw StoreError(
          path: connection.path, reason: .notFound("alarm \(dueTime.alarm) of item \(item)"))
      }
    }
  }
}

extension RowReader {
  fileprivate mutating func dueTime() -> DueTime {
    DueTime(
      item: identifier(), alarm: identifier(), kind: value(or: .absolute), occurrence: optionalTime(),
      repetition: int(), due: instant())
  }
}

private enum Queries {
  static let earliest = SQL("SELECT due_at FROM due_times ORDER BY due_at LIMIT 1")
  private static let dueTimes = """
    SELECT i.id, a.id, d.kind, d.occurrence, d.repetition, d.due_at
    FROM due_times d JOIN items i ON i.row = d.item JOIN alarms a ON a.row = d.alarm\u{20}
    """
  static let until = SQL(dueTimes + "WHERE d.due_at <= ? ORDER BY d.due_at, d.row LIMIT ?")
  static let after = SQL(dueTimes + "WHERE d.due_at > ? ORDER BY d.due_at, d.row LIMIT ?")
  static let ofItem = SQL(dueTimes + "WHERE i.id = ? ORDER BY d.due_at, d.row")
  static let remove = SQL("DELETE FROM due_times WHERE item = ?")
  static let add = SQL(
    """
    INSERT INTO due_times (kind, occurrence, repetition, due_at, item, alarm)
    SELECT ?, ?, ?, ?, item, row FROM alarms WHERE item = ? AND id = ? ORDER BY position LIMIT 1
    """)
}
