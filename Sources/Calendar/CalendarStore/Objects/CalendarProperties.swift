public import FencepostCalendarModel
public import FencepostDatabase

/// A property that a CalDAV client has set, which has no meaning here (RFC 4918, section 4.4).
public struct CalendarProperty: Hashable, Sendable {
  /// The namespace of its name.
  public var namespace: String
  /// Its name without a prefix.
  public var name: String
  /// The element, as XML.
  public var value: String

  /// A property.
  public init(namespace: String, name: String, value: String) {
    self.namespace = namespace
    self.name = name
    self.value = value
  }
}

extension StoreReader {
  /// The properties that clients have set on a calendar, or on one of its objects.
  public func calendarProperties(
    of object: String? = nil, in calendar: Identifier<ItemCalendar>
  ) throws(StoreError) -> [CalendarProperty] {
    try connection.all(Queries.all) {
      $0.add(calendar)
      $0.add(object ?? "")
    } read: { row in
      CalendarProperty(namespace: row.text(), name: row.text(), value: row.text())
    }
  }
}

extension StoreWriter {
  /// Sets a property of a calendar, or of one of its objects. Logged as a change of the calendar.
  public func set(
    _ property: CalendarProperty, of object: String? = nil, in calendar: Identifier<ItemCalendar>
  ) throws(StoreError) {
    try connection.run(Queries.set) {
      $0.add(object ?? "")
      $0.add(property.namespace)
      $0.add(property.name)
      $0.add(property.value)
      $0.add(calendar)
    }
    try log(.updated, .calendar, calendar.rawValue)
  }

  /// Removes a property of a calendar, or of one of its objects, if it is set.
  public func removeProperty(
    namespace: String, name: String, of object: String? = nil, in calendar: Identifier<ItemCalendar>
  ) throws(StoreError) {
    try connection.run(Queries.remove) {
      $0.add(calendar)
      $0.add(object ?? "")
      $0.add(namespace)
      $0.add(name)
    }
    if connection.changedRows > 0 { try log(.updated, .calendar, calendar.rawValue) }
  }

  /// Removes all properties of an object.
  public func removeProperties(
    of object: String, in calendar: Identifier<ItemCalendar>
  ) throws(StoreError) {
    try connection.run(Queries.removeAll) {
      $0.add(calendar)
      $0.add(object)
    }
  }
}

/// A resource of a CalDAV account that is no calendar, and keeps what clients set on it.
public enum AccountResource: String, Sendable {
  /// The person.
  case principal
  /// The collection of the calendars.
  case home

  /// The key of the setting that has a property of the resource. Names have no blanks.
  fileprivate func key(_ namespace: String, _ name: String) -> String {
    "\(prefix)\(name) \(namespace)"
  }

  fileprivate var prefix: String { "caldav-\(rawValue) " }
}

extension StoreReader {
  /// The properties that clients have set on a resource of the account.
  public func properties(of resource: AccountResource) throws(StoreError) -> [CalendarProperty] {
    try connection.all(Queries.ofAccount, { $0.add(resource.prefix) }) { row in
      let names = row.text().dropFirst(resource.prefix.count).split(separator: " ", maxSplits: 1)
      return CalendarProperty(
        namespace: names.count > 1 ? String(names[1]) : "", name: String(names[0]), value: row.text())
    }
  }
}

extension StoreWriter {
  /// Sets a property of a resource of the account.
  public func set(_ property: CalendarProperty, of resource: AccountResource) throws(StoreError) {
    try set(property.value, for: resource.key(property.namespace, property.name))
  }

  /// Removes a property of a resource of the account, if it is set.
  public func removeProperty(
    namespace: String, name: String, of resource: AccountResource
  ) throws(StoreError) {
    let key = resource.key(namespace, name)
    if try reader.setting(key) != nil { try set(nil, for: key) }
  }
}

private enum Queries {
  static let ofAccount = SQL("SELECT key, value FROM settings WHERE substr(key, 1, length(?1)) = ?1")
  static let all = SQL(
    """
    SELECT p.namespace, p.name, p.value FROM calendar_properties p JOIN calendars c ON c.row = p.calendar
    WHERE c.id = ? AND p.object = ? ORDER BY p.namespace, p.name
    """)
  static let set = SQL(
    """
    INSERT OR REPLACE INTO calendar_properties (object, namespace, name, value, calendar)
    SELECT ?1, ?2, ?3, ?4, row FROM calendars WHERE id = ?5
    """)
  private static let remove_ =
    "DELETE FROM calendar_properties WHERE calendar = (SELECT row FROM calendars WHERE id = ?) AND object = ? "
  static let remove = SQL(remove_ + "AND namespace = ? AND name = ?")
  static let removeAll = SQL(remove_)
}
