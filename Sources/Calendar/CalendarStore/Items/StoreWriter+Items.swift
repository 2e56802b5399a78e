public import FencepostCalendarModel
public import FencepostDatabase

extension StoreWriter {
  /// Adds an item, or changes the one with its identifier.
  ///
  /// An existing alarm, found by its identifier, keeps its number, and with it the engine's state: due times,
  /// and the devices inside its fence. It gets a new number if that no longer applies, as after its place
  /// moved: devices then see it for the first time. This does not compute due times: see ``replaceDueTimes(of:with:)``.
  ///
  /// - Parameters:
  ///   - item: The item. It is stored unchanged, also ``CalendarModel/CalendarItem/lastModified``.
  ///   - bounds: The time range of its occurrences, if the caller knows it better than
  ///     ``OccurrenceBounds/init(_:)``.
  /// - Throws: ``StoreError/Reason/notFound(_:)`` if its calendar is not in the store.
  public func save(_ item: CalendarItem, bounds: OccurrenceBounds? = nil) throws(StoreError) {
    try save(item, bounds: bounds, received: nil)
  }

  /// Changes an item after a revision of it came from elsewhere.
  ///
  /// - Parameters:
  ///   - item: The new state of the item.
  ///   - received: The revision as it came. It differs from the item if local changes were merged.
  /// - Throws: ``StoreError/Reason/notFound(_:)`` if its calendar is not in the store.
  public func save(_ item: CalendarItem, received: CalendarItem) throws(StoreError) {
    try save(item, bounds: nil, received: received)
  }

  private func save(
    _ item: CalendarItem, bounds: OccurrenceBounds?, received: CalendarItem?
  ) throws(StoreError) {
    let calendar = try row(of: item.calendar)
    let before = try connection.first(Queries.row, { $0.add(item.id) }) {
      (row: $0.int64(), parts: ItemParts(rawValue: $0.int()), isReceived: $0.bool())
    }
    if let bulk, before.map({ !bulk.numbers.contains($0.row) }) ?? true {
      guard before == nil else {
        return try stage(item, received: received, calendar: calendar, in: bulk)
      }
      guard try add(item) else {
        throw StoreError(path: connection.path, reason: .constraint("two items are called \(item.id)"))
      }
      return
    }
    // The log names additions, so undo need not record them.
    let recorder = before == nil ? connection.recorder : nil
    connection.recorder?.checkMemory()
    recorder?.isPaused = true
    defer { recorder?.isPaused = false }
    if let before, before.isReceived, received == nil { try connection.keepReceived(row: before.row) }
    let bounds = bounds ?? OccurrenceBounds(item)
    let row = try connection.first(
      ItemColumns.insert, { $0.add(item, calendar: calendar, bounds: bounds) }, read: { $0.int64() })
    guard let row else {
      throw StoreError(path: connection.path, reason: .unexpected("an item was saved and has no row"))
    }
    try saveParts(of: item, row: row, before: before?.parts ?? [])
    if let received { try connection.note(received, as: item, row: row, calendar: calendar) }
    try connection.keepImage(of: item, row: row, calendar: calendar)
    if bulk == nil { try log(before == nil ? .inserted : .updated, .item, item.id.rawValue) }
  }

  /// Adds an item that is probably new; cheaper than ``save(_:bounds:)``.
  ///
  /// - Returns: False, without a change, if the identifier exists.
  /// - Throws: ``StoreError/Reason/notFound(_:)`` if its calendar is not in the store.
  public func add(_ item: CalendarItem) throws(StoreError) -> Bool {
    let calendar = try row(of: item.calendar)
    let bounds = OccurrenceBounds(item)
    // As in save(_:bounds:): the log names additions.
    let recorder = connection.recorder
    recorder?.isPaused = true
    defer { recorder?.isPaused = false }
    let number = try bulk?.next(in: connection)
    try connection.run(number == nil ? ItemColumns.add : ItemColumns.addInRow) {
      if let number { $0.add(number) }
      $0.add(item, calendar: calendar, bounds: bounds)
    }
    guard connection.changedRows > 0 else { return false }
    bulk?.take()
    let row = connection.lastInsertedRow
    try saveParts(of: item, row: row, before: [])
    try connection.keepImage(of: item, row: row, calendar: calendar)
    if bulk == nil { try log(.inserted, .item, item.id.rawValue) }
    return true
  }

  /// Saves items, for example those of a file, as ``save(_:bounds:)`` does.
  public func saveAll(_ items: some Sequence<CalendarItem>) throws(StoreError) {
    for item in items { try save(item) }
  }

  /// Removes an item with its alarms, their due times and all its other parts. Its firings stay in the
  /// ledger.
  ///
  /// Removing a detached occurrence also changes its series, and is logged so: the occurrence takes place
  /// again as the rule says.
  ///
  /// - Returns: Whether it existed.
  @discardableResult
  public func remove(_ item: Identifier<CalendarItem>) throws(StoreError) -> Bool {
    if let bulk, let row = try connection.first(Queries.row, { $0.add(item) }, read: { $0.int64() }) {
      if bulk.numbers.contains(row) {
        try connection.run(Queries.remove) { $0.add(item) }
      } else {
        try stageRemoval(of: item, in: bulk)
      }
      return true
    }
    let masters = try connection.all(Queries.masters, { $0.add(item) }, read: { $0.text() })
    connection.recorder?.checkMemory()
    try connection.run(Queries.remove) { $0.add(item) }
    guard connection.changedRows > 0 else { return false }
    try log(.removed, .item, item.rawValue)
    for master in masters { try log(.updated, .item, master) }
    return true
  }

  /// The row of a calendar. Most items of a file share one.
  private func row(of calendar: Identifier<ItemCalendar>) throws(StoreError) -> Int64 {
    if let known = calendarRows.rows[calendar] { return known }
    let row = try connection.first(Queries.calendarRow, { $0.add(calendar) }, read: { $0.int64() })
    guard let row else {
      throw StoreError(path: connection.path, reason: .notFound("calendar \(calendar)"))
    }
    calendarRows.rows[calendar] = row
    return row
  }

  /// The row of an item.
  func row(of item: Identifier<CalendarItem>) throws(StoreError) -> Int64 {
    if let row = try connection.first(Queries.row, { $0.add(item) }, read: { $0.int64() }) { return row }
    throw StoreError(path: connection.path, reason: .notFound("item \(item)"))
  }
}

private enum Queries {
  static let calendarRow = SQL("SELECT row FROM calendars WHERE id = ?")
  /// Also whether it is unchanged since it came from elsewhere.
  static let row = SQL(
    """
    SELECT row, parts, arrived_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM received_items WHERE item = items.row)
    FROM items WHERE id = ?
    """)
  static let remove = SQL("DELETE FROM items WHERE id = ?")
  static let masters = SQL(
    """
    SELECT m.id FROM items d JOIN items m ON m.uid = d.uid
    WHERE d.id = ? AND d.detached_occurrence IS NOT NULL AND m.calendar = d.calendar
      AND m.detached_occurrence IS NULL
    """)
}
