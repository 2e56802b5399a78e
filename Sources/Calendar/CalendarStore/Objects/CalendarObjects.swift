public import FencepostCalendarModel
public import FencepostDatabase

/// A calendar object (RFC 4791, section 4.1) that a CalDAV client has stored: all items of one UID in a
/// calendar.
///
/// Objects that no client has stored have no row; their name follows from the UID.
public struct CalendarObject: Hashable, Sendable {
  /// The UID of its items.
  public var uid: String
  /// The last part of its address, decoded.
  public var name: String
  /// The bytes that the client sent; `nil` if they are not kept.
  public var text: [UInt8]?
  /// Identifies the state of the items that the bytes describe.
  public var fingerprint: [UInt8]?

  /// An object.
  public init(uid: String, name: String, text: [UInt8]? = nil, fingerprint: [UInt8]? = nil) {
    self.uid = uid
    self.name = name
    self.text = text
    self.fingerprint = fingerprint
  }
}

extension StoreReader {
  /// The object that a client has stored under a name.
  public func calendarObject(
    named name: String, in calendar: Identifier<ItemCalendar>
  ) throws(StoreError) -> CalendarObject? {
    try connection.first(
      Queries.byName,
      {
        $0.add(calendar)
        $0.add(name)
      }, read: { $0.calendarObject() })
  }

  /// The object that a client has stored for a UID.
  public func calendarObject(
    uid: String, in calendar: Identifier<ItemCalendar>
  ) throws(StoreError) -> CalendarObject? {
    try connection.first(
      Queries.byUID,
      {
        $0.add(calendar)
        $0.add(uid)
      }, read: { $0.calendarObject() })
  }

  /// All objects that clients have stored in a calendar. Some may have lost all their items.
  public func calendarObjects(in calendar: Identifier<ItemCalendar>) throws(StoreError) -> [CalendarObject] {
    try connection.all(Queries.all, { $0.add(calendar) }, read: { $0.calendarObject() })
  }

  /// The UIDs of a calendar whose items have changed, arrived or left after a place in the log of changes;
  /// `nil` if the log does not have all changes of the calendar after it, or the calendar was removed after it
  /// and is there again.
  public func changedUIDs(
    in calendar: Identifier<ItemCalendar>, after sequence: Int64
  ) throws(StoreError) -> [String]? {
    let last = try lastChange()
    guard sequence != last else { return [] }
    let (forgotten, removals) =
      try connection.first(
        Queries.gaps,
        {
          $0.add(sequence)
          $0.add(calendar)
        }, read: { ($0.int64(), $0.int64()) }) ?? (last, 0)
    guard sequence >= forgotten, sequence < last, removals == 0 else { return nil }
    return try connection.all(
      Queries.changed,
      {
        $0.add(calendar)
        $0.add(sequence)
      }, read: { $0.text() })
  }
}

extension StoreReader {
  /// The UIDs of items that left a calendar after a place in the log of changes, each with the name of its
  /// object; `nil` if no client had given it one. Others may have these UIDs and names now.
  public func departedObjects(
    in calendar: Identifier<ItemCalendar>, after sequence: Int64
  ) throws(StoreError) -> [(uid: String, name: String?)] {
    try connection.all(Queries.departed) {
      $0.add(calendar)
      $0.add(sequence)
    } read: { row in
      (row.text(), row.optionalText())
    }
  }
}

extension StoreWriter {
  /// Stores a client's text of an object, and logs a change of `item`, which is one of its items.
  public func save(
    _ object: CalendarObject, in calendar: Identifier<ItemCalendar>, of item: Identifier<CalendarItem>
  ) throws(StoreError) {
    // A name that belonged to an object without items is free again.
    try connection.run(Queries.free) {
      $0.add(calendar)
      $0.add(object.name)
      $0.add(object.uid)
    }
    try connection.run(Queries.save) {
      $0.add(object.uid)
      $0.add(object.name)
      $0.add(object.text)
      $0.add(object.fingerprint)
      $0.add(calendar)
    }
    try log(.updated, .item, item.rawValue)
  }

  /// Forgets some of the items that left calendars before the log of changes begins, and the names of their
  /// objects.
  ///
  /// - Returns: False if a later transaction must continue.
  func trimObjects() throws(StoreError) -> Bool {
    var isDone = true
    for query in [Queries.trimDeparted, Queries.trimObjects] {
      try connection.run(query) { $0.add(ChangeLog.objects) }
      if connection.changedRows >= ChangeLog.objects { isDone = false }
    }
    return isDone
  }
}

extension RowReader {
  fileprivate mutating func calendarObject() -> CalendarObject {
    CalendarObject(
      uid: text(), name: text(), text: optionalBytes(Array.init), fingerprint: optionalBytes(Array.init))
  }
}

private enum Queries {
  private static let selection = """
    SELECT o.uid, o.name, o.text, o.fingerprint FROM calendar_objects o JOIN calendars c ON c.row = o.calendar
    WHERE c.id = ?\u{20}
    """
  static let byName = SQL(selection + "AND o.name = ?")
  static let byUID = SQL(selection + "AND o.uid = ?")
  static let all = SQL(selection)
  /// Entity 1 is a calendar; kind 2 is a removal.
  static let gaps = SQL(
    """
    SELECT f.sequence,
      (SELECT count(*) FROM changes WHERE sequence > ?1 AND id = ?2 AND entity = 1 AND kind = 2)
    FROM forgotten_changes f JOIN calendars c ON c.row = f.calendar WHERE c.id = ?2
    """)
  static let changed = SQL(
    """
    SELECT i.uid FROM changes l JOIN items i ON i.id = l.id JOIN calendars c ON c.row = i.calendar
    WHERE c.id = ?1 AND l.sequence > ?2 AND l.entity = 2
    UNION
    SELECT d.uid FROM departed_items d JOIN calendars c ON c.row = d.calendar
    WHERE c.id = ?1 AND d.sequence >= ?2
    """)
  static let departed = SQL(
    """
    SELECT DISTINCT d.uid, d.name FROM departed_items d JOIN calendars c ON c.row = d.calendar
    WHERE c.id = ? AND d.sequence >= ?
    """)
  static let free = SQL(
    """
    DELETE FROM calendar_objects
    WHERE calendar = (SELECT row FROM calendars WHERE id = ?) AND name = ? AND uid <> ?
    """)
  static let save = SQL(
    """
    INSERT INTO calendar_objects (uid, name, text, fingerprint, calendar)
    SELECT ?1, ?2, ?3, ?4, row FROM calendars WHERE id = ?5
    ON CONFLICT (calendar, uid) DO UPDATE
      SET name = excluded.name, text = excluded.text, fingerprint = excluded.fingerprint
    """)
  static let trimDeparted = SQL(
    """
    DELETE FROM departed_items WHERE rowid IN (
      SELECT rowid FROM departed_items
      WHERE sequence < coalesce((SELECT min(sequence) - 1 FROM changes), (SELECT max(sequence) FROM departed_items))
      LIMIT ?)
    """)
  static let trimObjects = SQL(
    """
    DELETE FROM calendar_objects WHERE (calendar, uid) IN (
      SELECT o.calendar, o.uid FROM calendar_objects o WHERE o.text IS NULL
       AND NOT EXISTS (SELECT 1 FROM items i WHERE i.uid = o.uid AND i.calendar = o.calendar)
       AND o.uid NOT IN (SELECT uid FROM departed_items)
      LIMIT ?)
    """)
}
