public import FencepostCalendarModel
public import FencepostDatabase

/// A calendar's remote address, and the times of its refreshes.
public struct Subscription: Hashable, Sendable {
  /// The calendar with the fetched items.
  public var calendar: Identifier<ItemCalendar>
  /// The address: an `http:`, `https:` or `file:` URL.
  public var address: String
  /// Seconds between two refreshes, set by the user; `nil` for ``suggestedInterval``.
  public var interval: Int?
  /// Seconds between two refreshes, suggested by the calendar (REFRESH-INTERVAL of RFC 7986).
  public var suggestedInterval: Int?
  /// Identifies the version of the contents: an HTTP entity tag, or a file's size and time.
  public var entityTag: String?
  /// The server's time of the last change, as written (Last-Modified).
  public var modified: String?
  /// The last refresh, successful or not.
  public var checked: Instant?
  /// The last successful refresh.
  public var succeeded: Instant?
  /// The time of the next refresh.
  public var next: Instant
  /// The number of failed refreshes in a row.
  public var failures: Int
  /// The reason of the last failure; `nil` after a success.
  public var failure: String?

  /// A subscription without a refresh so far, due at `next`.
  public init(
    calendar: Identifier<ItemCalendar>, address: String, interval: Int? = nil, next: Instant = .epoch
  ) {
    self.calendar = calendar
    self.address = address
    self.interval = interval
    self.next = next
    failures = 0
  }
}

extension StoreReader {
  /// All subscriptions, in the order in which their calendars were created.
  public func subscriptions() throws(StoreError) -> [Subscription] {
    try connection.all(Queries.all) { $0.subscription() }
  }

  /// The subscription of a calendar, or `nil`.
  public func subscription(_ calendar: Identifier<ItemCalendar>) throws(StoreError) -> Subscription? {
    try connection.first(Queries.one, { $0.add(calendar) }, read: { $0.subscription() })
  }
}

extension StoreWriter {
  /// Adds a subscription, or changes the one of its calendar. Removing the calendar removes it.
  ///
  /// This is not in the log of changes, which has the fetched items.
  ///
  /// - Throws: ``StoreError/Reason/notFound(_:)`` if the calendar is not in the store.
  public func save(_ subscription: Subscription) throws(StoreError) {
    try connection.run(Queries.save) {
      $0.add(subscription.calendar)
      $0.add(subscription.address)
      $0.add(subscription.interval)
      $0.add(subscription.suggestedInterval)
      $0.add(subscription.entityTag)
      $0.add(subscription.modified)
      $0.add(subscription.checked)
      $0.add(subscription.succeeded)
      $0.add(subscription.next)
      $0.add(subscription.failures)
      $0.add(subscription.failure)
    }
    guard connection.changedRows > 0 else {
      throw StoreError(path: connection.path, reason: .notFound("calendar \(subscription.calendar)"))
    }
  }
}

extension RowReader {
  fileprivate mutating func subscription() -> Subscription {
    var subscription = Subscription(calendar: identifier(), address: text(), interval: optionalInt())
    subscription.suggestedInterval = optionalInt()
    subscription.entityTag = optionalText()
    subscription.modified = optionalText()
    subscription.checked = optionalInstant()
    subscription.succeeded = optionalInstant()
    subscription.next = instant()
    subscription.failures = int()
    subscription.failure = optionalText()
    return subscription
  }
}

private enum Queries {
  private static let subscription_ = """
    SELECT c.id, s.address, s.interval, s.suggested_interval, s.entity_tag, s.modified, s.checked_at,
      s.succeeded_at, s.next_at, s.failures, s.failure
    FROM subscriptions s JOIN calendars c ON c.row = s.calendar\u{20}
    """
  static let all = SQL(subscription_ + "ORDER BY c.row")
  static let one = SQL(subscription_ + "WHERE c.id = ?")
  static let save = SQL(
    """
    INSERT OR REPLACE INTO subscriptions (calendar, address, interval, suggested_interval, entity_tag,
      modified, checked_at, succeeded_at, next_at, failures, failure)
    SELECT row, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 FROM calendars WHERE id = ?1
    """)
}
