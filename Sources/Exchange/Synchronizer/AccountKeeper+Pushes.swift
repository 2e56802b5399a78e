import FencepostCalDAVClient
import FencepostCalendarStore
import FencepostCryptography
import FencepostWebPush
import FoundationEssentials

/// Pushes of servers (WebDAV-Push).
extension AccountKeeper {
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

  /// Reads a push. What the message says does not matter: that the server could write it means that something has changed.
  /// Where the server announced a key, it must have signed the request with it (VAPID).
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
