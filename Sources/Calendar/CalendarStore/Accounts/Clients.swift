public import FencepostCalendarModel
public import FencepostDatabase

/// A program or a device that may use the server, with its own password.
public struct StoredClient: Hashable, Sendable {
  /// Its name, as the user wrote it.
  public var name: String
  /// Its user name for signing in.
  public var user: String
  /// The SHA-256 of its generated password.
  public var digest: [UInt8]
  /// The names of its rights.
  public var rights: [String]
  /// The lists that it may access; `nil` for all.
  public var lists: [Identifier<ItemCalendar>]?
  /// When it was added.
  public var created: Instant
  /// The day of its last sign-in; `nil` for never.
  public var used: Instant?
  /// Its number, which no other client ever gets; `nil` for one that is not stored yet.
  public var number: Int64?

  /// Its name as an agent. Names of agents on this machine have no `@`.
  package var agent: String { Self.agent(user) }

  fileprivate static func agent(_ user: String) -> String { user + "@server" }

  /// A client that has not signed in yet.
  public init(
    name: String, user: String, digest: [UInt8], rights: [String], lists: [Identifier<ItemCalendar>]? = nil,
    created: Instant
  ) {
    self.name = name
    self.user = user
    self.digest = digest
    self.rights = rights
    self.lists = lists
    self.created = created
  }
}

/// A browser session that is signed in.
public struct StoredWebSession: Hashable, Sendable {
  /// The SHA-256 of its key.
  public var digest: [UInt8]
  /// The browser's description of itself.
  public var browser: String
  /// When it signed in.
  public var created: Instant
  /// The day of its last use.
  public var used: Instant
  /// The user name of the client that signed in; `nil` for the owner.
  public var client: String?

  /// A session that begins at `created`.
  public init(digest: [UInt8], browser: String, created: Instant, client: String? = nil) {
    self.digest = digest
    self.browser = browser
    self.created = created
    used = created
    self.client = client
  }
}

extension StoreReader {
  /// All clients, the oldest first.
  public func clients() throws(StoreError) -> [StoredClient] {
    try connection.all(Queries.clients) { $0.client() }
  }

  /// The numbers of all clients.
  public func clientNumbers() throws(StoreError) -> Set<Int64> {
    Set(try connection.all(Queries.numbers) { $0.int64() })
  }

  /// The client with a user name; `nil` if it is unknown.
  public func client(user: String) throws(StoreError) -> StoredClient? {
    try connection.first(Queries.client, { $0.add(user) }, read: { $0.client() })
  }

  /// All browser sessions, the oldest first.
  public func webSessions() throws(StoreError) -> [StoredWebSession] {
    try connection.all(Queries.sessions) { $0.webSession() }
  }

  /// The session with a digest; `nil` if it is unknown.
  public func webSession(_ digest: [UInt8]) throws(StoreError) -> StoredWebSession? {
    try connection.first(Queries.session, { $0.add(digest) }, read: { $0.webSession() })
  }
}

extension StoreWriter {
  /// Adds a client.
  ///
  /// - Throws: ``StoreError`` if its name or its user name is taken.
  public func add(_ client: StoredClient) throws(StoreError) {
    try connection.run(Queries.addClient) {
      $0.add(client.name)
      $0.add(client.user)
      $0.add(client.digest)
      $0.add(StringList.stored(client.rights) ?? "[]")
      $0.add(client.lists.map { StringList.stored($0.map(\.rawValue)) ?? "[]" })
      $0.add(client.created)
      $0.add(client.used)
      $0.add(client.number)
    }
    try log(.inserted, .access, client.user)
  }

  /// Removes the client with a user name. Returns false if it is unknown.
  @discardableResult
  public func removeClient(user: String) throws(StoreError) -> Bool {
    try connection.run(Queries.removeClient) { $0.add(user) }
    guard connection.changedRows > 0 else { return false }
    // Whoever gets the name next is another agent.
    try removeAccessDecisions(app: AccessDecision.agentPrefix + StoredClient.agent(user))
    try log(.removed, .access, user)
    return true
  }

  /// Replaces the lists that a client may access.
  public func setLists(
    _ lists: [Identifier<ItemCalendar>], ofClient user: String
  ) throws(StoreError) {
    try connection.run(Queries.setLists) {
      $0.add(StringList.stored(lists.map(\.rawValue)) ?? "[]")
      $0.add(user)
    }
    try log(.updated, .access, user)
  }

  /// Records a client's sign-in. This is not in the log of changes.
  public func noteUse(ofClient user: String, at now: Instant) throws(StoreError) {
    try connection.run(Queries.useClient) {
      $0.add(now)
      $0.add(user)
    }
  }

  /// Adds a browser session. This is not in the log of changes.
  public func add(_ session: StoredWebSession) throws(StoreError) {
    try connection.run(Queries.addSession) {
      $0.add(session.digest)
      $0.add(session.browser)
      $0.add(session.created)
      $0.add(session.used)
      $0.add(session.client)
    }
  }

  /// Records the use of a session. This is not in the log of changes.
  public func noteUse(ofSession digest: [UInt8], at now: Instant) throws(StoreError) {
    try connection.run(Queries.useSession) {
      $0.add(now)
      $0.add(digest)
    }
  }

  /// Ends a session, or all sessions for `nil`. Returns the number of ended sessions.
  @discardableResult
  public func removeWebSessions(_ digest: [UInt8]? = nil) throws(StoreError) -> Int {
    try connection.run(digest == nil ? Queries.removeSessions : Queries.removeSession) {
      if let digest { $0.add(digest) }
    }
    let count = connection.changedRows
    // Push subscriptions end with their sessions, and the daemon must learn of it.
    if count > 0 { try log(.removed, .access, "sessions") }
    return count
  }

  /// Ends the sessions that were last used before a moment, except those with a push subscription: a browser
  /// that is closed still shows alarms.
  public func removeWebSessions(usedBefore moment: Instant) throws(StoreError) {
    try connection.run(Queries.removeOldSessions) { $0.add(moment) }
  }
}

extension RowReader {
  fileprivate mutating func client() -> StoredClient {
    var client = StoredClient(
      name: text(), user: text(), digest: bytes(), rights: withBytes { StringList.list(stored: $0) ?? [] },
      lists: optionalBytes { (StringList.list(stored: $0) ?? []).map(Identifier.init(rawValue:)) },
      created: instant())
    client.used = optionalInstant()
    client.number = optionalInt64()
    return client
  }

  fileprivate mutating func webSession() -> StoredWebSession {
    var session = StoredWebSession(digest: bytes(), browser: text(), created: instant())
    session.used = instant()
    session.client = optionalText()
    return session
  }
}

private enum Queries {
  private static let client_ =
    "SELECT name, user, digest, rights, lists, created_at, used_at, row FROM clients "
  static let clients = SQL(client_ + "ORDER BY row")
  static let client = SQL(client_ + "WHERE user = ?")
  static let numbers = SQL("SELECT row FROM clients")
  static let addClient = SQL(
    """
    INSERT INTO clients (name, user, digest, rights, lists, created_at, used_at, row)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """)
  static let setLists = SQL("UPDATE clients SET lists = ? WHERE user = ?")
  static let removeClient = SQL("DELETE FROM clients WHERE user = ?")
  static let useClient = SQL("UPDATE clients SET used_at = ? WHERE user = ?")

  private static let session_ = "SELECT digest, browser, created_at, used_at, client FROM web_sessions "
  static let sessions = SQL(session_ + "ORDER BY created_at")
  static let session = SQL(session_ + "WHERE digest = ?")
  static let addSession = SQL("INSERT INTO web_sessions VALUES (?, ?, ?, ?, ?)")
  static let useSession = SQL("UPDATE web_sessions SET used_at = ? WHERE digest = ?")
  static let removeSession = SQL("DELETE FROM web_sessions WHERE digest = ?")
  static let removeSessions = SQL("DELETE FROM web_sessions")
  static let removeOldSessions = SQL(
    """
    DELETE FROM web_sessions
    WHERE used_at < ? AND digest NOT IN (SELECT session FROM push_subscriptions WHERE session IS NOT NULL)
    """)
}
