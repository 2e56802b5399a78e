import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostOAuth
import FencepostSpatiotemporal
import FencepostSynchronizer
import FencepostSystem

/// Sign-ins at servers of accounts.
extension CommandContext {
  /// Where passwords are kept; `nil` for a file beside the store.
  var keyring: Keyring? { .ofSession(at: console.environment["DBUS_SESSION_BUS_ADDRESS"]) }

  /// `accounts sign-in NAME [--password-file FILE] [--other-device]`.
  func signInToAccount() throws {
    let store = try openExistingStore()
    let accounts = try chosenAccounts(in: store)
    guard let account = accounts.first, accounts.count == 1 else {
      throw CommandError("name one account; 'fencepost accounts list' shows all")
    }
    let keeper = AccountSynchronizer(store: store, keyring: keyring)
    try naming {
      if let grant = try keeper.grant(of: account) {
        try keeper.signIn(account, tokens: tokens(at: grant.server, grant.client, scope: grant.scope))
      } else {
        guard let user = account.user else { throw CommandError("this account needs no sign-in") }
        try keeper.signIn(account, password: try accountPassword(of: user))
      }
    }
    try synchronizeAccounts([account], keeper)
  }

  /// The result of a sign-in with the options of `accounts add`; `nil` without `--oauth`.
  func tokens(for address: String) throws -> OAuthTokens? {
    guard let id = parsed.value(.oauth) else { return nil }
    let secret = try parsed.value(.clientSecretFile).map { try firstLine(of: $0) }
    let client = try OAuthClient(id: id, secret: secret)
    let known = AuthorizationServer.known(for: address)
    guard let scope = parsed.value(.scope) ?? known?.scope else {
      throw CommandError("what the server calls the permission is not known; name it with --scope")
    }
    let server: AuthorizationServer
    if let issuer = parsed.value(.issuer) {
      server = try OAuthSession(clock: { .wallClock() }).server(issuer)
    } else if let known {
      server = known.server
    } else {
      throw CommandError("the authorization server is not known; name it with --issuer")
    }
    return try tokens(at: server, client, scope: scope)
  }

  private func tokens(
    at server: AuthorizationServer, _ client: OAuthClient, scope: String
  ) throws -> OAuthTokens {
    let session = try OAuthSession(clock: { .wallClock() })
    if parsed.flag(.otherDevice) {
      return try session.signInElsewhere(
        at: server, client: client, scope: scope, sleep: console.pause
      ) { device in
        console.say("On any device, open \(device.address) and enter \(device.userCode.withoutControls)")
      }
    }
    return try session.signIn(at: server, client: client, scope: scope) { address in
      console.say("To sign in, open this address in a browser on this machine:")
      console.say(address)
      if console.isTerminal && hasBrowser { openInBrowser(address, isSecret: true) }
    }
  }

  /// The first line of a file with a secret; `-` is standard input.
  func firstLine(of path: String) throws -> String {
    let bytes =
      path == "-" ? Array((console.readSecret("") ?? "").utf8) : try WholeFile.read(path, upTo: 65_536)
    let line = String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }
    guard !line.isEmpty else { throw CommandError("\(path) contains no password") }
    return String(line)
  }
}
