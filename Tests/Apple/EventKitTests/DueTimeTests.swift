import FencepostAlarmEngine
import FencepostApps
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import Testing

@testable import EventKit

@Suite("Due times")
struct DueTimeTests {
  private func follower(of bench: Bench) throws -> ChangeFollower {
    ChangeFollower(store: try bench.model, schedule: AlarmSchedule(resolver: bench.session.resolver))
  }

  private func dueTimes(of bench: Bench) throws -> [Date] {
    try bench.model.read { try $0.dueTimes(after: .distantPast, limit: 10) }.map { Date($0.time) }
  }

  @Test("A saved alarm is armed, a moved occurrence moves its alarm, and a removed one is disarmed")
  func arming() async throws {
    let bench = try await Bench()
    let event = try bench.event("Choir", "2096-11-02T19:00", "2096-11-02T21:00")
    event.addRecurrenceRule(
      EKRecurrenceRule(recurrenceWith: .weekly, interval: 1, end: EKRecurrenceEnd(occurrenceCount: 4)))
    event.addAlarm(EKAlarm(relativeOffset: -600))
    try bench.store.save(event, span: .futureEvents)
    var follower = try follower(of: bench)
    func due() throws -> [Date] {
      _ = try follower.catchUp(to: bench.session.now)
      return try dueTimes(of: bench)
    }
    #expect(try due() == [try bench.date("2096-11-02T18:50")])
    let first = try #require(try bench.events("2096-11-02", "2096-11-03").first)
    first.startDate = try bench.date("2096-11-03T20:00")
    first.endDate = try bench.date("2096-11-03T22:00")
    try bench.store.save(first, span: .thisEvent)
    #expect(try due() == [try bench.date("2096-11-03T19:50"), try bench.date("2096-11-09T18:50")])
    try bench.store.remove(first, span: .thisEvent)
    #expect(try due() == [try bench.date("2096-11-09T18:50")])
    let rest = try #require(try bench.events("2096-11-09", "2096-11-10").first)
    rest.alarms = nil
    try bench.store.save(rest, span: .futureEvents)
    #expect(try due().isEmpty)
    let reminder = bench.reminder("Milk")
    reminder.dueDateComponents = DateComponents(year: 2096, month: 11, day: 5, hour: 9)
    reminder.addAlarm(EKAlarm(relativeOffset: 0))
    try bench.store.save(reminder, commit: true)
    #expect(try due() == [try bench.date("2096-11-05T09:00")])
    reminder.isCompleted = true
    try bench.store.save(reminder, commit: true)
    #expect(try due().isEmpty)
  }

  @Test("A due alarm that has not gone off stays due when its item is saved")
  func saving() async throws {
    let bench = try await Bench()
    let now = bench.session.now
    var follower = try follower(of: bench)
    _ = try follower.catchUp(to: now.adding(seconds: -120))
    let reminder = bench.reminder("Milk")
    let due = Date(now.adding(seconds: -60))
    reminder.addAlarm(EKAlarm(absoluteDate: due))
    // For the store, the save is a minute before the due time.
    var item = reminder.storedItem
    item.lastModified = now.adding(seconds: -100)
    try bench.model.write { [item] in try $0.save(item) }
    _ = try follower.catchUp(to: now.adding(seconds: -90))
    #expect(try dueTimes(of: bench) == [due])
    let fetched = try #require(await bench.reminders().first)
    fetched.notes = "Oats"
    try bench.store.save(fetched, commit: true)
    _ = try follower.catchUp(to: bench.session.now)
    #expect(try dueTimes(of: bench) == [due])
  }

  @Test("Completing a recurring reminder moves its absolute alarm")
  func absoluteAlarm() async throws {
    let bench = try await Bench()
    let reminder = bench.reminder("Tablet")
    reminder.dueDateComponents = DateComponents(year: 2096, month: 11, day: 5, hour: 9)
    reminder.addRecurrenceRule(EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: nil))
    reminder.addAlarm(EKAlarm(absoluteDate: try bench.date("2096-11-05T08:50")))
    try bench.store.save(reminder, commit: true)
    reminder.isCompleted = true
    try bench.store.save(reminder, commit: true)
    #expect(reminder.dueDateComponents?.day == 6)
    let moved = try bench.date("2096-11-06T08:50")
    #expect(reminder.alarms?.map(\.absoluteDate) == [moved])
    var follower = try follower(of: bench)
    _ = try follower.catchUp(to: bench.session.now)
    #expect(try dueTimes(of: bench) == [moved])
  }

  @Test(
    "A reminder without alarms is due and has none; an explicit silent alarm survives other saves")
  func withoutAlarms() async throws {
    let bench = try await Bench()
    let reminder = bench.reminder("Milk")
    reminder.dueDateComponents = DateComponents(year: 2096, month: 11, day: 5, hour: 9)
    try bench.store.save(reminder, commit: true)
    var follower = try follower(of: bench)
    _ = try follower.catchUp(to: bench.session.now)
    #expect(try dueTimes(of: bench) == [try bench.date("2096-11-05T09:00")])
    #expect(reminder.alarms == nil && !reminder.hasAlarms)
    let id = Identifier<CalendarItem>(rawValue: reminder.calendarItemIdentifier)
    var stored = try #require(try bench.model.read { try $0.item(id) })
    #expect(stored.alarms.isEmpty)
    stored.alarms = [.silent()]
    try bench.model.write { [stored] in try $0.save(stored) }

    let other = bench.another()
    let again = try #require(
      other.calendarItem(withIdentifier: reminder.calendarItemIdentifier) as? EKReminder)
    #expect(again.alarms == nil && !again.hasAlarms && !again.hasChanges)
    #expect(reminder.refresh())
    #expect(reminder.alarms == nil)
    reminder.title = "Cheese"
    try bench.store.save(reminder, commit: true)
    #expect(try bench.model.read { try $0.item(id) }?.alarms == stored.alarms)
    _ = try follower.catchUp(to: bench.session.now)
    #expect(try dueTimes(of: bench).isEmpty)
    reminder.addAlarm(EKAlarm(relativeOffset: -60))
    try bench.store.save(reminder, commit: true)
    #expect(try bench.model.read { try $0.item(id) }?.alarms.count == 1)
    #expect(reminder.alarms?.count == 1)
  }
}
