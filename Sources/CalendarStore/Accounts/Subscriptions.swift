public import CalendarModel

/// Where a calendar is kept from, and when it was last looked at.
public struct Subscription: Hashable, Sendable {
  /// The calendar that holds what was fetched.
  public var calendar: Identifier<ItemCalendar>
  /// The address: an `http:`, `https:` or `file:` URL.
  public var address: String
  /// Seconds between two looks that the user asked for; `nil` to follow ``suggestedInterval``.
  public var interval: Int?
  /// Seconds between two looks that the calendar itself asks for (REFRESH-INTERVAL of RFC 7986).
  public var suggestedInterval: Int?
  /// What tells this version of the contents from others: an HTTP entity tag, or a file's size and time.
  public var entityTag: String?
  /// When the server says that the contents changed, as it says it (Last-Modified).
  public var modified: String?
  /// When it was last looked at, with or without success.
  public var checked: Instant?
  /// When it was last looked at with success.
  public var succeeded: Instant?
  /// When it is to be looked at next.
  public var next: Instant
  /// How often looking has failed in a row.
  public var failures: Int
  /// Why it failed the last time; `nil` where it did not.
  public var failure: String?

  /// A subscription that was never looked at, due at `next`.
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
  /// All subscriptions, in the order in which their calendars were made.
  public func subscriptions() throws(StoreError) -> [Subscription] {
    try connection.all(Queries.all) { $0.subscription() }
  }

  /// The subscription that keeps a calendar; `nil` where none does.
  public func subscription(_ calendar: Identifier<ItemCalendar>) throws(StoreError) -> Subscription? {
    try connection.first(Queries.one, { $0.add(calendar) }, read: { $0.subscription() })
  }
}

extension StoreWriter {
  /// Adds a subscription, or changes that of its calendar. It goes when the calendar does.
  ///
  /// The log of changes does not name it: what was fetched is what matters, and that is logged.
  ///
  /// - Throws: ``StoreError/Reason/notFound(_:)`` where the calendar is not in the store.
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
