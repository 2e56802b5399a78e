import Testing

@testable import FencepostCalDAVServer

@Suite("Sync tokens")
struct SyncTokenTests {
  @Test("A token that is written is read as the same", arguments: [nil, "a:b/ä"] as [String?])
  func roundTrip(cursor: String?) {
    let token = SyncToken(change: 7, cursor: cursor)
    #expect(SyncToken(token.text) == token)
  }

  @Test(
    "What this server did not make is no token",
    arguments: [
      "", "7", "urn:x-fencepost:sync:", "urn:x-fencepost:sync:-1", "urn:x-fencepost:sync:1:zz", "http://x/1",
    ])
  func others(text: String) { #expect(SyncToken(text) == nil) }
}
