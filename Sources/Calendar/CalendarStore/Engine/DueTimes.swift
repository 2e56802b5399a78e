public import FencepostCalendarModel
public import FencepostDatabase

extension StoreReader {
  /// The due times up to a moment, the earliest first.
  ///
  /// - Parameter damaged: Called with each that can't be read in full, and its error. The result has it without
  ///   its occurrence: a flipped bit must not silence an alarm.
  public func dueTimes(
    until moment: Instant, limit: Int = 1_000, damaged: (DueTime, StoreError) -> Void = { _, _ in }
  ) throws(StoreError) -> [DueTime] {
    try connection.allWithSubstitutes(
      Queries.until,
      {
        $0.add(moment)
        $0.add(limit)
      }, read: { $0.dueTime() }, damaged: damaged)
  }

  /// The due times after a moment, the earliest first: the output of `fencepost alarms next`.
  public func dueTimes(after moment: Instant, limit: Int) throws(StoreError) -> [DueTime] {
    try connection.allWithSubstitutes(
      Queries.after,
      {
        $0.add(moment)
        $0.add(limit)
      }, read: { $0.dueTime() }, damaged: { _, _ in })
  }

  /// The stays that the engine waits for, the earliest first. Cost: reads each due time of the store.
  public func stays() throws(StoreError) -> [DueTime] {
    try connection.allWithSubstitutes(Queries.stays, read: { $0.dueTime() }, damaged: { _, _ in })
  }

  /// The due times of an item, the earliest first.
  public func dueTimes(of item: Identifier<CalendarItem>) throws(StoreError) -> [DueTime] {
    try connection.allWithSubstitutes(
      Queries.ofItem, { $0.add(item) }, read: { $0.dueTime() }, damaged: { _, _ in })
  }
}

extension StoreWriter {
  /// Replaces all due times of an item, except for stays. Call it in the transaction that saves the item.
  ///
  /// The implied alarm of a reminder is never in the store, and may be used here.
  ///
  /// - Throws: ``StoreError/Reason/notFound(_:)`` if the item, or an alarm of a due time, is not in the
  ///   store.
  public func replaceDueTimes(
    of item: Identifier<CalendarItem>, with dueTimes: [DueTime]
  ) throws(StoreError) {
    let row = try row(of: item)
    try connection.run(Queries.remove) { $0.add(row) }
    for dueTime in dueTimes {
      try add(dueTime, to: row)
      guard connection.changedRows > 0 else {
        throw connection.failed(
          StoreError(path: connection.path, reason: .notFound("alarm \(dueTime.alarm) of item \(item)")))
      }
    }
  }

  /// Adds a due time, unless the alarm was removed meanwhile.
  func arm(_ dueTime: DueTime) throws(StoreError) {
    guard let row = try connection.first(Queries.row, { $0.add(dueTime.item) }, read: { $0.int64() }) else {
      return
    }
    try add(dueTime, to: row)
  }

  /// Removes the due time of an alarm, or of one device's stay.
  func disarm(_ alarm: LedgerStep.Disarmed) throws(StoreError) {
    try connection.run(Queries.disarm) {
      $0.add(alarm.item)
      $0.add(alarm.alarm)
      $0.add(alarm.device)
    }
  }

  private func add(_ dueTime: DueTime, to row: Int64) throws(StoreError) {
    try connection.run(Queries.add) {
      $0.add(dueTime.kind.rawValue)
      $0.add(dueTime.occurrence)
      $0.add(dueTime.repetition)
      $0.add(dueTime.device)
      $0.add(dueTime.time)
      $0.add(row)
      $0.add(dueTime.alarm)
    }
  }
}

extension RowReader {
  fileprivate mutating func dueTime() -> DueTime {
    // Read in the order of the columns.
    let item: Identifier<CalendarItem> = identifier()
    let uid = text()
    let alarm = optionalText().map { Identifier<Alarm>(rawValue: $0) } ?? Alarm.impliedID(uid: uid)
    var due = DueTime(
      kind: value(or: .absolute), time: instant(), alarm: alarm, item: item, occurrence: optionalTime(),
      repetition: int(), device: optionalText())
    if damage != nil { due.occurrence = nil }
    return due
  }
}

private enum Queries {
  private static let dueTimes = """
    SELECT i.id, i.uid, a.id, d.kind, d.due_at, d.occurrence, d.repetition, d.device
    FROM due_times d JOIN items i ON i.row = d.item LEFT JOIN alarms a ON a.row = d.alarm\u{20}
    """
  static let until = SQL(dueTimes + "WHERE d.due_at <= ? ORDER BY d.due_at, d.row LIMIT ?")
  static let after = SQL(dueTimes + "WHERE d.due_at > ? ORDER BY d.due_at, d.row LIMIT ?")
  static let stays = SQL(dueTimes + "WHERE d.kind = 'dwell' ORDER BY d.due_at, d.row")
  static let ofItem = SQL(dueTimes + "WHERE i.id = ? ORDER BY d.due_at, d.row")
  static let remove = SQL("DELETE FROM due_times WHERE item = ? AND kind <> 'dwell'")
  static let row = SQL("SELECT row FROM items WHERE id = ?")
  static let disarm = SQL(
    """
    DELETE FROM due_times WHERE item = (SELECT row FROM items WHERE id = ?1) AND device IS ?3
      AND (alarm IN (SELECT row FROM alarms WHERE id = ?2)
        OR alarm IS NULL AND ?2 = (SELECT uid FROM items WHERE id = ?1) || '\(Alarm.impliedSuffix)')
    """)
  static let add = SQL(
    """
    INSERT OR REPLACE INTO due_times (kind, occurrence, repetition, device, due_at, item, alarm)
    SELECT ?1, ?2, ?3, ?4, ?5, i.row, a.row FROM items i LEFT JOIN alarms a ON a.item = i.row AND a.id = ?7
    WHERE i.row = ?6 AND (a.row IS NOT NULL OR ?7 = i.uid || '\(Alarm.impliedSuffix)')
    ORDER BY a.position LIMIT 1
    """)
}
