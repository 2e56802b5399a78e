import FencepostClients
import FencepostTestSupport
import FencepostWebServer
import Synchronization
import Testing

@testable import FencepostWebApp

@Suite("Tries of passwords")
struct PasswordGuessTests {
  private func sender(_ address: String) throws -> HTTPSender {
    HTTPSender(peer: try #require(PeerAddress(text: "127.0.0.1")), forwardedFor: address)
  }

  @Test("Somebody with many networks has no more tries than others have together")
  func rotation() throws {
    var guesses = PasswordGuesses()
    let now = ContinuousClock.now
    var heard = 0
    for network in 0..<300 {
      if guesses.admit(try sender("2001:db8:\(String(network, radix: 16))::1"), at: now) { heard += 1 }
    }
    #expect(heard == 30)
    // This machine has tries of its own.
    #expect(guesses.admit(try sender(""), at: now))
    #expect(guesses.admit(try sender("203.0.113.1"), at: now + .seconds(10)))
  }

  @Test("The owner on this machine gets in with the right password, whatever others tried")
  func owner() throws {
    let fixture = try WebAppFixture()
    try fixture.app.clients.setPassword("correct horse")
    fixture.app.guesses.withLock { guesses in
      for _ in 0..<10_000 {
        guard let peer = PeerAddress(text: "127.0.0.1") else { continue }
        _ = guesses.admit(HTTPSender(peer: peer, forwardedFor: nil), at: .now)
      }
    }
    func sign(_ password: String) throws -> String {
      try HTTPProbe.ask(
        fixture.port, "POST", "/signin",
        headers: [
          "Origin: http://127.0.0.1:\(fixture.port)", "Content-Type: application/x-www-form-urlencoded",
        ], body: "password=\(password)")
    }
    #expect(try sign("wrong").hasPrefix("429"))
    #expect(try sign("correct+horse").hasPrefix("303"))
  }
}
