import FencepostCalendarModel
import Testing

@testable import FencepostDaemon

@Suite("Waits on the wall clock")
struct WaitTests {
  @Test(
    "A wait is over at its end, or if the clock shows a time before its start",
    arguments: [(0.0, false), (4.9, false), (5, true), (1e9, true), (-0.1, true), (-1e9, true)])
  func over(seconds: Double, isOver: Bool) {
    let wait = Wait(seconds: 5, from: DaemonFixture.start)
    #expect(wait.isOver(at: DaemonFixture.start.adding(seconds: seconds)) == isOver)
    #expect(wait.end == DaemonFixture.start.adding(seconds: 5))
  }
}
