public import FencepostCalendarModel
public import FencepostDatabase

/// A CalDAV client's wish to hear when a calendar changes (WebDAV-Push).
public struct ChangeSubscription: Hashable, Sendable {
  /// Its identifier, which is in its address.
  public var id: String
  /// The calendar.
  public var calendar: Identifier<ItemCalendar>
  /// The user name of the client. The subscription ends with it.
  public var client: String
  /// The address at the push service.
  public var endpoint: String
  /// The receiver's public key.
  public var publicKey: [UInt8]
  /// The secret that is shared with the receiver.
  public var secret: [UInt8]
  /// Whether the client wants to hear of the calendar's name, colour and other properties.
  public var includesProperties: Bool
  /// Whether the client wants to hear of its items.
  public var includesContent: Bool
  /// When it ends.
  public var expires: Instant
  /// The number of the last change that the client has heard of.
  public var told: Int64

  /// A subscription.
  public init(
    id: String, calendar: Identifier<ItemCalendar>, client: String, endpoint: String, publicKey: [UInt8],
    secret: [UInt8], includesProperties: Bool, includesContent: Bool, expires: Instant, told: Int64
  ) {
    self.id = id
    self.calendar = calendar
    self.client = client
    self.endpoint = endpoint
    self.publicKey = publicKey
    self.secret = secret
    self.includesProperties = includesProperties
    self.includesContent = includesContent
    self.expires = expires
    self.told = told
  }
}

extension StoreReader {
  /// All subscriptions to changes of calendars.
  public func changeSubscriptions() throws(StoreError) -> [ChangeSubscription] {
    try connection.all(Queries.all) { $0.changeSubscription() }
  }

  /// What of a calendar has changed after a place in the log of changes: its items, and its own properties.
  /// Both, if the log does not reach back to it.
  public func changes(
    of calendar: Identifier<ItemCalendar>, after sequence: Int64
  ) throws(StoreError) -> (content: Bool, properties: Bool) {
    guard let uids = try changedUIDs(in: calendar, after: sequence) else { return (true, true) }
    let entries = try connection.first(
      Queries.properties,
      {
        $0.add(sequence)
        $0.add(calendar)
      }, read: { $0.int() })
    return (!uids.isEmpty, (entries ?? 0) > 0)
  }
}

// Subscriptions are not in the log of changes: a calendar does not change when a client wants to hear of it.
extension StoreWriter {
  /// Saves a subscription. One of the same calendar and address is replaced, and keeps its identifier.
  ///
  /// - Returns: Its identifier.
  /// - Throws: ``StoreError`` if its client does not exist.
  public func save(_ subscription: ChangeSubscription) throws(StoreError) -> String {
    try connection.run(Queries.save) {
      $0.add(subscription.id)
      $0.add(subscription.client)
      $0.add(subscription.endpoint)
      $0.add(subscription.publicKey)
      $0.add(subscription.secret)
      $0.add(subscription.includesProperties)
      $0.add(subscription.includesContent)
      $0.add(subscription.expires)
      $0.add(subscription.told)
      $0.add(subscription.calendar)
    }
    return try reader.changeSubscriptions().first {
      $0.calendar == subscription.calendar && $0.endpoint == subscription.endpoint
    }?.id ?? subscription.id
  }

  /// Notes that a client has heard of the changes up to a number.
  public func noteTold(_ change: Int64, toSubscription id: String) throws(StoreError) {
    try connection.run(Queries.told) {
      $0.add(change)
      $0.add(id)
    }
  }

  /// Ends a subscription.
  public func removeChangeSubscription(_ id: String) throws(StoreError) {
    try connection.run(Queries.remove) { $0.add(id) }
  }
}

extension RowReader {
  fileprivate mutating func changeSubscription() -> ChangeSubscription {
    ChangeSubscription(
      id: text(), calendar: identifier(), client: text(), endpoint: text(), publicKey: bytes(),
      secret: bytes(),
      includesProperties: bool(), includesContent: bool(), expires: instant(), told: int64())
  }
}

private enum Queries {
  static let all = SQL(
    """
    SELECT s.id, c.id, s.client, s.endpoint, s.public_key, s.secret, s.includes_properties, s.includes_content,
      s.expires_at, s.told
    FROM change_subscriptions s JOIN calendars c ON c.row = s.calendar ORDER BY s.id
    """)
  /// Entity 1 is a calendar.
  static let properties = SQL("SELECT count(*) FROM changes WHERE sequence > ? AND entity = 1 AND id = ?")
  static let save = SQL(
    """
    INSERT INTO change_subscriptions
    SELECT ?1, row, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM calendars WHERE id = ?10
    ON CONFLICT (calendar, endpoint) DO UPDATE SET client = excluded.client, public_key = excluded.public_key,
      secret = excluded.secret, includes_properties = excluded.includes_properties,
      includes_content = excluded.includes_content, expires_at = excluded.expires_at
    """)
  static let told = SQL("UPDATE change_subscriptions SET told = max(told, ?) WHERE id = ?")
  static let remove = SQL("DELETE FROM change_subscriptions WHERE id = ?")
}
