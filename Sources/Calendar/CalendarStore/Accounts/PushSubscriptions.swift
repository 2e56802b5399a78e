public import FencepostCalendarModel
public import FencepostDatabase

/// A browser or an app that wants alarms pushed to it (RFC 8030).
public struct StoredPushSubscription: Hashable, Sendable {
  /// Who asked for it. The subscription ends with them.
  public enum Owner: Hashable, Sendable {
    /// A browser that is signed in: the digest of its session's key.
    case session([UInt8])
    /// A client, by its user name.
    case client(String)
  }

  /// The identifier in this store.
  public var id: String
  /// The address at the push service.
  public var endpoint: String
  /// The receiver's public key.
  public var publicKey: [UInt8]
  /// The secret that is shared with the receiver.
  public var secret: [UInt8]
  /// The key that signs what a notification may answer.
  public var answerKey: [UInt8]
  /// Who asked for it.
  public var owner: Owner
  /// When it was made.
  public var created: Instant

  /// A subscription.
  public init(
    id: String, endpoint: String, publicKey: [UInt8], secret: [UInt8], answerKey: [UInt8], owner: Owner,
    created: Instant
  ) {
    self.id = id
    self.endpoint = endpoint
    self.publicKey = publicKey
    self.secret = secret
    self.answerKey = answerKey
    self.owner = owner
    self.created = created
  }
}

extension StoreReader {
  /// All push subscriptions, the oldest first.
  public func pushSubscriptions() throws(StoreError) -> [StoredPushSubscription] {
    try connection.all(Queries.all) { $0.pushSubscription() }
  }

  /// The push subscription with an identifier; `nil` if it has ended.
  public func pushSubscription(_ id: String) throws(StoreError) -> StoredPushSubscription? {
    try connection.first(Queries.one, { $0.add(id) }, read: { $0.pushSubscription() })
  }
}

extension StoreWriter {
  /// Saves a push subscription. One with the same address keeps its identifier; one of the same session is
  /// replaced.
  ///
  /// - Returns: The subscription as it is stored.
  /// - Throws: ``StoreError`` if its session or client does not exist.
  @discardableResult
  public func save(_ subscription: StoredPushSubscription) throws(StoreError) -> StoredPushSubscription {
    var subscription = subscription
    let others = try reader.pushSubscriptions()
    if let known = others.first(where: { $0.endpoint == subscription.endpoint }) {
      subscription.id = known.id
    }
    if case .session = subscription.owner {
      for other in others where other.owner == subscription.owner && other.id != subscription.id {
        try connection.run(Queries.remove) { $0.add(other.id) }
      }
    }
    try connection.run(Queries.save) {
      $0.add(subscription.id)
      $0.add(subscription.endpoint)
      $0.add(subscription.publicKey)
      $0.add(subscription.secret)
      $0.add(subscription.answerKey)
      switch subscription.owner {
      case .session(let digest):
        $0.add(digest)
        $0.add(nil as String?)
      case .client(let user):
        $0.add(nil as String?)
        $0.add(user)
      }
      $0.add(subscription.created)
    }
    try log(.updated, .access, subscription.id)
    return subscription
  }

  /// Removes a push subscription. False if it has ended already. Its pending deliveries count as failed.
  @discardableResult
  public func removePushSubscription(_ id: String) throws(StoreError) -> Bool {
    try connection.run(Queries.remove) { $0.add(id) }
    guard connection.changedRows > 0 else { return false }
    try log(.removed, .access, id)
    return true
  }
}

extension RowReader {
  fileprivate mutating func pushSubscription() -> StoredPushSubscription {
    let (id, endpoint, publicKey, secret, answerKey) = (text(), text(), bytes(), bytes(), bytes())
    let session = optionalBytes(Array.init)
    let client = text()
    return StoredPushSubscription(
      id: id, endpoint: endpoint, publicKey: publicKey, secret: secret, answerKey: answerKey,
      owner: session.map { .session($0) } ?? .client(client), created: instant())
  }
}

private enum Queries {
  private static let columns = "id, endpoint, public_key, secret, answer_key, session, client, created_at"
  static let all = SQL("SELECT \(columns) FROM push_subscriptions ORDER BY created_at, id")
  static let one = SQL("SELECT \(columns) FROM push_subscriptions WHERE id = ?")
  static let save = SQL(
    """
    INSERT INTO push_subscriptions (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET public_key = excluded.public_key, secret = excluded.secret,
      answer_key = excluded.answer_key, session = excluded.session, client = excluded.client
    """)
  static let remove = SQL("DELETE FROM push_subscriptions WHERE id = ?")
}
