import CalDAVClient
import CalendarStore
import Cryptography
import FoundationEssentials
import WebPush

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
  }

  /// Reads a push. What the message says does not matter: that the server could write it means that something has changed.
  ///
  /// - Parameters:
  ///   - path: The last part of the path.
  ///   - body: The body of the request.
  /// - Throws: Errors of the store.
  public func read(pushTo path: String, _ body: [UInt8]) throws -> Push {
    guard let receiver = try store.read({ try $0.syncReceiver(at: path) }),
      let key = EllipticKey(secret: receiver.key)
    else { return .unknown }
    guard PushReceiver(key: key, secret: receiver.secret).open(body) != nil else { return .unreadable }
    return .news(account: receiver.account)
  }

  /// Asks the server to push nothing more. What it does not answer to expires.
  func endPushes(of account: SyncAccount) throws {
    guard try !store.read({ try $0.syncRegistrations(of: account.number) }).isEmpty,
      let home = try? home(of: account)
    else { return }
    try PushRegistrar(store: store, account: account.number, home: home, now: clock()).endAll()
  }
}
