public import CalendarModel

/// The fence of a proximity alarm.
public struct StoredFence: Hashable, Sendable {
  /// The number that the alarm has in this store. It is never given to another one.
  public var number: Int64
  /// The alarm.
  public var alarm: Identifier<Alarm>
  /// The item that it belongs to.
  public var item: Identifier<CalendarItem>
  /// What a device must do, where and when.
  public var trigger: ProximityTrigger
  /// Where: the trigger's location's region.
  public var region: Region
}

extension StoreReader {
  /// Hands the fences of all proximity alarms to `body`, one by one, in the order of their numbers. Alarms of
  /// completed reminders and cancelled events, and alarms whose place is not known, have none.
  ///
  /// Cost: some 1.5 microseconds a fence.
  public func forEachFence(_ body: (StoredFence) -> Void) throws(StoreError) {
    try fences(Queries.all, { _ in }, body)
  }

  /// Hands the fences that may reach into a box to `body`, in no order: none that does is missing, and a few
  /// are handed over that lie just outside.
  ///
  /// Goes through the spatial index. Cost: some 2 microseconds for each fence found.
  public func forEachFence(in box: BoundingBox, _ body: (StoredFence) -> Void) throws(StoreError) {
    let parts = box.unwrapped
    // A fence can have an extent in each of the parts, and two of its own.
    var seen: Set<Int64> = []
    for part in parts {
      try fences(Queries.inBox, { $0.add(part) }) { fence in
        if seen.insert(fence.number).inserted { body(fence) }
      }
    }
  }

  /// Hands the fences of the items whose identifiers begin with `prefix` to `body`.
  public func forEachFence(
    ofItemsNamed prefix: String, _ body: (StoredFence) -> Void
  ) throws(StoreError) {
    try fences(
      Queries.ofItems,
      {
        $0.add(prefix)
        $0.add(prefix + "\u{10FFFF}")
      }, body)
  }

  /// The fence of an alarm; several where a file gave one identifier to alarms of several items, as it does
  /// with detached occurrences.
  public func fences(of alarm: Identifier<Alarm>) throws(StoreError) -> [StoredFence] {
    try list(Queries.ofAlarm) { $0.add(alarm) }
  }

  /// The fences of an item's alarms.
  public func fences(of item: Identifier<CalendarItem>) throws(StoreError) -> [StoredFence] {
    try list(Queries.ofItem) { $0.add(item) }
  }

  /// The fence with a number; `nil` where the alarm was removed, or is silent.
  public func fence(number: Int64) throws(StoreError) -> StoredFence? {
    try list(Queries.byNumber) { $0.add(number) }.first
  }

  /// The highest number that a fence of this store has had; 0 where there was none.
  public func latestFenceNumber() throws(StoreError) -> Int64 {
    try connection.first(Queries.latest) { $0.int64() } ?? 0
  }

  private func list(_ sql: SQL, _ bind: (inout Binder) -> Void) throws(StoreError) -> [StoredFence] {
    var found: [StoredFence] = []
    try fences(sql, bind) { found.append($0) }
    return found
  }

  private func fences(
    _ sql: SQL, _ bind: (inout Binder) -> Void, _ body: (StoredFence) -> Void
  ) throws(StoreError) {
    try connection.forEach(sql, bind) { row in
      let number = row.int64()
      let alarm: Identifier<Alarm> = row.identifier()
      let item: Identifier<CalendarItem> = row.identifier()
      if let trigger = row.proximity(), row.damage == nil, let region = trigger.location.region {
        body(StoredFence(number: number, alarm: alarm, item: item, trigger: trigger, region: region))
      }
      return true
    }
  }
}

private enum Queries {
  /// Kept by SQLite for AUTOINCREMENT. Fences that are hidden have yet to be made.
  static let latest = SQL(
    """
    SELECT min(seq, coalesce((SELECT first_alarm - 1 FROM bulk_changes WHERE is_hidden), seq))
    FROM sqlite_sequence WHERE name = 'alarms'
    """)
  private static let columns =
    "SELECT a.row, a.id, i.id, "
    + (AlarmColumns.proximityNames.map { "a." + $0 } + PlaceColumns.names.map { "l." + $0 })
    .joined(separator: ", ")
  private static let live =
    " a.proximity IS NOT NULL AND NOT i.is_silenced AND \(BulkChange.excludes("i.row")) "

  // CROSS JOIN: alarms first, in the order of their rows, each with the two rows that belong to it.
  private static let fences =
    columns
      + """
       FROM alarms a CROSS JOIN structured_locations l ON l.alarm = a.row CROSS JOIN items i ON i.row = a.item
      WHERE
      """ + live
  static let all = SQL(fences + "ORDER BY a.row")
  static let ofAlarm = SQL(fences + "AND a.id = ? ORDER BY a.row")
  static let byNumber = SQL(fences + "AND a.row = ?")
  static let ofItem = SQL(
    columns
      + """
       FROM items i CROSS JOIN alarms a ON a.item = i.row CROSS JOIN structured_locations l ON l.alarm = a.row
      WHERE
      """ + live + "AND i.id = ? ORDER BY a.position")
  static let ofItems = SQL(
    columns
      + """
       FROM items i CROSS JOIN alarms a ON a.item = i.row CROSS JOIN structured_locations l ON l.alarm = a.row
      WHERE
      """ + live + "AND i.id BETWEEN ? AND ? ORDER BY a.row")
  static let inBox = SQL(
    columns
      + """
       FROM \(SpatialIndex.extents) CROSS JOIN structured_locations l ON l.row = e.location
      CROSS JOIN alarms a ON a.row = l.alarm CROSS JOIN items i ON i.row = a.item
      WHERE \(SpatialIndex.condition) AND
      """ + live)
}
