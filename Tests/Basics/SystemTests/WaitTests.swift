import FencepostSpatiotemporal
import Testing

@testable import FencepostSystem

@Suite("Waits on the wall clock")
struct WaitTests {
  private static let start = Instant(seconds: 1_777_701_600)

  @Test(
    "A wait is over at its end, or if the clock shows a time before its start",
    arguments: [(0.0, false), (4.9, false), (5, true), (1e9, true), (-0.1, true), (-1e9, true)])
  func over(seconds: Double, isOver: Bool) {
    let wait = Wait(seconds: 5, from: Self.start)
    #expect(wait.isOver(at: Self.start.adding(seconds: seconds)) == isOver)
    #expect(wait.end == Self.start.adding(seconds: 5))
  }
}
