import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import Testing

@testable import FencepostDaemon

@Suite("Time, positions and changes")
struct KeeperTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture() }

  /// Moves the clock to each due time like the timer, until `seconds` after the start.
  func sleep(_ keeper: AlarmKeeper, until seconds: Double) throws -> [String] {
    let end = DaemonFixture.start.adding(seconds: seconds)
    var firings: [Firing] = []
    while let due = try keeper.nextDue(), due <= end {
      fixture.clock.set(max(due, fixture.clock.now))
      firings += try keeper.wake(at: fixture.clock.now)
    }
    fixture.clock.set(end)
    return DaemonFixture.short(firings + (try keeper.wake(at: end)))
  }

  @Test("The keeper sleeps until the next alarm, and each goes off once, on time")
  func order() throws {
    try fixture.reminder("Milk", DaemonFixture.alarm(at: 60), DaemonFixture.alarm(at: 90))
    try fixture.reminder("Bread", DaemonFixture.alarm(at: 30))
    let keeper = try fixture.keeper()
    #expect(try keeper.nextDue() == DaemonFixture.start.adding(seconds: 30))
    #expect(try sleep(keeper, until: 100) == ["absolute Bread 30", "absolute Milk 60", "absolute Milk 90"])
    #expect(try keeper.nextDue() == nil)
  }

  @Test("A change by another program takes effect at once", arguments: [true, false])
  func change(saysWhenItWasChanged: Bool) throws {
    let keeper = try fixture.keeper()
    #expect(try keeper.nextDue() == nil)
    fixture.clock.advance(by: 10)
    try fixture.reminder("Milk", modified: saysWhenItWasChanged, DaemonFixture.alarm(at: 60))
    try fixture.reminder("Past", modified: saysWhenItWasChanged, DaemonFixture.alarm(at: 2))
    #expect(try keeper.wake(at: fixture.clock.now).isEmpty)
    #expect(try keeper.nextDue() == DaemonFixture.start.adding(seconds: 60))

    fixture.clock.advance(by: 10)
    try fixture.reminder("Milk", modified: saysWhenItWasChanged, DaemonFixture.alarm(at: 40))
    #expect(try keeper.wake(at: fixture.clock.now).isEmpty)
    #expect(try sleep(keeper, until: 100) == ["absolute Milk 40"])
  }

  @Test("A completed or removed reminder stays silent")
  func silenced() throws {
    var item = try fixture.reminder("Milk", DaemonFixture.alarm(at: 60), DaemonFixture.alarm(.enter))
    try fixture.reminder("Bread", DaemonFixture.alarm(at: 60))
    let keeper = try fixture.keeper()
    item.reminder?.isCompleted = true
    try fixture.store.write { [item] writer in
      try writer.save(item)
      try writer.remove(Identifier<CalendarItem>(rawValue: "Bread"))
    }
    #expect(try keeper.take([fixture.fix(0, 500), fixture.fix(10, 0)], at: fixture.clock.now).isEmpty)
    #expect(try sleep(keeper, until: 100).isEmpty)
  }

  @Test("A new fence counts from the next position on")
  func fence() throws {
    let keeper = try fixture.keeper()
    _ = try keeper.take([fixture.fix(0, 500)], at: fixture.clock.now)
    try fixture.reminder("Milk", DaemonFixture.alarm(.enter))
    let firings = try keeper.take([fixture.fix(10, 300), fixture.fix(20, 0)], at: fixture.clock.now)
    #expect(DaemonFixture.short(firings).count == 1)
    #expect(firings.first?.kind == .enter)
  }

  @Test(
    "A missed alarm goes off late and once, together with others of its item; within the grace it is not late"
  )
  func missed() throws {
    try fixture.reminder(
      "Tablet",
      due: .zoned(CivilDateTime(year: 2026, month: 5, day: 2, hour: 9), .init(rawValue: "Europe/Berlin")),
      rule: RecurrenceRule(.daily), Alarm(trigger: .relative(.zero, to: .start)))
    try fixture.reminder("Milk", DaemonFixture.alarm(at: 3_600 + 3 * 86_400 + 30))
    _ = try fixture.keeper()
    fixture.clock.advance(by: 3_600 + 3 * 86_400 + 40)
    let late = try fixture.keeper().wake(at: fixture.clock.now)
    // Three were late by days, the fourth by 40 s. The grace applies to the one that is delivered.
    #expect(
      DaemonFixture.short(late) == [
        "relative Tablet \(3_600 + 3 * 86_400) late +3", "absolute Milk \(3_600 + 3 * 86_400 + 30)",
      ])
    let next = try fixture.keeper()
    #expect(try next.wake(at: fixture.clock.now).isEmpty)
    #expect(try next.nextDue() == DaemonFixture.start.adding(seconds: 3_600 + 4 * 86_400))
  }

  @Test("A missed alarm of each second goes off once, and again after a minute")
  func eachSecond() throws {
    try fixture.reminder(
      "Tick",
      due: .zoned(CivilDateTime(year: 2026, month: 5, day: 2, hour: 8), .init(rawValue: "Europe/Berlin")),
      rule: RecurrenceRule(.secondly), Alarm(trigger: .relative(.zero, to: .start)))
    _ = try fixture.keeper()
    fixture.clock.advance(by: 600.5)
    let keeper = try fixture.keeper()
    #expect(DaemonFixture.short(try keeper.wake(at: fixture.clock.now)) == ["relative Tick 600 late +599"])
    #expect(try keeper.nextDue() == DaemonFixture.start.adding(seconds: 660))
    #expect(try sleep(keeper, until: 720) == ["relative Tick 660", "relative Tick 720"])
  }

  @Test("An alarm that was added while nothing ran goes off, and an edit keeps missed ones")
  func addedMeanwhile() throws {
    var late = try fixture.reminder("Late", DaemonFixture.alarm(at: 100))
    try fixture.keeper().finish(at: fixture.clock.now)
    fixture.clock.advance(by: 200)
    late.title = "Late, renamed"
    late.lastModified = fixture.clock.now
    try fixture.store.write { [late] in try $0.save(late) }
    try fixture.reminder("Past", DaemonFixture.alarm(at: 150))
    try fixture.reminder("Added", DaemonFixture.alarm(at: 250))
    fixture.clock.advance(by: 200)
    let firings = try fixture.keeper().wake(at: fixture.clock.now)
    #expect(DaemonFixture.short(firings) == ["absolute Late 100 late", "absolute Added 250 late"])
  }

  @Test("After a detached occurrence is removed, the series goes off at its time again")
  func detachedRemoved() throws {
    let berlin = TimeZoneID(rawValue: "Europe/Berlin")
    let due = { (hour: Int) in
      CalendarTime.zoned(CivilDateTime(year: 2026, month: 5, day: 2, hour: hour), berlin)
    }
    let alarm = Alarm(trigger: .relative(.zero, to: .start))
    let master = try fixture.reminder("Tablet", due: due(9), rule: RecurrenceRule(.daily), alarm)
    var moved = CalendarItem(
      calendar: fixture.list.id, uid: master.uid, title: "Tablet, later",
      details: .reminder(ReminderDetails(due: due(12))))
    moved.detachment = .init(occurrence: due(9))
    moved.alarms = [.silent()]
    try fixture.store.write { [moved] in try $0.save(moved) }
    let keeper = try fixture.keeper()
    // The next occurrence is tomorrow's, because today's was moved and must stay silent.
    #expect(try keeper.nextDue() == DaemonFixture.start.adding(seconds: 3_600 + 86_400))
    try fixture.store.write { [moved] writer in _ = try writer.remove(moved.id) }
    #expect(try keeper.wake(at: fixture.clock.now).isEmpty)
    #expect(try keeper.nextDue() == DaemonFixture.start.adding(seconds: 3_600))
  }

  @Test("A position from a clock that is ahead does not advance time")
  func future() throws {
    try fixture.reminder("Milk", DaemonFixture.alarm(at: 60))
    let keeper = try fixture.keeper()
    #expect(try keeper.take([fixture.fix(1_000, 0)], at: fixture.clock.now).isEmpty)
    #expect(try sleep(keeper, until: 100) == ["absolute Milk 60"])
  }

  @Test("A clock that is set back repeats nothing; one that is set forward triggers what it skips")
  func clockSet() throws {
    try fixture.reminder("Milk", DaemonFixture.alarm(at: 60), DaemonFixture.alarm(at: 5_000))
    let keeper = try fixture.keeper()
    #expect(try sleep(keeper, until: 100) == ["absolute Milk 60"])
    fixture.clock.set(DaemonFixture.start)
    #expect(try keeper.wake(at: fixture.clock.now).isEmpty)
    #expect(try sleep(keeper, until: 90).isEmpty)
    fixture.clock.set(DaemonFixture.start.adding(seconds: 9_000))
    #expect(DaemonFixture.short(try keeper.wake(at: fixture.clock.now)) == ["absolute Milk 5000 late"])
  }

  @Test("A clock that jumps forward and back loses nothing", arguments: [true, false])
  func jumpedAndCameBack(isRestarted: Bool) throws {
    let berlin = TimeZoneID(rawValue: "Europe/Berlin")
    let alarm = Alarm(trigger: .relative(.zero, to: .start))
    func due(_ hour: Int, second: Int) -> CalendarTime {
      .zoned(CivilDateTime(year: 2026, month: 5, day: 2, hour: hour, minute: 0, second: second), berlin)
    }
    try fixture.reminder("Tablet", due: due(9, second: 0), rule: RecurrenceRule(.daily), alarm)
    var keeper = try fixture.keeper()
    fixture.clock.advance(by: 10 * 86_400)
    #expect(
      DaemonFixture.short(try keeper.wake(at: fixture.clock.now)) == [
        "relative Tablet \(9 * 86_400 + 3_600) late +9"
      ])
    fixture.clock.set(DaemonFixture.start.adding(seconds: 3))
    if isRestarted { keeper = try fixture.keeper() }
    #expect(try keeper.wake(at: fixture.clock.now).isEmpty)
    try fixture.reminder("Soon", due: due(8, second: 17), rule: RecurrenceRule(.daily), alarm)
    #expect(try keeper.wake(at: fixture.clock.now).isEmpty)
    #expect(
      try sleep(keeper, until: 86_500) == ["relative Soon 17", "relative Tablet 3600", "relative Soon 86417"])
    #expect(try sleep(keeper, until: 8 * 86_400).count == 7 + 6)
    // The ninth went off while the clock was wrong.
    #expect(
      try sleep(keeper, until: 11 * 86_400).filter { $0.hasPrefix("relative Tablet") } == [
        "relative Tablet \(8 * 86_400 + 3_600)", "relative Tablet \(10 * 86_400 + 3_600)",
      ])
  }

  @Test("A stay that begins around a clock change ends on time", arguments: [5.0, -5])
  func stayOverClocks(begin: Double) throws {
    try fixture.reminder("Stay", modified: false, DaemonFixture.alarm(.dwell(seconds: 300)))
    let keeper = try fixture.keeper()
    let fixes = [fixture.fix(begin - 4, 500), fixture.fix(begin, 0)]
    fixture.clock.advance(by: 10 * 86_400)
    if begin < 0 { _ = try keeper.take(fixes, at: fixture.clock.now) }
    #expect(try keeper.wake(at: fixture.clock.now).isEmpty)
    fixture.clock.set(DaemonFixture.start.adding(seconds: 6))
    _ = try keeper.take(begin > 0 ? fixes : [], at: fixture.clock.now)
    #expect(try sleep(keeper, until: 290).isEmpty)
    #expect(try sleep(keeper, until: 320).count == 1)
  }

  @Test("A trace that is sent again after a restart adds nothing, wherever it broke off")
  func sentAgain() throws {
    try fixture.reminder("In", DaemonFixture.alarm(.enter))
    try fixture.reminder("Out", DaemonFixture.alarm(.leave))
    try fixture.reminder("Stay", DaemonFixture.alarm(.dwell(seconds: 15)))
    let fixes = (0...60).map { fixture.fix(Double($0), 500 - Double($0) * 20) }
    fixture.clock.advance(by: 60)
    _ = try fixture.keeper().take(fixes, at: fixture.clock.now)
    let undisturbed = try fixture.ledger()
    #expect(undisturbed.count == 2)

    for end in stride(from: 0, through: 60, by: 3) {
      let other = try DaemonFixture()
      try other.reminder("In", DaemonFixture.alarm(.enter))
      try other.reminder("Out", DaemonFixture.alarm(.leave))
      try other.reminder("Stay", DaemonFixture.alarm(.dwell(seconds: 15)))
      other.clock.advance(by: 60)
      _ = try other.keeper().take(Array(fixes[..<end]), at: other.clock.now)
      _ = try other.keeper().take(fixes, at: other.clock.now)
      #expect(try other.ledger() == undisturbed, "broken off after \(end)")
    }
  }

  @Test("A device whose number was reused continues from its stored state")
  func released() throws {
    try fixture.reminder("Home", DaemonFixture.alarm(.leave))
    let keeper = try fixture.keeper()
    func take(_ fix: Fix) throws -> [String] {
      fixture.clock.advance(by: 60)
      return DaemonFixture.short(try keeper.take([fix], at: fixture.clock.now))
    }
    let number = fixture.devices.temporaryNumber(of: "phone")
    #expect(try take(fixture.temporaryFix(60, 0, device: "phone")).isEmpty)
    #expect(fixture.devices.release("phone"))
    keeper.release([number])
    // The state of the first device has no effect on the second.
    #expect(fixture.devices.temporaryNumber(of: "other") == number)
    #expect(try take(fixture.temporaryFix(120, 5_000, device: "other")).isEmpty)
    #expect(try take(fixture.temporaryFix(180, 5_000, device: "phone")).count == 1)
    #expect(try keeper.isKnown("phone") && keeper.isKnown("other") && !keeper.isKnown("nobody"))
    try keeper.erase(["other", "nobody"])
    #expect(try keeper.isKnown("phone") && !keeper.isKnown("other"))
  }
}
