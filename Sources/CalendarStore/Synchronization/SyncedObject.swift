public import CalendarModel

/// An object that a calendar and its collection had after the last synchronization.
public struct SyncedObject: Hashable, Sendable {
  /// Its name in the collection: the path of a resource, or the name of a file.
  public var name: String
  /// The UID of its items.
  public var uid: String
  /// Its tag then (ETag); `nil` if the server sent none.
  public var tag: String?
  /// The text that the other side has.
  public var base: String
  /// The text of the items here; `nil` if it has the same meaning as ``base``.
  public var local: String?

  /// An object.
  public init(name: String, uid: String, tag: String?, base: String, local: String? = nil) {
    self.name = name
    self.uid = uid
    self.tag = tag
    self.base = base
    self.local = local
  }
}

extension StoreReader {
  /// Name, UID and tag of all objects of a collection, by name. Cost: a millisecond for a thousand.
  public func syncedObjectTags(
    in collection: Int64
  ) throws(StoreError) -> [(name: String, uid: String, tag: String?)] {
    try connection.all(Queries.tags, { $0.add(collection) }) { row in
      (row.text(), row.text(), row.optionalText())
    }
  }

  /// True if the server sent no tag for some object of a collection, so that it is to be read again. Cost: microseconds.
  public func hasUntaggedObjects(in collection: Int64) throws(StoreError) -> Bool {
    try connection.first(Queries.untagged, { $0.add(collection) }, read: { $0.bool() }) ?? false
  }

  /// The object of a collection with a name.
  public func syncedObject(named name: String, in collection: Int64) throws(StoreError) -> SyncedObject? {
    try connection.first(
      Queries.named,
      {
        $0.add(collection)
        $0.add(name)
      }, read: { $0.syncedObject() })
  }

  /// The object of a collection with a UID; the first if there are several.
  public func syncedObject(uid: String, in collection: Int64) throws(StoreError) -> SyncedObject? {
    try connection.first(
      Queries.byUID,
      {
        $0.add(collection)
        $0.add(uid)
      }, read: { $0.syncedObject() })
  }

  /// The UIDs of the items in a calendar. Cost: a millisecond for a thousand.
  public func uids(in calendar: Identifier<ItemCalendar>) throws(StoreError) -> Set<String> {
    Set(try connection.all(Queries.uids, { $0.add(calendar) }, read: { $0.text() }))
  }
}

extension StoreWriter {
  /// Adds an object to a collection, or changes the one with its name. This is not in the log of changes.
  public func save(_ object: SyncedObject, in collection: Int64) throws(StoreError) {
    try connection.run(Queries.save) {
      $0.add(collection)
      $0.add(object.name)
      $0.add(object.uid)
      $0.add(object.tag)
      $0.add(object.base)
      $0.add(object.local)
    }
  }

  /// Removes an object of a collection.
  public func removeSyncedObject(named name: String, in collection: Int64) throws(StoreError) {
    try connection.run(Queries.remove) {
      $0.add(collection)
      $0.add(name)
    }
  }
}

extension RowReader {
  fileprivate mutating func syncedObject() -> SyncedObject {
    SyncedObject(name: text(), uid: text(), tag: optionalText(), base: text(), local: optionalText())
  }
}

private enum Queries {
  static let tags = SQL("SELECT name, uid, tag FROM sync_objects WHERE collection = ? ORDER BY name")
  static let untagged = SQL("SELECT EXISTS (SELECT 1 FROM sync_objects WHERE collection = ? AND tag IS NULL)")
  private static let selection = "SELECT name, uid, tag, base, local FROM sync_objects "
  static let named = SQL(selection + "WHERE collection = ? AND name = ?")
  static let byUID = SQL(selection + "WHERE collection = ? AND uid = ? ORDER BY row LIMIT 1")
  static let uids = SQL(
    """
    SELECT DISTINCT uid FROM items
    WHERE calendar = (SELECT row FROM calendars WHERE id = ?) AND \(BulkChange.excludes("row"))
    """)
  static let save = SQL(
    """
    INSERT INTO sync_objects (collection, name, uid, tag, base, local) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (collection, name) DO UPDATE SET uid = ?3, tag = ?4, base = ?5, local = ?6
    """)
  static let remove = SQL("DELETE FROM sync_objects WHERE collection = ? AND name = ?")
}
