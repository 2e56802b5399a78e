import FencepostCalDAVClient
import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostOAuth
import Synchronization

/// What servers know users by.
extension AccountSynchronizer {
  /// The sign-in of an account with OAuth; `nil` if it has a password or nothing.
  ///
  /// - Throws: ``SyncFailure`` if the keyring does not give it.
  public func grant(of account: SyncAccount) throws -> OAuthGrant? {
    if case .grant(let grant) = try secrets.secret(of: account.number) { grant } else { nil }
  }

  /// Replaces the password of an account, which is then due at once.
  public func signIn(_ account: SyncAccount, password: String) throws {
    try replaceSecret(of: account, with: .password(password))
    accessTokens.set(nil, of: account.number)
  }

  /// Replaces the sign-in of an account with OAuth, which is then due at once.
  public func signIn(_ account: SyncAccount, tokens: OAuthTokens) throws {
    try replaceSecret(of: account, with: .grant(tokens.grant))
    accessTokens.set(tokens.access, of: account.number)
  }

  func credentials(of account: SyncAccount) throws -> DAVCredentials? {
    switch try secrets.secret(of: account.number) {
    case .grant(let grant): .accessToken { try token(of: account, grant, refused: $0) }
    case .password(let password): account.user.map { .password(user: $0, password: password) }
    case nil: account.user.map { .password(user: $0, password: "") }
    }
  }

  /// An access token that is still valid.
  ///
  /// - Parameter refused: One that the server has refused.
  private func token(of account: SyncAccount, _ grant: OAuthGrant, refused: String?) throws -> String {
    if let known = accessTokens.token(of: account.number), known.isFresh(at: clock()), known.text != refused {
      return known.text
    }
    do {
      // The grant may have been replaced since the run began.
      let grant = try self.grant(of: account) ?? grant
      let tokens = try OAuthSession(clock: clock).refresh(grant)
      if tokens.grant != grant { try replaceSecret(of: account, with: .grant(tokens.grant), isNews: false) }
      accessTokens.set(tokens.access, of: account.number)
      return tokens.access.text
    } catch let failure as OAuthFailure {
      switch failure.kind {
      case .unreachable: throw DAVFailure(.unreachable, failure.description)
      case .later: throw DAVFailure(.later, failure.description, retryAfter: failure.retryAfter ?? 60)
      default: throw DAVFailure(.unauthorized, "\(failure.description); \(DAVFailure.signInAdvice)")
      }
    }
  }

  /// - Parameter isNews: Whether an earlier failure says nothing about the account any longer.
  private func replaceSecret(
    of account: SyncAccount, with secret: SyncSecrets.Value, isNews: Bool = true
  ) throws {
    // Before the transaction, because the keyring may ask the user.
    let place = secrets.store(secret)
    do {
      let old = try store.write { writer in
        guard var account = try writer.reader.syncAccount(account.number) else {
          throw SyncFailure("the account was removed")
        }
        if isNews {
          account.failures = 0
          account.failure = nil
          account.next = .epoch
          try writer.save(&account)
        }
        return try secrets.record(place, of: account.number)
      }
      if let old { secrets.forget(old) }
    } catch {
      secrets.forget(place)
      throw error
    }
  }
}

/// The access tokens of accounts. They are only in memory: each is valid for about an hour, and can be had
/// again.
final class AccessTokens: Sendable {
  private let state = Mutex<[Int64: AccessToken]>([:])

  /// The last token of an account.
  func token(of account: Int64) -> AccessToken? { state.withLock { $0[account] } }

  /// Keeps a token; with `nil` forgets it.
  func set(_ token: AccessToken?, of account: Int64) { state.withLock { $0[account] = token } }
}
