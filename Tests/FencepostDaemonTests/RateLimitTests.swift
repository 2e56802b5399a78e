import Testing

@testable import FencepostDaemon

@Suite("Rates")
struct RateLimitTests {
  @Test("A bucket empties, fills up again, and is nobody else's")
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

  @Test("Beyond as many as are kept, all share one")
  func crowd() {
    var limit = RateLimit<Int>(rate: 1, burst: 2)
    limit.capacity = 10
    let start = ContinuousClock.now
    let all = (0..<20).map { limit.take(of: $0, at: start) }
    #expect(all == Array(repeating: true, count: 12) + Array(repeating: false, count: 8))
    // Those that are full again make room.
    let late = limit.take(of: 99, at: start + .seconds(5))
    #expect(late)
  }
}
