import FencepostCalDAV
import FencepostCalDAVClient
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCryptography
import FencepostWebPush
import FoundationEssentials

/// Pushes of servers (WebDAV-Push).
extension AccountSynchronizer {
  /// What a push is.
  public enum Push: Hashable, Sendable {
    /// News of the account with this number.
    case news(account: Int64)
    /// Its address is not one of ours.
    case unknown
    /// It is not from the account's server, or was changed.
    case unreadable
    /// It is not signed by the account's server, or was not signed lately.
    case unsigned
  }

  /// Reads a push. What the message says does not matter: that the server could write it means that something
  /// has changed. Where the server announced a key, it must have signed the request with it (VAPID).
  ///
  /// - Parameters:
  ///   - path: The last part of the path.
  ///   - body: The body of the request.
  ///   - signature: The header `Authorization`.
  /// - Throws: Errors of the store.
  public func read(pushTo path: String, _ body: [UInt8], signature: String?) throws -> Push {
    guard let receiver = try store.read({ try $0.syncReceiver(at: path) }),
      let key = EllipticKey(secret: receiver.key)
    else { return .unknown }
    guard PushReceiver(key: key, secret: receiver.secret).open(body) != nil else { return .unreadable }
    let registrations = try store.read { try $0.syncRegistrations(of: receiver.account) }.filter {
      $0.address != nil
    }
    let isBelieved = registrations.contains { registration in
      guard let key = registration.senderKey else { return true }
      return PushSignature.isValid(signature, by: key, for: registration.endpoint, at: clock())
    }
    // The first registration may not be noted yet.
    return isBelieved || registrations.isEmpty ? .news(account: receiver.account) : .unsigned
  }

  /// Asks the server to push nothing more. What it does not answer to expires.
  func endPushes(of account: SyncAccount) throws {
    guard try !store.read({ try $0.syncRegistrations(of: account.number) }).isEmpty,
      let home = try? home(of: account)
    else { return }
    try PushRegistrar(store: store, account: account.number, home: home, now: clock()).endAll()
  }
}

/// Keeps what a server was asked to push (WebDAV-Push) in step with its calendars.
struct PushRegistrar {
  let store: CalendarStore
  let account: Int64
  let home: any CalendarHome
  let now: Instant

  /// How long a registration is to last, if the server does not say otherwise, in seconds.
  private static let term = 7 * 86_400.0
  /// When to ask a server again that has refused, and the shortest time between two registrations, in
  /// seconds.
  private static let (pause, shortest) = (86_400.0, 3_600.0)

  /// Registers what is not registered yet or ends soon, and ends what is no longer wanted. What a server does
  /// not answer to is left to the next time.
  ///
  /// - Parameters:
  ///   - base: The own address without a path; `nil` to end all.
  ///   - calendars: The calendars of the server, by the numbers of their collections.
  /// - Throws: Errors of the store.
  func update(_ base: String?, _ calendars: [(number: Int64, remote: RemoteCalendar)]) throws {
    let known = try store.read { try $0.syncRegistrations(of: account) }
    var isReachable = true
    guard let base else {
      for registration in known { try end(registration, &isReachable) }
      return
    }
    let wanted = calendars.filter(\.remote.canPush)
    guard !wanted.isEmpty else { return }
    let receiver = try receiver()
    let endpoint = PushEndpoint.address(base, receiver.path)
    guard let key = EllipticKey(secret: receiver.key) else { return }
    for (number, remote) in wanted {
      let earlier = known.first { $0.collection == number }
      if let earlier, earlier.endpoint == endpoint, earlier.renewed > now,
        earlier.senderKey == Self.senderKey(of: remote)
      {
        continue
      }
      // Another endpoint would be told besides this one.
      if let earlier, earlier.endpoint != endpoint { try end(earlier, &isReachable) }
      try register(
        PushRegistration(
          endpoint: endpoint, publicKey: Base64URL.encode(key.publicKey),
          secret: Base64URL.encode(receiver.secret), includesProperties: true,
          expires: HTTPDate.text(now.adding(seconds: Self.term))), for: remote, number)
    }
  }

  /// The key that a calendar's server announces; `nil` without a usable one.
  private static func senderKey(of calendar: RemoteCalendar) -> [UInt8]? {
    calendar.pushKey.flatMap { Base64URL.decode($0) }.flatMap { EllipticKey.isPublicKey($0) ? $0 : nil }
  }

  /// Ends all registrations of the account.
  func endAll() throws { try update(nil, []) }

  private func register(_ wish: PushRegistration, for calendar: RemoteCalendar, _ number: Int64) throws {
    var registration = SyncRegistration(
      collection: number, endpoint: wish.endpoint, address: nil, renewed: now.adding(seconds: Self.pause),
      senderKey: Self.senderKey(of: calendar))
    do {
      let (address, expires) = try home.register(wish, for: calendar)
      let seconds = expires?.seconds(since: now) ?? Self.term
      registration.address = address.absoluteString
      // Well before it ends.
      registration.renewed = now.adding(seconds: max(min(seconds, 30 * 86_400) * 2 / 3, Self.shortest))
    } catch let failure as DAVFailure where failure.kind != .unreachable && failure.kind != .later {
      // Noted below, so that the server is not asked at each run.
    } catch is DAVFailure {
      return
    }
    try store.write { [registration] in try $0.save(registration) }
  }

  /// - Parameter isReachable: Whether the server answers: each request without an answer may take long.
  private func end(_ registration: SyncRegistration, _ isReachable: inout Bool) throws {
    if isReachable, let address = registration.address.flatMap({ URL(string: $0) }) {
      // Without an answer it expires, and is ended by the first push to an unknown address.
      do {
        try home.unregister(address)
      } catch let failure as DAVFailure {
        isReachable = failure.kind != .unreachable
      }
    }
    try store.write { try $0.removeSyncRegistration(of: registration.collection) }
  }

  /// The receiver of the account, which stays the same.
  private func receiver() throws -> SyncReceiver {
    if let known = try store.read({ try $0.syncReceiver(of: account) }) { return known }
    let new = SyncReceiver(
      account: account, path: Secret.key().text, key: EllipticKey().secret, secret: Secret.random(16))
    try store.write { try $0.add(new) }
    return new
  }
}

/// The addresses that servers push to.
public enum PushEndpoint {
  /// What all paths begin with. The rest is a secret.
  public static let path = "/push/"
  /// The number of characters of the secret.
  public static let secretCount = 43

  static func address(_ base: String, _ secret: String) -> String { base + path + secret }
}
