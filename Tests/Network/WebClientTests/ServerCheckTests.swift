import FencepostTestSupport
import FencepostWebClient
import Testing

@Suite("Trying a connection")
struct ServerCheckTests {
  @Test("A server that listens answers, and gets no request")
  func answers() throws {
    let server = try LoopbackServer { _ in .text("") }
    let check = try #require(
      ServerCheck(url: "http://ann:secret@" + server.address("/a?b").dropFirst("http://".count)))
    #expect(check.failure(within: 10) == nil && !check.place.contains("secret"))
    #expect(ServerCheck(place: check.place, isEncrypted: false).failure(within: 10) == nil)
    #expect(server.requests.isEmpty)
  }

  @Test("A server without TLS does not answer an encrypted connection")
  func unencrypted() throws {
    let server = try LoopbackServer { _ in .text("") }
    let check = try #require(ServerCheck(url: server.address("/")))
    #expect(ServerCheck(place: check.place, isEncrypted: true).failure(within: 10) != nil)
  }

  @Test("A name without an address is said; other addresses are no servers")
  func unknown() {
    let failure = ServerCheck(place: "nowhere.invalid:1", isEncrypted: false).failure(within: 10)
    #expect(failure == "can't resolve the server's name")
    #expect(ServerCheck(url: "mailto:ann@example.org") == nil && ServerCheck(url: "https:///") == nil)
  }
}
