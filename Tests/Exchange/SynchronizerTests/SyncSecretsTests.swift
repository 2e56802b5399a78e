import FencepostCalendarStore
import FencepostOAuth
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostSynchronizer

@Suite struct SyncSecretsTests {
  let directory: TemporaryDirectory
  let secrets: SyncSecrets

  init() throws {
    directory = try TemporaryDirectory()
    secrets = SyncSecrets(of: try CalendarStore(path: directory.path("calendar.sqlite")))
  }

  @Test func secretsAreReadAsTheyWereKept() throws {
    let grant = try #require(
      OAuthGrant(
        text:
          #"{"issuer":"https://a.example","token_endpoint":"https://a.example/t","client_id":"id","refresh_token":"r s"}"#
      ))
    try secrets.record(secrets.store(.password("oauth keyring p%w")), of: 1)
    try secrets.record(secrets.store(.grant(grant)), of: 2)
    #expect(try secrets.secret(of: 1) == .password("oauth keyring p%w"))
    #expect(try secrets.secret(of: 2) == .grant(grant))
    try secrets.forget(1)
    #expect(try secrets.secret(of: 1) == nil)
    #expect(try secrets.secret(of: 2) == .grant(grant))
  }

  @Test func linesOfAllKindsAreRead() throws {
    try directory.write(
      "1 p%20w\n2 keyring abc\n3 oauth damaged\n4 oauth keyring abc\n5 a b c d e\nx\n\n",
      to: "calendar.sqlite.secrets")
    #expect(try secrets.secret(of: 1) == .password("p w"))
    for account: Int64 in 2...4 { #expect(throws: SyncFailure.self) { try secrets.secret(of: account) } }
    #expect(try secrets.secret(of: 5) == nil)
    try secrets.record(secrets.store(.password("new")), of: 1)
    let text = try String(contentsOfFile: directory.path("calendar.sqlite.secrets"), encoding: .utf8)
    #expect(text == "1 new\n2 keyring abc\n3 oauth damaged\n4 oauth keyring abc\n")
  }
}
