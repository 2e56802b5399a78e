import FencepostActions
import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import Testing

@Suite("Answers to alarms")
struct ResponseTests {
  let fixture: EngineFixture
  let engine: AlarmEngine

  init() throws {
    fixture = try EngineFixture()
    try fixture.reminder(
      "Tablet", due: EngineFixture.time(9), rule: RecurrenceRule(.daily),
      Alarm(trigger: .relative(.zero, to: .start)))
    var follower = ChangeFollower(store: fixture.store, schedule: AlarmSchedule(resolver: fixture.resolver))
    _ = try follower.catchUp(to: EngineFixture.start)
    engine = try fixture.engine()
  }

  private func after(_ seconds: Double) -> Instant { EngineFixture.start.adding(seconds: seconds) }

  private func item() throws -> CalendarItem {
    try #require(try fixture.store.read { try $0.item(.init(rawValue: "Tablet")) })
  }

  /// Lets time pass, and the due times follow what was said.
  private func advance(to seconds: Double) throws -> [Firing] {
    var follower = ChangeFollower(store: fixture.store, schedule: AlarmSchedule(resolver: fixture.resolver))
    _ = try follower.catchUp(to: engine.now)
    try engine.reload()
    return try engine.advance(to: after(seconds))
  }

  private func respond(_ response: AlarmResponse, to firing: Firing, at seconds: Double) throws {
    let entry = try fixture.store.write {
      try $0.respond(response, to: firing.key, at: after(seconds), resolver: fixture.resolver)
    }
    #expect(entry?.firing == firing)
  }

  @Test("Acknowledged, the alarm says so, and the next occurrence goes off as ever")
  func acknowledge() throws {
    let firing = try #require(try advance(to: 3_600).first)
    try respond(.acknowledge, to: firing, at: 3_700)
    #expect(try item().alarms.map(\.acknowledged) == [after(3_700)])
    #expect(try fixture.store.read { try $0.firing(key: firing.key) }?.acknowledged == after(3_700))
    #expect(EngineFixture.short(try advance(to: 2 * 86_400)) == ["relative Tablet \(86_400 + 3_600)"])
  }

  @Test("Snoozed, it goes off again at its time, once; snoozed again, in place of the first time")
  func snooze() throws {
    let firing = try #require(try advance(to: 3_600).first)
    let original = try item().alarms[0].id
    try respond(.snooze(until: after(4_000)), to: firing, at: 3_700)
    #expect(try item().alarms.map(\.snoozeOf) == [nil, original])
    let second = try #require(try advance(to: 4_000).first)
    #expect(EngineFixture.short([second]) == ["absolute Tablet 4000"])

    try respond(.snooze(until: after(5_000)), to: second, at: 4_100)
    #expect(try item().alarms.map(\.snoozeOf) == [nil, original])
    try respond(.snooze(until: after(6_000)), to: second, at: 4_200)
    #expect(try item().alarms.map(\.snoozeOf) == [nil, original])
    #expect(EngineFixture.short(try advance(to: 80_000)) == ["absolute Tablet 6000"])
  }

  @Test("Acknowledging what was snoozed ends the snooze")
  func acknowledgeSnoozed() throws {
    let firing = try #require(try advance(to: 3_600).first)
    try respond(.snooze(until: after(4_000)), to: firing, at: 3_700)
    try respond(.acknowledge, to: firing, at: 3_800)
    #expect(try item().alarms.count == 1)
    #expect(try advance(to: 80_000).isEmpty)
  }

  @Test("Done, a recurring reminder moves on")
  func complete() throws {
    let firing = try #require(try advance(to: 3_600).first)
    try respond(.complete, to: firing, at: 3_700)
    #expect(try item().reminder?.due == EngineFixture.time(9, day: 1))
    #expect(EngineFixture.short(try advance(to: 2 * 86_400)) == ["relative Tablet \(86_400 + 3_600)"])
  }

  @Test("Done elsewhere in the meantime, it does not move on once more")
  func completeTwice() throws {
    let firing = try #require(try advance(to: 3_600).first)
    _ = try fixture.store.write { [item = try item()] in
      try $0.complete(item, at: after(3_650), resolver: fixture.resolver)
    }
    try respond(.complete, to: firing, at: 3_700)
    #expect(try item().reminder?.due == EngineFixture.time(9, day: 1))
    let completed = try fixture.store.read { try $0.completedReminders(calendars: [fixture.list.id]) }
    #expect(completed.count == 1)
  }

  @Test("What the ledger does not have can't be answered")
  func unknown() throws {
    let entry = try fixture.store.write {
      try $0.respond(.acknowledge, to: "nothing", at: after(0), resolver: fixture.resolver)
    }
    #expect(entry == nil)
  }

  @Test("What went off can be put off though its alarm is gone")
  func snoozeOfWhatIsGone() throws {
    let firing = try #require(try advance(to: 3_600).first)
    let original = try item().alarms[0].id
    try respond(.snooze(until: after(4_000)), to: firing, at: 3_700)
    let second = try #require(try advance(to: 4_000).first)
    try respond(.acknowledge, to: second, at: 4_050)
    try respond(.snooze(until: after(5_000)), to: second, at: 4_100)
    #expect(try item().alarms.map(\.snoozeOf) == [nil, original])
    #expect(EngineFixture.short(try advance(to: 6_000)) == ["absolute Tablet 5000"])

    var bare = try item()
    bare.alarms = []
    try fixture.store.write { [bare] in try $0.save(bare) }
    try respond(.snooze(until: after(7_000)), to: second, at: 6_100)
    #expect(try item().alarms.map(\.snoozeOf) == [nil])
    #expect(EngineFixture.short(try advance(to: 8_000)) == ["absolute Tablet 7000"])
  }

  @Test("What was put off is told as what it was, however often, by its kind, time, place and device")
  func snoozedCrossing() throws {
    try fixture.reminder("Bread", EngineFixture.alarm(.enter))
    let entered = try #require(try engine.process([fixture.fix(0, -300), fixture.fix(60, 0)]).first)
    func snooze(_ firing: Firing, at seconds: Double, until later: Double) throws -> LedgerEntry {
      try respond(.snooze(until: after(later)), to: firing, at: seconds)
      let again = try #require(try advance(to: later).first { $0.item == entered.item })
      #expect(again.kind == .absolute)
      return try #require(try fixture.store.read { try $0.firing(key: again.key) })
    }
    let second = try snooze(entered, at: 100, until: 700)
    let third = try snooze(second.firing, at: 800, until: 1_400)
    for entry in [second, third] {
      #expect(entry.originalKind == .enter)
      #expect(
        entry.context?.snoozed
          == SnoozedFiring(
            kind: .enter, key: entered.key, time: entered.time, place: "Place", device: "phone"))
      let line = FiringJSON(resolver: fixture.resolver).line(entry)
      #expect(line.contains(#""kind":"absolute""#))
      #expect(line.contains(#""snoozed":{"kind":"enter","time":"2026-05-02T08:00:"#))
      #expect(line.contains(#""place":{"title":"Place"},"device":"phone"}"#))
    }
  }

  @Test("What another program put off is told as what it names", arguments: [true, false])
  func snoozedElsewhere(isKnown: Bool) throws {
    let alarm = EngineFixture.alarm(.leave)
    var item = try fixture.reminder("Bread", alarm)
    if isKnown { _ = try engine.process([fixture.fix(0, 0), fixture.fix(60, 300)]) }
    var later = Alarm(trigger: .absolute(after(1_000)))
    later.snoozeOf = alarm.id
    item.alarms.append(later)
    try fixture.store.write { [item] in try $0.save(item) }
    let fired = try #require(try advance(to: 1_000).first { $0.item == item.id })
    let snoozed = try fixture.store.read { try $0.firing(key: fired.key) }?.context?.snoozed
    #expect(snoozed?.kind == .leave && snoozed?.place == "Place")
    #expect((snoozed?.key != nil) == isKnown)
  }

  @Test("A firing tells start, due, place, notes and URL of the occurrence")
  func firingDetails() throws {
    var item = try fixture.reminder(
      "Choir", due: EngineFixture.time(11), rule: RecurrenceRule(.daily),
      Alarm(trigger: .relative(.zero, to: .start)))
    item.reminder?.start = EngineFixture.time(10)
    item.location = "Town hall"
    item.notes = "Bring\nthe scores" + String(repeating: "!", count: 5_000)
    item.url = "https://example.org/"
    try fixture.store.write { [item] in try $0.save(item) }
    let fired = try advance(to: 86_400 + 7_200).filter { $0.item == item.id }
    #expect(fired.count == 2)
    let entry = try #require(try fixture.store.read { try $0.firing(key: fired[1].key) })
    let details = try #require(entry.context?.details)
    #expect(details.start == EngineFixture.time(10, day: 1))
    #expect(details.end == EngineFixture.time(11, day: 1))
    #expect(details.notes?.count == FiringDetails.maximumCharacters)
    let line = FiringJSON(resolver: fixture.resolver).line(entry)
    let expected =
      #""list":"Reminders","start":"2026-05-03T10:00:00+02:00","due":"2026-05-03T11:00:00+02:00","#
      + #""location":"Town hall","notes":"Bring\nthe scores!!"#
    #expect(line.contains(expected), "\(line)")
    #expect(line.contains(#""url":"https://example.org/""#))
  }
}
