import Testing

@testable import FencepostWebServer

@Suite("Rate limits")
struct RateLimitTests {
  @Test("A bucket empties and refills, independently of others")
  func bucket() {
    var limit = RateLimit<String>(rate: 2, burst: 3)
    let start = ContinuousClock.now
    let first = (0..<5).map { _ in limit.take(of: "a", at: start) }
    #expect(first == [true, true, true, false, false])
    let other = limit.take(of: "b", at: start)
    #expect(other)
    let later = (0..<3).map { _ in limit.take(of: "a", at: start + .seconds(1)) }
    #expect(later == [true, true, false])
  }

  @Test("Beyond the maximum number of buckets, keys share one")
  func crowd() {
    var limit = RateLimit<Int>(rate: 1, burst: 2)
    limit.capacity = 10
    let start = ContinuousClock.now
    let all = (0..<20).map { limit.take(of: $0, at: start) }
    #expect(all == Array(repeating: true, count: 12) + Array(repeating: false, count: 8))
    // Full buckets make room.
    let late = limit.take(of: 99, at: start + .seconds(5))
    #expect(late)
  }
}

@Suite("Senders")
struct HTTPSendersTests {
  private let start = ContinuousClock.now

  private func sender(_ peer: String, for list: String? = nil) throws -> HTTPSender {
    HTTPSender(peer: try #require(PeerAddress(text: peer)), forwardedFor: list)
  }

  @Test(
    "The client's address comes from a proxy on this machine only",
    arguments: [
      ("127.0.0.1", "203.0.113.7", "203.0.113.7"),
      ("::1", " 198.51.100.1 , 203.0.113.7:4711 ", "203.0.113.7"),
      ("127.0.0.1", "[2001:db8:1:2:3::4]:443", "2001:db8:1:2::/64"), ("127.0.0.1", "garbage", "127.0.0.1"),
      ("127.0.0.1", "", "127.0.0.1"), ("127.0.0.1", "127.0.0.1", "127.0.0.1"),
      ("127.0.0.1", "::ffff:203.0.113.7", "203.0.113.7"), ("192.0.2.1", "203.0.113.7", "192.0.2.1"),
    ])
  func counted(peer: String, list: String, address: String) throws {
    #expect(try sender(peer, for: list).address.description == address)
  }

  @Test("A sender that exceeds its limit does not affect others behind the same proxy")
  func rates() throws {
    var limits = HTTPServer.Limits()
    limits.rate = 0
    limits.burst = 10
    var senders = HTTPSenders(limits)
    let (loud, quiet) = (
      try sender("127.0.0.1", for: "203.0.113.7"), try sender("127.0.0.1", for: "203.0.113.8")
    )
    let heard = (0..<1_000).count { _ in senders.admits(loud, at: start) }
    #expect(heard == 10)
    let isHeard = senders.admits(quiet, at: start)
    #expect(isHeard)
  }

  @Test("Clients of a proxy on this machine send tens of thousands of requests, and guess seldom")
  func manyBehindAProxy() throws {
    var senders = HTTPSenders(HTTPServer.Limits())
    let proxy = try sender("127.0.0.1")
    for second in 1...20 {
      let heard = (0..<30_000).count { _ in senders.admits(proxy, at: start + .seconds(second)) }
      #expect(heard == 30_000)
    }
    let guesses = (0..<30_000).count { _ in senders.countWrongSecret(of: proxy, at: start).isHeard }
    #expect(guesses < 300)
  }

  @Test("Wrong secrets are reported once an hour, with the number of attempts")
  func complaints() throws {
    var senders = HTTPSenders(HTTPServer.Limits())
    let sender = try sender("203.0.113.7")
    let counts = [0, 1, 1_800, 3_600, 3_601].map {
      senders.countWrongSecret(of: sender, at: start + .seconds($0)).attempts
    }
    #expect(counts == [1, nil, nil, 3, nil])
  }
}
