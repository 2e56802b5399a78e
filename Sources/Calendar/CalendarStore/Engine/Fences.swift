public import FencepostCalendarModel
public import FencepostDatabase

/// The fence of a proximity alarm.
public struct StoredFence: Hashable, Sendable {
  /// The alarm's number in this store. It is never reused.
  public let number: Int64
  /// The alarm with its item and place, and the heading of the item.
  public let subject: AlarmSubject
  /// The crossing and the place that trigger the alarm.
  public let trigger: ProximityTrigger
  /// The region of the trigger's location.
  public let region: Region
  /// Whether its item stands for its whole list (``CalendarModel/CalendarItem/isForWholeList``).
  public let isForWholeList: Bool

  /// A fence. `number` is also that of the subject.
  package init(
    number: Int64, subject: AlarmSubject, trigger: ProximityTrigger, region: Region,
    isForWholeList: Bool = false
  ) {
    self.number = number
    self.subject = subject
    self.trigger = trigger
    self.region = region
    self.isForWholeList = isForWholeList
  }

  /// The alarm.
  public var alarm: Identifier<Alarm> { subject.alarm }
  /// The alarm's item.
  public var item: Identifier<CalendarItem> { subject.item }
}

extension StoreReader {
  /// Calls `body` with the fences of all proximity alarms, in the order of their numbers. Alarms of completed
  /// reminders and cancelled events, and alarms at unknown positions, have no fences.
  ///
  /// Cost: some 1.5 microseconds per fence.
  public func forEachFence(_ body: (StoredFence) -> Void) throws(StoreError) {
    try fences(Queries.all, { _ in }, body)
  }

  /// Calls `body` with the fences that may reach into a box, in no order. It misses none, but may include
  /// some just outside.
  ///
  /// Uses the spatial index, or reads all fences if the box holds most of them. Cost: some 2 microseconds per
  /// fence found, half of that for most of all fences.
  public func forEachFence(in box: BoundingBox, _ body: (StoredFence) -> Void) throws(StoreError) {
    if try holdsMost(box) {
      return try fences(Queries.byPlace, { _ in }) { if box.reaches($0.region) { body($0) } }
    }
    // A fence may be in both parts, or have another fence's extent too.
    var seen: Set<Int64> = []
    for part in box.unwrapped {
      try fences(Queries.inBox, { $0.add(part) }) { fence in
        if seen.insert(fence.number).inserted { body(fence) }
      }
    }
  }

  /// Whether a box holds at least three quarters of all extents. Cost: some 0.1 microseconds for each in the
  /// box.
  func holdsMost(_ box: BoundingBox) throws(StoreError) -> Bool {
    var held: Int64 = 0
    for part in box.unwrapped {
      held += try connection.first(Queries.held, { $0.add(part) }) { $0.int64() } ?? 0
    }
    // Asks whether there are more, because to count all would take long for a small box in a large store.
    guard held > 0 else { return false }
    return try connection.first(Queries.extents, { $0.add(held + held / 3) }) { _ in true } == nil
  }

  /// Calls `body` with the fences of the items whose identifiers begin with `prefix`.
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

  /// The fence of an alarm; several if a file gave alarms of several items one identifier, as with detached
  /// occurrences.
  public func fences(of alarm: Identifier<Alarm>) throws(StoreError) -> [StoredFence] {
    try list(Queries.ofAlarm) { $0.add(alarm) }
  }

  /// The fences of an item's alarms.
  public func fences(of item: Identifier<CalendarItem>) throws(StoreError) -> [StoredFence] {
    try list(Queries.ofItem) { $0.add(item) }
  }

  /// The fence with a number; `nil` if the alarm was removed, or is silent.
  public func fence(number: Int64) throws(StoreError) -> StoredFence? {
    try list(Queries.byNumber) { $0.add(number) }.first
  }

  /// Where the fence with a number is, even if its alarm is silent now; `nil` if the alarm was removed.
  public func region(ofFence number: Int64) throws(StoreError) -> Region? {
    try connection.first(Queries.placeByNumber, { $0.add(number) }, read: { $0.place() })?.region
  }

  /// The number and the region that a fence had before its alarm's place changed. `nil` if it did not, or if
  /// the alarm does not go off at once for who is inside, or did not then.
  public func earlierFence(of number: Int64) throws(StoreError) -> (number: Int64, region: Region)? {
    let found = try connection.first(Queries.earlier, { $0.add(number) }, read: { ($0.int64(), $0.place()) })
    return found.flatMap { number, place in place.region.map { (number, $0) } }
  }

  /// The highest number of a fence that this store ever had; 0 if it had none.
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
    // Alarms of an item mostly follow each other, and share its texts.
    var item = Identifier<CalendarItem>(rawValue: "")
    var heading = ItemHeading(title: "", list: "")
    try connection.forEach(sql, bind) { row in
      let number = row.int64()
      let alarm: Identifier<Alarm> = row.identifier()
      item = Identifier(rawValue: row.text(orSame: item.rawValue))
      heading.title = row.text(orSame: heading.title)
      heading.list = row.text(orSame: heading.list)
      let isForWholeList = row.bool()
      if let trigger = row.proximity(), row.damage == nil, let region = trigger.location.region {
        let subject = AlarmSubject(
          alarm: alarm, item: item, place: trigger.location, heading: heading, fence: number)
        body(
          StoredFence(
            number: number, subject: subject, trigger: trigger, region: region, isForWholeList: isForWholeList
          ))
      }
      // A fence that can't be read must not silence the others.
      _ = row.forgiveDamage()
      return true
    }
  }
}

private enum Queries {
  /// SQLite stores it for AUTOINCREMENT. Hidden fences don't count yet.
  static let latest = SQL(
    """
    SELECT min(seq, coalesce((SELECT first_alarm - 1 FROM bulk_changes WHERE is_hidden), seq))
    FROM sqlite_sequence WHERE name = 'alarms'
    """)
  private static let columns =
    "SELECT a.row, a.id, i.id, i.title, c.title, \(WholeListMark.isSet), "
    + (AlarmColumns.proximityNames.map { "a." + $0 } + PlaceColumns.names.map { "l." + $0 })
    .joined(separator: ", ")
  /// The end of each query's joins, and which alarms have a fence.
  private static let live = """
     CROSS JOIN calendars c ON c.row = i.calendar
    WHERE a.proximity IS NOT NULL AND NOT i.is_silenced AND \(BulkChange.excludes("i.row"))\u{20}
    """

  // CROSS JOIN: alarms first, in the order of their rows, each with its item and place.
  private static let fences =
    columns
      + """
       FROM alarms a CROSS JOIN structured_locations l ON l.alarm = a.row CROSS JOIN items i ON i.row = a.item
      """ + live
  /// Items first.
  private static let fencesByItem =
    columns
      + """
       FROM items i CROSS JOIN alarms a ON a.item = i.row CROSS JOIN structured_locations l ON l.alarm = a.row
      """ + live
  static let all = SQL(fences + "ORDER BY a.row")
  static let ofAlarm = SQL(fences + "AND a.id = ? ORDER BY a.row")
  static let byNumber = SQL(fences + "AND a.row = ?")
  static let placeByNumber = SQL(
    "SELECT \(PlaceColumns.names.joined(separator: ", ")) FROM structured_locations WHERE alarm = ?")
  static let earlier = SQL(
    "SELECT earlier, \(PlaceColumns.names.joined(separator: ", ")) FROM moved_fences WHERE alarm = ?")
  static let ofItem = SQL(fencesByItem + "AND i.id = ? ORDER BY a.position")
  static let ofItems = SQL(fencesByItem + "AND i.id BETWEEN ? AND ? ORDER BY a.row")
  /// The order of the places is that of ``inBox``.
  static let byPlace = SQL(
    columns
      + """
       FROM structured_locations l CROSS JOIN alarms a ON a.row = l.alarm CROSS JOIN items i ON i.row = a.item
      """ + live + "ORDER BY l.row")
  static let held = SQL("SELECT count(*) FROM \(SpatialIndex.name) x WHERE \(SpatialIndex.condition)")
  /// A row if there are more extents than the parameter.
  static let extents = SQL("SELECT 1 FROM location_extents LIMIT 1 OFFSET ?")
  // In the order of the rows, not of the spatial index: SQLite then steps through the tables instead of
  // searching. Without LIMIT it would drop the order.
  static let inBox = SQL(
    columns
      + """
       FROM (
        SELECT x.pkid FROM \(SpatialIndex.name) x WHERE \(SpatialIndex.condition) ORDER BY x.pkid LIMIT -1
      ) x CROSS JOIN location_extents e ON e.row = x.pkid CROSS JOIN \(SpatialIndex.placesOfExtent)
      CROSS JOIN alarms a ON a.row = l.alarm CROSS JOIN items i ON i.row = a.item
      """ + live)
}
