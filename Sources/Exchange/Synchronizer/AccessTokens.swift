import FencepostOAuth
import Synchronization

/// The access tokens of accounts. They are only in memory: each is valid for about an hour, and can be had again.
final class AccessTokens: Sendable {
  private let state = Mutex<[Int64: AccessToken]>([:])

  /// The last token of an account.
  func token(of account: Int64) -> AccessToken? { state.withLock { $0[account] } }

  /// Keeps a token; with `nil` forgets it.
  func set(_ token: AccessToken?, of account: Int64) { state.withLock { $0[account] = token } }
}
