import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostCryptography
public import FencepostWebServer

extension ClientRegistry {
  /// The setting with this server's key for signing pushes.
  private static let pushKeySetting = "push-key"
  /// More subscriptions of one client are a mistake.
  static let maximumSubscriptions = 20

  /// The key for signing pushes. It never changes, because browsers subscribe to this key.
  public func pushKey() throws -> EllipticKey {
    func known(_ reader: borrowing StoreReader) throws -> EllipticKey? {
      try reader.setting(Self.pushKeySetting).flatMap { Base64URL.decode($0) }.flatMap(
        EllipticKey.init(secret:))
    }
    if let key = try store.read({ try known($0) }) { return key }
    return try store.write { writer in
      // Another program may have been faster.
      if let key = try known(writer.reader) { return key }
      let key = EllipticKey()
      try writer.setQuietly(Base64URL.encode(key.secret), for: Self.pushKeySetting)
      return key
    }
  }

  /// The push subscriptions of a client or session.
  public func pushSubscriptions(of principal: Principal) throws -> [StoredPushSubscription] {
    try store.read { reader in
      guard let owner = try Self.owner(principal, in: reader) else { return [] }
      return try reader.pushSubscriptions().filter { $0.owner == owner }
    }
  }

  /// Stores a push subscription until its session or client is revoked. A session has one, a client at most
  /// 20.
  ///
  /// - Throws: ``ClientError/tooManySubscriptions`` if a client has 20 others.
  public func subscribe(
    _ principal: Principal, endpoint: String, publicKey: [UInt8], secret: [UInt8]
  ) throws -> StoredPushSubscription {
    try store.write { writer in
      guard let owner = try Self.owner(principal, in: writer.reader) else {
        throw ClientError.unknown(principal.name)
      }
      let own = try writer.reader.pushSubscriptions().filter { $0.owner == owner && $0.endpoint != endpoint }
      guard own.count < Self.maximumSubscriptions else { throw ClientError.tooManySubscriptions }
      return try writer.save(
        StoredPushSubscription(
          id: MessageDigest.hexadecimal(Secret.random(8)), endpoint: endpoint, publicKey: publicKey,
          secret: secret,
          answerKey: Secret.random(32), owner: owner, created: clock()))
    }
  }

  /// A token that allows answering one alarm or suggestion for a week, for a notification of a channel that
  /// is no push subscription.
  ///
  /// - Parameters:
  ///   - notice: The firing's number in the ledger, or the suggestion's identifier.
  ///   - revision: The suggestion's revision; `nil` for a firing.
  public func answerToken(for notice: String, revision: String? = nil) throws -> String {
    AnswerToken.make(for: notice, revision: revision, key: try secret(SecretSetting.answers))
  }

  /// A short code that proves that this store made a text, for buttons of at most 64 bytes.
  public func answerCode(for text: String) throws -> String {
    let code = MessageDigest.hmacSHA256(Array(text.utf8), key: try secret(SecretSetting.answers))
    return Base64URL.encode(Array(code.prefix(12)))
  }

  /// A random secret of 32 bytes in a setting, made at the first use.
  private func secret(_ setting: String) throws -> [UInt8] {
    if let secret = try store.read({ try $0.setting(setting) }).flatMap({ Base64URL.decode($0) }) {
      return secret
    }
    return try store.write { writer in
      // Another program may have been faster.
      if let secret = try writer.reader.setting(setting).flatMap({ Base64URL.decode($0) }) { return secret }
      let secret = Secret.random(32)
      try writer.setQuietly(Base64URL.encode(secret), for: setting)
      return secret
    }
  }

  private static func owner(
    _ principal: Principal, in reader: borrowing StoreReader
  ) throws -> StoredPushSubscription.Owner? {
    switch principal.way {
    case .session(let digest): .session(digest)
    case .client: try reader.clients().first { $0.number == principal.number }.map { .client($0.user) }
    // A subscription of a session gets the alarms of all lists.
    case .clientSession, .address, .answer, .page: nil
    }
  }
}

/// A token that allows answering one alarm or suggestion. A notification contains it, so that its buttons
/// work without signing in.
///
/// It works while the push subscription of the notification exists; without a subscription, for a week after
/// the alarm, or after the suggestion changed. A suggestion's token is bound to the content that the person
/// saw.
public enum AnswerToken {
  private static let prefix = "answer"
  /// The seconds after an alarm in which it can be answered without a push subscription.
  private static let maximumAge = 7.0 * 86_400

  /// The token for a notice.
  ///
  /// - Parameters:
  ///   - notice: The firing's key, or the suggestion's identifier.
  ///   - revision: The suggestion's revision; `nil` for a firing.
  ///   - subscription: The subscription that receives it.
  public static func make(
    for notice: String, revision: String? = nil, _ subscription: StoredPushSubscription
  ) -> String {
    make(for: notice, revision: revision, key: subscription.answerKey, subscription.id)
  }

  /// The token for a notice, without a subscription: its part of the token is empty.
  static func make(
    for notice: String, revision: String?, key: [UInt8], _ subscription: String = ""
  ) -> String {
    let name = Array(notice.utf8)
    let shown = revision.map { Array($0.utf8) }
    let code = MessageDigest.hmacSHA256(signed(name, shown), key: key)
    let parts = [prefix, subscription, Base64URL.encode(name)] + (shown.map { [Base64URL.encode($0)] } ?? [])
    return (parts + [Base64URL.encode(code)]).joined(separator: ".")
  }

  /// What the code is of. A name has no NUL.
  private static func signed(_ name: [UInt8], _ revision: [UInt8]?) -> [UInt8] {
    revision.map { name + [0] + $0 } ?? name
  }

  /// Whether a text looks like one of these tokens.
  static func isToken(_ token: String) -> Bool { token.hasPrefix(prefix + ".") }

  /// The sender of a token; `nil` if the token is wrong, its subscription has ended, or the subscriber may no
  /// longer change items.
  static func principal(of token: String, in store: CalendarStore, at now: Instant) throws -> Principal? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard (4...5).contains(parts.count), let name = Base64URL.decode(parts[2]), !name.contains(0),
      let code = Base64URL.decode(parts[parts.count - 1]),
      let notice = String(validating: name, as: UTF8.self)
    else { return nil }
    let revision = parts.count == 5 ? Base64URL.decode(parts[3]) : nil
    if parts.count == 5, revision == nil { return nil }
    let content = signed(name, revision)
    let way = Principal.Way.answer(notice, revision: revision.map { String(decoding: $0, as: UTF8.self) })
    var principal = Principal(name: "notification", way: way, rights: [])
    return try store.read { reader in
      if parts[1].isEmpty {
        var told = try reader.firing(id: notice)?.firing.wentOffAt
        if told == nil { told = try reader.suggestion(Identifier(rawValue: notice))?.changed }
        guard let key = try reader.setting(SecretSetting.answers).flatMap({ Base64URL.decode($0) }),
          MessageDigest.areEqual(MessageDigest.hmacSHA256(content, key: key), code),
          let told, now.seconds(since: told) < maximumAge
        else { return nil }
        return principal
      }
      guard let subscription = try reader.pushSubscription(String(parts[1])),
        MessageDigest.areEqual(MessageDigest.hmacSHA256(content, key: subscription.answerKey), code)
      else { return nil }
      // A client's rights may have changed since the notification.
      if case .client(let user) = subscription.owner {
        guard let client = try reader.client(user: user), client.rights.contains(Right.write.rawValue) else {
          return nil
        }
        principal.lists = client.lists.map { Set($0.map(\.rawValue)) }
      }
      return principal
    }
  }
}
