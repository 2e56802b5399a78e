public import CalendarModel

extension StoreReader {
  /// The item with an identifier. Cost: some 10 microseconds.
  public func item(_ id: Identifier<CalendarItem>) throws(StoreError) -> CalendarItem? {
    try items(Queries.byID) { $0.add(id) }.first
  }

  /// The items with a UID: a series and its detached occurrences, or copies in several calendars.
  public func items(uid: String) throws(StoreError) -> [CalendarItem] {
    try items(Queries.byUID) { $0.add(uid) }
  }

  /// The items whose identifier begins with `prefix`, in either case, at most `limit`: one for a prefix that
  /// tells items apart.
  public func items(idPrefix prefix: String, limit: Int = 10) throws(StoreError) -> [CalendarItem] {
    try items(Queries.byPrefix) {
      // Nothing sorts after U+10FFFF, so this range is what begins with the prefix, in the index.
      for spelling in [prefix, prefix.uppercased()] {
        $0.add(spelling)
        $0.add(spelling + "\u{10FFFF}")
      }
      $0.add(limit)
    }
  }

  /// All items in a calendar or list, in the order in which they were made.
  public func items(in calendar: Identifier<ItemCalendar>) throws(StoreError) -> [CalendarItem] {
    try items(Queries.byCalendar) { $0.add(calendar) }
  }

  /// All items, in the order in which they were made. Loads the whole store.
  public func items() throws(StoreError) -> [CalendarItem] {
    try items(Queries.all) { _ in }
  }

  /// How many items there are.
  public func itemCount() throws(StoreError) -> Int {
    try connection.first(Queries.count) { $0.int() } ?? 0
  }

  /// The items of a query over ``ItemColumns/list``, in full.
  ///
  /// - Parameter more: Reads the columns that follow an item's, if the query has such.
  func items(
    _ sql: SQL, _ bind: (inout Binder) -> Void, more: (inout RowReader) -> Void = { _ in }
  ) throws(StoreError) -> [CalendarItem] {
    var items: [CalendarItem] = []
    var shells: [ItemShell] = []
    try connection.forEach(sql, bind) { row in
      let (item, shell) = row.item()
      items.append(item)
      shells.append(shell)
      more(&row)
      return true
    }
    // All items of a calendar share its identifier's storage: one look-up and one string each.
    var calendars: [Int64: Identifier<ItemCalendar>] = [:]
    for (index, shell) in shells.enumerated() {
      if calendars[shell.calendar] == nil {
        calendars[shell.calendar] = try connection.first(
          Queries.calendarID, { $0.add(shell.calendar) }, read: { $0.identifier() })
      }
      if let calendar = calendars[shell.calendar] { items[index].calendar = calendar }
      if !shell.parts.isEmpty { try complete(&items[index], shell) }
    }
    return items
  }

  /// Adds an item's parts to it.
  private func complete(_ item: inout CalendarItem, _ shell: ItemShell) throws(StoreError) {
    if shell.parts.contains(.alarms) {
      item.alarms = try connection.all(Queries.alarms, { $0.add(shell.row) }, read: { $0.alarm() })
    }
    if shell.parts.contains(.place) {
      item.structuredLocation = try connection.first(
        PlaceColumns.ofItem, { $0.add(shell.row) }, read: { $0.place() })
    }
    if shell.parts.contains(.recurrence) { item.recurrence = try recurrence(shell) }
    if shell.parts.contains(.participants) {
      try connection.forEach(Queries.participants) {
        $0.add(shell.row)
      } _: { row in
        let isOrganizer = row.int() < 0
        let participant = row.participant()
        if isOrganizer { item.organizer = participant } else { item.attendees.append(participant) }
        return true
      }
    }
  }

  private func recurrence(_ shell: ItemShell) throws(StoreError) -> Recurrence {
    var recurrence = Recurrence()
    if shell.parts.contains(.recurrenceRules) {
      try connection.forEach(Queries.rules) {
        $0.add(shell.row)
      } _: { row in
        if row.bool() {
          recurrence.exceptionRules.append(row.rule())
        } else {
          recurrence.rules.append(row.rule())
        }
        return true
      }
    }
    if shell.parts.contains(.recurrenceDates) {
      try connection.forEach(Queries.dates) {
        $0.add(shell.row)
      } _: { row in
        if row.bool() {
          recurrence.exceptionDates.append(row.time())
        } else {
          recurrence.dates.append(
            Recurrence.AdditionalOccurrence(start: row.time(), end: row.optionalTime()))
        }
        return true
      }
    }
    return recurrence
  }
}

extension RowReader {
  fileprivate mutating func participant() -> Participant {
    Participant(
      url: text(), name: optionalText(), kind: value(or: .unknown), role: value(or: .unknown),
      status: value(or: .unknown), isCurrentUser: bool(), preservedParameters: list())
  }
}

private enum Queries {
  static let byID = SQL(ItemColumns.selection + "WHERE i.id = ?")
  static let byUID = SQL(ItemColumns.selection + "WHERE i.uid = ? ORDER BY i.row")
  static let byPrefix = SQL(
    ItemColumns.selection + "WHERE i.id BETWEEN ? AND ? OR i.id BETWEEN ? AND ? ORDER BY i.id LIMIT ?")
  static let byCalendar = SQL(
    ItemColumns.selection
      + "WHERE i.calendar = (SELECT row FROM calendars WHERE id = ?) ORDER BY i.row")
  static let all = SQL(ItemColumns.selection + "ORDER BY i.row")
  static let count = SQL("SELECT count(*) FROM items")

  static let calendarID = SQL("SELECT id FROM calendars WHERE row = ?")
  static let alarms = SQL(
    """
    SELECT \(AlarmColumns.list) FROM alarms a LEFT JOIN structured_locations l ON l.alarm = a.row
    WHERE a.item = ? ORDER BY a.position
    """)
  static let rules = SQL(
    "SELECT is_exception, rule FROM recurrence_rules WHERE item = ? ORDER BY is_exception, position")
  static let dates = SQL(
    "SELECT is_exception, start, ends FROM recurrence_dates WHERE item = ? ORDER BY is_exception, position")
  static let participants = SQL(
    """
    SELECT position, url, name, kind, role, status, is_current_user, preserved_parameters FROM participants
    WHERE item = ? ORDER BY position
    """)
}
