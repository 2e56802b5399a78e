public import CalendarModel

extension StoreWriter {
  /// Adds an item, or changes the one with its identifier.
  ///
  /// An alarm that the item had before, told by its identifier, keeps its number, and with it what the engine
  /// knows: due times, and which devices are inside its fence. Due times are not worked out here: see
  /// ``replaceDueTimes(of:with:)``.
  ///
  /// - Parameters:
  ///   - item: The item. It is stored as it is: ``CalendarModel/CalendarItem/lastModified`` too.
  ///   - bounds: Between which moments its occurrences lie, where the caller knows better than
  ///     ``OccurrenceBounds/init(_:)``.
  /// - Throws: ``StoreError/Reason/notFound(_:)`` where its calendar is not in the store.
  public func save(_ item: CalendarItem, bounds: OccurrenceBounds? = nil) throws(StoreError) {
    try save(item, bounds: bounds, received: nil)
  }

  /// Changes an item to what became of it when a revision of it came from elsewhere.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - received: The revision as it came, where what was changed here is merged into the item; else the item.
  /// - Throws: ``StoreError/Reason/notFound(_:)`` where its calendar is not in the store.
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
    // What is new need not be kept to be undone: the log names it.
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

  /// Adds an item that is thought to be new; cheaper than ``save(_:bounds:)``.
  ///
  /// - Returns: False, and nothing is changed, where there is an item with its identifier.
  /// - Throws: ``StoreError/Reason/notFound(_:)`` where its calendar is not in the store.
  public func add(_ item: CalendarItem) throws(StoreError) -> Bool {
    let calendar = try row(of: item.calendar)
    let bounds = OccurrenceBounds(item)
    // As in save(_:bounds:): what was added is told by the log.
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

  /// Saves items, those of a file for instance, as ``save(_:bounds:)`` does.
  public func saveAll(_ items: some Sequence<CalendarItem>) throws(StoreError) {
    for item in items { try save(item) }
  }

  /// Removes an item with its alarms, their due times and all else that is its own. What was fired stays in
  /// the ledger.
  ///
  /// With a detached occurrence its series has changed too, and is logged as changed: it takes place again when the
  /// rule says.
  ///
  /// - Returns: Whether there was one.
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

  /// The row of a calendar, which most items of a file share.
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
  /// With whether it is as it came from elsewhere.
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
