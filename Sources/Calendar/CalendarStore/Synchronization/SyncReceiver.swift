public import FencepostCalendarModel
public import FencepostDatabase

/// Where servers push that calendars of an account have changed, with the keys of the messages.
public struct SyncReceiver: Hashable, Sendable {
  /// The account's number.
  public var account: Int64
  /// The last part of its path: a secret of the account's server.
  public var path: String
  /// The private key.
  public var key: [UInt8]
  /// The secret that is shared with the server.
  public var secret: [UInt8]

  /// A receiver.
  public init(account: Int64, path: String, key: [UInt8], secret: [UInt8]) {
    self.account = account
    self.path = path
    self.key = key
    self.secret = secret
  }
}

/// What a server was asked to push for a collection.
public struct SyncRegistration: Hashable, Sendable {
  /// The collection's number.
  public var collection: Int64
  /// Where the server pushes to.
  public var endpoint: String
  /// Where the server keeps the registration; `nil` if it refused.
  public var address: String?
  /// When to register again.
  public var renewed: Instant
  /// The public key by which the server signs what it pushes; `nil` if it did not announce one.
  public var senderKey: [UInt8]?

  /// A registration.
  public init(
    collection: Int64, endpoint: String, address: String?, renewed: Instant, senderKey: [UInt8]? = nil
  ) {
    self.collection = collection
    self.endpoint = endpoint
    self.address = address
    self.renewed = renewed
    self.senderKey = senderKey
  }
}

extension StoreReader {
  /// The receiver of an account; `nil` if it never had one.
  public func syncReceiver(of account: Int64) throws(StoreError) -> SyncReceiver? {
    try connection.first(Queries.ofAccount, { $0.add(account) }, read: { $0.syncReceiver() })
  }

  /// The receiver with a path.
  public func syncReceiver(at path: String) throws(StoreError) -> SyncReceiver? {
    try connection.first(Queries.atPath, { $0.add(path) }, read: { $0.syncReceiver() })
  }

  /// What the server of an account was asked to push.
  public func syncRegistrations(of account: Int64) throws(StoreError) -> [SyncRegistration] {
    try connection.all(Queries.registrations, { $0.add(account) }) {
      SyncRegistration(
        collection: $0.int64(), endpoint: $0.text(), address: $0.optionalText(), renewed: $0.instant(),
        senderKey: $0.optionalBytes(Array.init))
    }
  }
}

// Not in the log of changes: no calendar changes because of a registration.
extension StoreWriter {
  /// Adds the receiver of an account.
  public func add(_ receiver: SyncReceiver) throws(StoreError) {
    try connection.run(Queries.add) {
      $0.add(receiver.account)
      $0.add(receiver.path)
      $0.add(receiver.key)
      $0.add(receiver.secret)
    }
  }

  /// Saves what a server was asked to push for a collection, in place of an earlier registration.
  public func save(_ registration: SyncRegistration) throws(StoreError) {
    try connection.run(Queries.register) {
      $0.add(registration.collection)
      $0.add(registration.endpoint)
      $0.add(registration.address)
      $0.add(registration.renewed)
      $0.add(registration.senderKey)
    }
  }

  /// Forgets what a server was asked to push for a collection.
  public func removeSyncRegistration(of collection: Int64) throws(StoreError) {
    try connection.run(Queries.unregister) { $0.add(collection) }
  }
}

extension RowReader {
  fileprivate mutating func syncReceiver() -> SyncReceiver {
    SyncReceiver(account: int64(), path: text(), key: bytes(), secret: bytes())
  }
}

private enum Queries {
  static let ofAccount = SQL("SELECT account, path, key, secret FROM sync_receivers WHERE account = ?")
  static let atPath = SQL("SELECT account, path, key, secret FROM sync_receivers WHERE path = ?")
  static let registrations = SQL(
    """
    SELECT r.collection, r.endpoint, r.address, r.renewed_at, r.sender_key
    FROM sync_registrations r JOIN sync_collections c ON c.row = r.collection WHERE c.account = ? ORDER BY r.collection
    """)
  static let add = SQL("INSERT INTO sync_receivers (account, path, key, secret) VALUES (?, ?, ?, ?)")
  // A collection that was removed meanwhile has none.
  static let register = SQL(
    """
    INSERT OR REPLACE INTO sync_registrations (collection, endpoint, address, renewed_at, sender_key)
    SELECT row, ?2, ?3, ?4, ?5 FROM sync_collections WHERE row = ?1
    """)
  static let unregister = SQL("DELETE FROM sync_registrations WHERE collection = ?")
}
