public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostCryptography
import FencepostSystem
public import FencepostWebServer

/// The clients and sessions of a store: identifies a principal by its credentials.
public struct ClientRegistry: Sendable {
  let store: CalendarStore
  let clock: @Sendable () -> Instant

  /// Seconds after which an unused session has ended.
  static let sessionSeconds = 30.0 * 86_400
  /// Minimum seconds between two recorded uses.
  private static let noteSeconds = 86_400.0

  /// The clients of `store`.
  ///
  /// - Parameter clock: Returns the current time.
  public init(store: CalendarStore, clock: @escaping @Sendable () -> Instant) {
    self.store = store
    self.clock = clock
  }

  /// The principal with a user name and a password, or `nil` if they are wrong. The user name may be missing:
  /// a token is a client's `USER:PASSWORD`.
  ///
  /// Cost: one query of the store.
  public func principal(_ credentials: HTTPCredentials) throws -> Principal? {
    if let token = credentials.bearer, AnswerToken.isToken(token) {
      return try AnswerToken.principal(of: token, in: store, at: clock())
    }
    guard
      let (user, password) = credentials.basic
        ?? [credentials.bearer, credentials.token].lazy.compactMap({ $0 }).compactMap(Self.parts).first
    else {
      return nil
    }
    guard let client = try store.read({ try $0.client(user: user) }) else { return nil }
    guard MessageDigest.areEqual(Secret.digest(of: password), client.digest) else { return nil }
    note(client.used) { [clock] in try $0.noteUse(ofClient: user, at: clock()) }
    return Self.principal(of: client)
  }

  private static func parts(of token: String) -> (user: String, password: String)? {
    let parts = token.split(separator: ":", maxSplits: 1)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  /// The owner or a client in a browser, by the key in its cookie; `nil` if it is not signed in.
  public func principal(sessionKey: String) throws -> Principal? {
    let digest = Secret.digest(of: sessionKey)
    guard let (session, principal) = try signedIn(digest) else { return nil }
    note(session.used) { [clock] in try $0.noteUse(ofSession: digest, at: clock()) }
    return principal
  }

  /// A session that has not ended, and who is signed in.
  private func signedIn(_ digest: [UInt8]) throws -> (session: StoredWebSession, principal: Principal)? {
    let found: (session: StoredWebSession, client: StoredClient?)? = try store.read { reader in
      guard let session = try reader.webSession(digest) else { return nil }
      return (session, try session.client.flatMap { try reader.client(user: $0) })
    }
    guard let (session, client) = found,
      clock().seconds(since: session.used) < Self.sessionSeconds
    else { return nil }
    guard session.client != nil else {
      return (session, Principal(name: "owner", way: .session(digest), rights: Set(Right.allCases)))
    }
    return client.map { (session, Self.principal(of: $0, .clientSession(digest))) }
  }

  /// Whether a principal that signed in before would still have the same rights.
  public func isCurrent(_ principal: Principal) throws -> Bool {
    switch principal.way {
    case .address: return true
    // Pages of apps are not in the store.
    case .page: return false
    // It is good for one request only.
    case .answer: return false
    case .client:
      // A client that got the name of this one is another.
      guard let client = try store.read({ try $0.clients() }).first(where: { $0.number == principal.number })
      else {
        return false
      }
      return principal == Self.principal(of: client)
    case .session(let digest), .clientSession(let digest):
      return try signedIn(digest)?.principal == principal
    }
  }

  /// Whether a client still exists with the same rights, as a transaction sees it.
  public static func isCurrent(
    _ principal: Principal, user: String, in reader: borrowing StoreReader
  ) throws -> Bool {
    try reader.client(user: user).map { Self.principal(of: $0) } == principal
  }

  static func principal(of client: StoredClient, _ way: Principal.Way = .client) -> Principal {
    Principal(
      name: client.name, way: way, rights: Set(client.rights.compactMap(Right.init(rawValue:))),
      lists: client.lists.map { Set($0.map(\.rawValue)) }, number: client.number)
  }

  /// Records a use on its own thread, because a request must not wait for the store. A use that can't be
  /// stored is lost.
  private func note(_ last: Instant?, _ write: @escaping @Sendable (borrowing StoreWriter) throws -> Void) {
    if let last, abs(clock().seconds(since: last)) < Self.noteSeconds { return }
    try? SystemThread.start("use") { [store] in _ = try? store.write(write) }
  }

  // MARK: Clients

  /// Adds a client.
  ///
  /// - Parameters:
  ///   - name: The name that the user chose.
  ///   - rights: What it may do.
  ///   - lists: The lists that the rights apply to; `nil` for all.
  /// - Returns: Its user name, and its password, which is not stored.
  /// - Throws: ``ClientError`` if the name is invalid or taken.
  public func add(
    _ name: String, rights: [Right], lists: [Identifier<ItemCalendar>]? = nil
  ) throws -> (user: String, password: String) {
    let now = clock()
    return try store.write {
      try Self.add(name, rights: rights.map(\.rawValue), lists: lists, at: now, to: $0)
    }
  }

  /// Adds a client in a transaction.
  static func add(
    _ name: String, rights: [String], lists: [Identifier<ItemCalendar>]?, at now: Instant,
    to writer: borrowing StoreWriter
  ) throws -> (user: String, password: String) {
    let name = String(name.drop(while: \.isWhitespace))
    guard !name.isEmpty, name.utf8.count <= 100, !name.unicodeScalars.contains(where: \.isControl) else {
      throw ClientError.invalidName
    }
    let password = Secret.password()
    let known = try writer.reader.clients()
    guard !known.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw ClientError.nameTaken(name)
    }
    let user = userName(for: name, besides: Set(known.map(\.user)))
    try writer.add(
      StoredClient(
        name: name, user: user, digest: password.digest, rights: rights, lists: lists, created: now))
    return (user, password.text)
  }

  /// Gives a client a new password, or adds it.
  ///
  /// - Returns: Its user name and its password, and whether it was there before: its old password is invalid.
  /// - Throws: ``ClientError`` if the name is invalid, or taken by a client with other rights.
  public func renew(
    _ name: String, rights: [Right]
  ) throws -> (user: String, password: String, isRenewed: Bool) {
    let wanted = name.drop(while: \.isWhitespace).lowercased()
    let known = try store.read { try $0.clients() }.first { $0.name.lowercased() == wanted }
    guard let known else {
      let (user, password) = try add(name, rights: rights)
      return (user, password, false)
    }
    guard known.rights == rights.map(\.rawValue) else { throw ClientError.otherRights(known.name) }
    let password = Secret.password()
    // The number stays: its changes are still its own.
    var renewed = known
    (renewed.digest, renewed.created, renewed.used) = (password.digest, clock(), nil)
    try store.write { [renewed] writer in
      try writer.removeClient(user: known.user)
      try writer.add(renewed)
    }
    return (known.user, password.text, true)
  }

  /// A user name that is easy to type: the name's letters and digits, with hyphens between.
  static func userName(for name: String, besides taken: Set<String>) -> String {
    let letters = name.lowercased().unicodeScalars.map {
      $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) ? Character($0) : "-"
    }
    let words = String(letters).split(separator: "-").joined(separator: "-")
    let base = words.isEmpty ? "client" : String(words.prefix(40))
    guard taken.contains(base) else { return base }
    return (2...).lazy.map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? base
  }

  /// Removes a client by its name or its user name. Its password is invalid at once.
  ///
  /// - Parameter isUser: Whether it is a user name only.
  /// - Returns: The client.
  /// - Throws: ``ClientError/unknown(_:)`` if the name is unknown, ``ClientError/ambiguous(_:_:)`` if it is the
  ///   name of one client and the user name of another one.
  @discardableResult
  public func revoke(_ name: String, isUser: Bool = false) throws -> StoredClient {
    try store.write { writer in
      let wanted = name.lowercased()
      let found = try writer.reader.clients().filter {
        $0.user == wanted || !isUser && $0.name.lowercased() == wanted
      }
      guard let client = found.first else { throw ClientError.unknown(name) }
      guard found.count == 1 else { throw ClientError.ambiguous(name, found.map { [$0.name, $0.user] }) }
      try writer.removeClient(user: client.user)
      return client
    }
  }

  // MARK: Sessions

  /// Signs a browser in, and ends sessions that were unused for long.
  ///
  /// - Parameters:
  ///   - browser: The browser's own description.
  ///   - client: The user name of the client that signs in; `nil` for the owner.
  /// - Returns: The key for its cookie, which is not stored.
  public func beginSession(browser: String, client: String? = nil) throws -> String {
    let now = clock()
    return try store.write { try Self.beginSession(browser, client, at: now, in: $0) }
  }

  static func beginSession(
    _ browser: String, _ client: String?, at now: Instant, in writer: borrowing StoreWriter
  ) throws -> String {
    let key = Secret.key()
    try writer.removeWebSessions(usedBefore: now.adding(seconds: -Self.sessionSeconds))
    try writer.add(
      StoredWebSession(
        digest: key.digest, browser: String(browser.withoutControls.prefix(200)), created: now,
        client: client))
    return key.text
  }

  /// Signs in the browser of a client that may read.
  ///
  /// - Returns: The key for its cookie; `nil` if the user name or the password is wrong, or the client may not
  ///   read.
  public func beginSession(browser: String, user: String, password: String) throws -> String? {
    guard let client = try store.read({ try $0.client(user: user) }),
      MessageDigest.areEqual(Secret.digest(of: password), client.digest),
      client.rights.contains(Right.read.rawValue)
    else { return nil }
    return try beginSession(browser: browser, client: user)
  }

  /// Signs a browser out.
  public func endSession(_ digest: [UInt8]) throws { try store.write { try $0.removeWebSessions(digest) } }

  // MARK: The owner's password

  /// The setting with the hash of the owner's password.
  private static let passwordSetting = SecretSetting.password

  /// Whether the owner has a password.
  public func hasPassword() throws -> Bool {
    try store.read { try $0.setting(Self.passwordSetting) } != nil
  }

  /// Sets or (with `nil`) removes the owner's password, and signs all browsers out.
  ///
  /// - Throws: ``ClientError/weakPassword`` if it is shorter than ten characters.
  public func setPassword(_ password: String?) throws {
    if let password, password.count < 10 || password.utf8.contains(0) { throw ClientError.weakPassword }
    let hash = try password.map { password in
      guard let hash = PasswordHash.make(password) else { throw ClientError.noHash }
      return hash
    }
    try store.write { writer in
      try writer.set(hash, for: Self.passwordSetting)
      try writer.removeWebSessions()
    }
  }

  /// Whether anybody can sign in with a password: the owner, or a client that may read.
  public func mayAnybodySignIn() throws -> Bool {
    try store.read { reader in
      if try reader.setting(Self.passwordSetting) != nil { return true }
      return try reader.clients().contains { $0.rights.contains(Right.read.rawValue) }
    }
  }

  /// Whether `password` is the owner's. Cost: some tenths of a second.
  public func isPassword(_ password: String) throws -> Bool {
    guard let hash = try store.read({ try $0.setting(Self.passwordSetting) }) else { return false }
    return PasswordHash.matches(password, hash)
  }
}
