import FencepostSpatiotemporal
import FencepostSystem
import Testing

@Suite struct MonitorTests {
  /// Several threads add to a value, and one waits for the sum: no addition is lost, and the waiting thread
  /// wakes.
  @Test func countsAndWakes() throws {
    let sum = Monitor(0)
    for _ in 0..<4 {
      try SystemThread.start("adder") { for _ in 0..<1_000 { sum.update { $0 += 1 } } }
    }
    #expect(sum.wait { $0 == 4_000 ? $0 : nil } == 4_000)
  }

  /// A waiting thread sees the change that another one made when its wait ended.
  @Test func waitersTakeTurns() throws {
    let turn = Monitor(0)
    for number in 1...3 {
      try SystemThread.start("turn \(number), whose name is too long") {
        turn.wait {
          guard $0 == number else { return nil }
          $0 += 1
        }
      }
    }
    turn.update { $0 = 1 }
    turn.wait { $0 == 4 ? () : nil }
  }

  /// Deadlines that have passed, also before the epoch, and one that never comes.
  @Test(arguments: [Int64.min, -1, 0, 1_000_000])
  func deadlines(microseconds: Int64) {
    let monitor = Monitor(0)
    let outcome: Int? = monitor.wait(until: Instant(microseconds: microseconds)) { _ in nil }
    #expect(outcome == nil)
    // The value is checked once, whatever the time is.
    #expect(monitor.wait(until: Instant(microseconds: microseconds)) { $0 } == 0)
  }

  @Test func theDistantFuture() throws {
    let monitor = Monitor(false)
    try SystemThread.start("waker") { monitor.update { $0 = true } }
    #expect(monitor.wait(until: .distantFuture) { $0 ? true : nil } == true)
  }

  @Test func errorsPassAndUnlock() {
    struct Failure: Error {}
    let monitor = Monitor(0)
    #expect(throws: Failure.self) {
      try monitor.withLock { (_: inout Int) throws(Failure) in throw Failure() }
    }
    #expect(throws: Failure.self) { try monitor.update { (_: inout Int) throws(Failure) in throw Failure() } }
    #expect(monitor.withLock { $0 } == 0)
  }
}
