import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing
import FencepostTestSupport
import Testing

@testable import FencepostAlarmEngine

@Suite("One value that can't be read silences no other alarm")
struct DamageTests {
  private let fixture: LiveAlarmFixture
  private let damage = Box()

  private final class Box { var texts: [String] = [] }

  init() throws { fixture = try LiveAlarmFixture() }

  private func engine() throws -> LiveAlarmEngine {
    try LiveAlarmEngine(
      store: fixture.store, policy: .exact, resolver: fixture.resolver, devices: fixture.devices, grace: 60,
      channels: { _ in [] }, onDamage: { [damage] in damage.texts.append("\($0)") }, now: fixture.clock.now)
  }

  /// Changes the file as a bad disk does.
  private func flip(_ change: String) throws { try SQLiteFile.run(change, at: fixture.store.path) }

  /// Reminders due a minute apart, from the start.
  private func reminders(_ titles: String...) throws {
    for (minute, title) in titles.enumerated() {
      let due = LiveAlarmFixture.start.adding(seconds: Double(minute + 1) * 60)
      try fixture.reminder(
        title, due: CalendarTime(due), modified: false,
        Alarm(trigger: .relative(CalendarDuration(), to: .start)))
    }
  }

  private static let ofItem = "item = (SELECT row FROM items WHERE title = 'Bad')"

  @Test(
    "An alarm whose due time can't be read in full goes off at it, and the others too",
    arguments: ["occurrence = 'V'", "kind = 'ralative'"], [true, false])
  func dueTime(flip change: String, restarts: Bool) throws {
    try reminders("Bad", "Good")
    var engine = try engine()
    try flip("UPDATE due_times SET \(change) WHERE \(Self.ofItem)")
    if restarts { engine = try self.engine() }
    fixture.clock.advance(by: 200)
    var firings = try engine.wake(at: fixture.clock.now)
    firings += try engine.wake(at: fixture.clock.now)
    #expect(Set(firings.map(\.item.rawValue)) == ["Bad", "Good"])
    #expect(damage.texts.contains { $0.contains("due time") && $0.contains("Bad") })
  }

  @Test("An item that can't be read rings with its title, and the others go off", arguments: [true, false])
  func item(restarts: Bool) throws {
    try reminders("Bad", "Good")
    var engine = try engine()
    try flip("UPDATE items SET end_or_due = 'V' || end_or_due WHERE title = 'Bad'")
    if restarts { engine = try self.engine() }
    fixture.clock.advance(by: 200)
    let firings = try engine.wake(at: fixture.clock.now)
    #expect(firings.map(\.item.rawValue) == ["Bad", "Good"])
    #expect(damage.texts.contains { $0.contains("item Bad") && $0.contains("Restore a backup") })
    let ledger = try fixture.store.read { try $0.firings() }
    #expect(ledger.map { $0.context?.itemTitle } == ["Bad", "Good"])
  }

  @Test("A changed item that can't be read stops neither the follower nor other changes")
  func changedItem() throws {
    try reminders("Bad", "Good")
    let engine = try engine()
    try fixture.store.write { writer in
      guard var item = try writer.reader.item(Identifier(rawValue: "Bad")) else { return }
      item.notes = "changed"
      try writer.save(item)
    }
    try flip("UPDATE items SET end_or_due = 'V' || end_or_due WHERE title = 'Bad'")
    try fixture.reminder("New", LiveAlarmFixture.alarm(at: 300))
    fixture.clock.advance(by: 200)
    var firings = try engine.wake(at: fixture.clock.now)
    fixture.clock.advance(by: 200)
    firings += try engine.wake(at: fixture.clock.now)
    #expect(Set(firings.map(\.item.rawValue)) == ["Bad", "Good", "New"])
  }

  @Test("A fence that can't be read silences no other fence")
  func fence() throws {
    try fixture.reminder("Bad", LiveAlarmFixture.alarm(.enter))
    try fixture.reminder("Good", LiveAlarmFixture.alarm(.enter))
    try flip("UPDATE alarms SET proximity = 99 WHERE \(Self.ofItem)")
    let engine = try engine()
    _ = try engine.process([fixture.fix(1, 5_000)], at: fixture.clock.now)
    let firings = try engine.process([fixture.fix(600, 0)], at: fixture.clock.now)
    #expect(firings.map(\.item.rawValue) == ["Good"])
  }
}
