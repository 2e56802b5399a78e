public import FencepostCalendarModel
public import FencepostDatabase

/// A calendar of the store and the collection of an account that has the same items.
public struct SyncedCalendar: Hashable, Sendable {
  /// Its number; 0 for a new one.
  public var number: Int64
  /// The account's number.
  public var account: Int64
  /// The calendar.
  public var calendar: Identifier<ItemCalendar>
  /// Its path on the server; empty for a folder.
  public var name: String
  /// The sync token (RFC 6578) after the last synchronization.
  public var token: String?
  /// The tag that changes with its contents (CalendarServer's getctag).
  public var changeTag: String?
  /// The name that both sides had.
  public var title: String?
  /// The colour that both sides had, as the server wrote it.
  public var color: String?
  /// The number in the log of changes up to which its items were compared; `nil` for never.
  public var compared: Int64?
  /// When all objects were compared, and not only those that the server says have changed; `nil` for never.
  public var listed: Instant?
  /// The identifier of the list that it is a copy of, if the server says so.
  public var origin: String?
  /// The number of objects that were removed there, and are removed here after the user confirms it.
  public var waitingRemovals: Int
  /// The number of items that were removed here, and are deleted there after the user confirms it.
  public var waitingDeletions: Int

  /// A collection that was never synchronized.
  public init(account: Int64, calendar: Identifier<ItemCalendar>, name: String) {
    number = 0
    self.account = account
    self.calendar = calendar
    self.name = name
    waitingRemovals = 0
    waitingDeletions = 0
  }
}

extension StoreReader {
  /// The collections of an account, in the order in which they were added.
  public func syncedCalendars(of account: Int64) throws(StoreError) -> [SyncedCalendar] {
    try connection.all(Queries.ofAccount, { $0.add(account) }, read: { $0.syncedCalendar() })
  }

  /// True if a list with this origin is here: the list itself, or a copy of it that an account brought.
  public func hasList(ofOrigin origin: String) throws(StoreError) -> Bool {
    try connection.first(Queries.hasOrigin, { $0.add(origin) }, read: { $0.bool() }) ?? false
  }

  /// The collection of a calendar.
  public func syncedCalendar(
    of calendar: Identifier<ItemCalendar>
  ) throws(StoreError) -> SyncedCalendar? {
    try connection.first(Queries.ofCalendar, { $0.add(calendar) }, read: { $0.syncedCalendar() })
  }
}

extension StoreWriter {
  /// Adds a collection, or changes the one with its number. This is not in the log of changes.
  ///
  /// - Throws: ``StoreError/Reason/notFound(_:)`` if its calendar is not in the store.
  public func save(_ collection: inout SyncedCalendar) throws(StoreError) {
    try connection.run(collection.number == 0 ? Queries.add : Queries.change) {
      $0.add(collection.account)
      $0.add(collection.name)
      $0.add(collection.token)
      $0.add(collection.changeTag)
      $0.add(collection.title)
      $0.add(collection.color)
      $0.add(collection.compared)
      $0.add(collection.waitingRemovals)
      $0.add(collection.waitingDeletions)
      $0.add(collection.listed)
      $0.add(collection.origin)
      $0.add(collection.calendar)
      if collection.number != 0 { $0.add(collection.number) }
    }
    guard connection.changedRows > 0 else {
      throw StoreError(path: connection.path, reason: .notFound("calendar \(collection.calendar)"))
    }
    if collection.number == 0 { collection.number = connection.lastInsertedRow }
  }

  /// Removes a collection. The calendar and its items stay.
  public func removeSyncedCalendar(_ number: Int64) throws(StoreError) {
    try connection.run(Queries.remove) { $0.add(number) }
  }
}

extension RowReader {
  fileprivate mutating func syncedCalendar() -> SyncedCalendar {
    let number = int64()
    var collection = SyncedCalendar(account: int64(), calendar: identifier(), name: text())
    collection.number = number
    collection.token = optionalText()
    collection.changeTag = optionalText()
    collection.title = optionalText()
    collection.color = optionalText()
    collection.compared = optionalInt64()
    collection.waitingRemovals = int()
    collection.waitingDeletions = int()
    collection.listed = optionalInstant()
    collection.origin = optionalText()
    return collection
  }
}

private enum Queries {
  private static let selection = """
    SELECT s.row, s.account, c.id, s.name, s.token, s.change_tag, s.title, s.color, s.compared, s.waiting_removals,
      s.waiting_deletions, s.listed_at, s.origin
    FROM sync_collections s JOIN calendars c ON c.row = s.calendar\u{20}
    """
  static let ofAccount = SQL(selection + "WHERE s.account = ? ORDER BY s.row")
  static let hasOrigin = SQL(
    """
    SELECT EXISTS (SELECT 1 FROM calendars WHERE id = ?1) OR EXISTS (SELECT 1 FROM sync_collections WHERE origin = ?1)
    """)
  static let ofCalendar = SQL(selection + "WHERE c.id = ?")
  static let add = SQL(
    """
    INSERT INTO sync_collections (account, name, token, change_tag, title, color, compared, waiting_removals,
      waiting_deletions, listed_at, origin, calendar)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, row FROM calendars WHERE id = ?12
    """)
  static let change = SQL(
    """
    UPDATE sync_collections SET account = ?1, name = ?2, token = ?3, change_tag = ?4, title = ?5, color = ?6,
      compared = ?7, waiting_removals = ?8, waiting_deletions = ?9, listed_at = ?10, origin = ?11
    WHERE row = ?13 AND calendar = (SELECT row FROM calendars WHERE id = ?12)
    """)
  static let remove = SQL("DELETE FROM sync_collections WHERE row = ?")
}
