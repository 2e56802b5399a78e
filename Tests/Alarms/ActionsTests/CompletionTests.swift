import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import Testing

@testable import FencepostActions

@Suite("Completing and reopening reminders")
struct CompletionTests {
  private let store: CalendarStore
  private let list: ItemCalendar
  private let resolver = TimeResolver(floating: TimeZoneID(rawValue: "Europe/Berlin"))
  private let now = Instant(seconds: 1_777_701_600)

  init() throws {
    store = try CalendarStore()
    list = try store.write { try $0.defaultCalendar(for: .reminders) }
  }

  private func item(_ change: (inout CalendarItem) -> Void = { _ in }) throws -> CalendarItem {
    let due = CalendarTime.floating(CivilDateTime(year: 2026, month: 5, day: 2, hour: 9, minute: 0))
    var item = CalendarItem(
      calendar: list.id, title: "Pay", details: .reminder(ReminderDetails(due: due)))
    change(&item)
    try store.write { [item] in try $0.save(item) }
    return item
  }

  private func complete(_ item: CalendarItem, isDone: Bool = true, later: Double = 0) throws
    -> CompletionResult
  {
    try store.write {
      try $0.complete(item, isDone: isDone, at: now.adding(seconds: later), resolver: resolver)
    }
  }

  @Test("Its alarms stay, what was snoozed goes, and opened again it is as before")
  func once() throws {
    let alarm = Alarm(trigger: .relative(.zero, to: .start))
    var snoozed = Alarm(trigger: .absolute(now.adding(seconds: 600)))
    snoozed.snoozeOf = alarm.id
    let done = try complete(item { $0.alarms = [alarm, snoozed] })
    #expect(done.isChanged && done.item.reminder?.completed == now && done.occurrence == nil)
    #expect(done.item.alarms == [alarm])
    #expect(try store.read { try $0.item(done.item.id) } == done.item)
    let again = try complete(done.item, later: 60)
    #expect(!again.isChanged && again.item.reminder?.completed == now)
    let open = try complete(done.item, isDone: false, later: 120)
    #expect(open.isChanged && open.item.reminder?.isCompleted == false && open.item.alarms == [alarm])
  }

  @Test("One that repeats moves on, and leaves what was done behind")
  func series() throws {
    let result = try complete(item { $0.recurrence = Recurrence(rules: [RecurrenceRule(.daily)]) })
    #expect(result.item.reminder?.isCompleted == false)
    #expect(result.item.reminder?.due?.day.components.day == 3)
    let occurrence = try #require(result.occurrence)
    #expect(try store.read { try $0.item(occurrence.id) }?.reminder?.isCompleted == true)
  }

  /// A firing of an item, which waits for an answer.
  private func ring(_ item: CalendarItem, _ seconds: Double) throws -> Firing {
    let firing = Firing(
      kind: .relative, time: now.adding(seconds: seconds), alarm: .random(), item: item.id)
    try store.write {
      var step = LedgerStep()
      step.firings = [firing]
      try $0.record(step)
    }
    return firing
  }

  private func waiting() throws -> [Firing] {
    try store.read { try $0.waitingFirings(ofEventsFrom: now, limit: 10).map(\.firing) }
  }

  @Test("Completing answers the alarms that wait, and undo brings both back", arguments: [false, true])
  func waitingAlarms(byAlarm: Bool) throws {
    let (item, other) = (try item(), try item())
    let (first, second) = (try ring(item, -60), try ring(item, -30))
    let left = try ring(other, -10)
    #expect(try waiting() == [left, second, first])
    try store.write(undoableAs: UndoLabel("complete", at: now)) { writer in
      if byAlarm {
        _ = try writer.respond(.complete, to: second.key, at: now, resolver: resolver)
      } else {
        _ = try writer.complete(item, at: now, resolver: resolver)
      }
    }
    #expect(try waiting() == [left])
    let unanswered = try store.read { try $0.firings() }.filter { $0.acknowledged == nil }
    #expect(unanswered.map(\.firing) == [left])
    _ = try store.undo()
    #expect(try waiting() == [left, second, first])
    _ = try store.redo()
    #expect(try waiting() == [left])
    // The ledger forgets old firings, and the step is undone all the same.
    try store.write { try $0.removeFirings(before: now) }
    _ = try store.undo()
    #expect(try store.read { try $0.item(item.id) }?.reminder?.isCompleted == false)
  }

  @Test("Alarms of events wait for a while, and those of removed and completed items not at all")
  func whatWaits() throws {
    let start = CalendarTime.date(CivilDay(year: 2026, month: 5, day: 2))
    let event = try self.item { $0.details = .event(EventDetails(start: start, end: start)) }
    let gone = try self.item()
    let done = try self.item()
    for one in [event, gone, done] { _ = try ring(one, -100) }
    let late = try ring(event, 5)
    try store.write {
      _ = try $0.remove(gone.id)
      var done = done
      done.reminder?.complete(at: now)
      try $0.save(done)
    }
    #expect(try waiting() == [late])
  }

  @Test("Events are not completed, nor what is in a read-only list")
  func refused() throws {
    let start = CalendarTime.date(CivilDay(year: 2026, month: 5, day: 2))
    let event = try item { $0.details = .event(EventDetails(start: start, end: start)) }
    #expect(throws: ActionError.notAReminder(title: "Pay")) { try complete(event) }
    let reminder = try item()
    var closed = list
    closed.allowsContentModifications = false
    try store.write { [closed] in try $0.save(closed) }
    #expect(throws: ActionError.readOnly(list: list.title)) { try complete(reminder) }
  }

  @Test(
    "Names are readable",
    arguments: ["", " ", "a\nb", "a\u{7}", String(repeating: "x", count: 1_001)])
  func names(name: String) throws {
    #expect(throws: ActionError.unusableName(of: "a list")) { try Names.check(name, of: "a list") }
    #expect(throws: ActionError.self) {
      try store.read { try $0.checkListName(name, for: .reminders) }
    }
    #expect(Names.isUsable("Büro 2"))
  }

  @Test("An occurrence that a client has completed as an item of its own is not completed again")
  func completedElsewhere() throws {
    let series = try item { $0.recurrence = Recurrence(rules: [RecurrenceRule(.daily)]) }
    for day in 2...3 {
      let time = CalendarTime.floating(CivilDateTime(year: 2026, month: 5, day: day, hour: 9, minute: 0))
      _ = try item {
        $0.uid = series.uid
        $0.detachment = .init(occurrence: time)
        $0.reminder?.due = time
        if day == 2 { $0.reminder?.complete(at: now) } else { $0.reminder?.isCancelled = true }
      }
    }
    let closed = try store.read { try $0.closedOccurrences(of: series) }
    #expect(closed.map(\.day.components.day) == [2, 3])
    let open = series.atFirstOpenOccurrence(closed: closed, resolver: resolver)
    #expect(open?.reminder?.due?.day.components.day == 4)
    let result = try complete(series)
    #expect(result.occurrence?.reminder?.due?.day.components.day == 4)
    #expect(result.item.reminder?.due?.day.components.day == 5)
    let all = try store.read { try $0.items(in: list.id) }
    #expect(all.filter { $0.reminder?.isCompleted == true }.count == 2)
  }
}
