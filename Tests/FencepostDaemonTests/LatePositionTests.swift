import CalendarModel
import CalendarStore
import FencepostDaemon
import TestSupport
import Testing

/// What a broker had kept, a phone had saved up, or came twice.
@Suite("Positions that come late")
struct LatePositionTests {
  let fixture: DaemonFixture

  init() throws {
    fixture = try DaemonFixture()
    try fixture.reminder("In", DaemonFixture.alarm(.enter))
    try fixture.reminder("Out", DaemonFixture.alarm(.leave))
  }

  /// What goes off when positions come in, one after the other, a day after the first of them was made.
  private func firings(_ fixes: (seconds: Double, metres: Double)...) throws -> [String] {
    let keeper = try fixture.keeper()
    fixture.clock.advance(by: 86_400)
    return try fixes.flatMap { fix in
      DaemonFixture.short(try keeper.take([fixture.fix(fix.seconds, fix.metres)], at: fixture.clock.now))
    }
  }

  @Test("The first position of a device sets where it is, however old it is, and rings nothing")
  func first() throws {
    #expect(try firings((0, 0)) == [])
    #expect(try fixture.ledger().isEmpty)
  }

  @Test("A position that is older than what is known changes nothing")
  func older() throws {
    #expect(try firings((1_000, 5_000), (0, 0), (1_060, 5_000)) == [])
  }

  @Test("A position that comes twice, in a row or after others, counts once")
  func twice() throws {
    #expect(
      try firings((0, 5_000), (600, 0), (600, 0), (0, 5_000), (600, 0), (660, 0)) == ["enter In 588 late"])
  }

  @Test("What happened while the daemon was away goes off once, with its time")
  func away() throws {
    #expect(try firings((0, 5_000)) == [])
    // The daemon starts again, and the broker sends what it has, the last position twice.
    #expect(
      try firings((600, 0), (1_200, 5_000), (1_200, 5_000)) == ["enter In 588 late", "leave Out 612 late"])
    #expect(try firings((1_200, 5_000)) == [])
    #expect(try fixture.ledger().count == 2)
  }
}
