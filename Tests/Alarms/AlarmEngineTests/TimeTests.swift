import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing
import FencepostRecurrence
import Testing

@Suite("Alarms of time")
struct TimeTests {
  @Test("They go off between the fixes, in the order of their times")
  func order() throws {
    let fixture = try EngineFixture()
    try fixture.reminder(
      "Absolute", Alarm(trigger: .absolute(EngineFixture.start.adding(seconds: 25))))
    try fixture.reminder(
      "Due", due: EngineFixture.time(8, 1),
      Alarm(trigger: .relative(CalendarDuration(seconds: -30), to: .start)))
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    let firings = try fixture.dryRun().process(ProximityTests.pass(fixture))
    #expect(EngineFixture.short(firings) == ["enter In 20", "absolute Absolute 25", "relative Due 30"])
  }

  @Test("What was due before the trace begins is past, what is due as it begins is not")
  func beginning() throws {
    let fixture = try EngineFixture()
    try fixture.reminder("Past", Alarm(trigger: .absolute(EngineFixture.start.adding(seconds: -0.001))))
    try fixture.reminder("Now", Alarm(trigger: .absolute(EngineFixture.start)))
    let engine = try fixture.dryRun()
    #expect(
      EngineFixture.short(try engine.advance(to: EngineFixture.start.adding(seconds: 1))) == [
        "absolute Now 0"
      ])
  }

  @Test(
    "A recurring one goes off at each occurrence of a trace's gap, on the wall clock",
    arguments: [
      (RecurrenceRule.Frequency.daily, Array(stride(from: 3600, through: 259_200, by: 86_400))),
      (.weekly, [3600]), (.hourly, Array(stride(from: 3600, through: 259_200, by: 3600))),
    ])
  func recurring(frequency: RecurrenceRule.Frequency, expected: [Int]) throws {
    let fixture = try EngineFixture()
    try fixture.reminder(
      "Tablet", due: EngineFixture.time(9), rule: RecurrenceRule(frequency),
      Alarm(trigger: .relative(.zero, to: .start)))
    let firings = try fixture.dryRun().process([fixture.fix(0, -500), fixture.fix(3 * 86_400, -500)])
    #expect(EngineFixture.short(firings) == expected.map { "relative Tablet \($0)" })
    #expect(firings.allSatisfy { $0.occurrence != nil && !$0.isLate })
  }

  @Test("After a leap of the clock over years, each goes off once", arguments: [2027, 9999])
  func leap(year: Int) throws {
    let fixture = try EngineFixture()
    for (number, rule) in [RecurrenceRule(.daily), RecurrenceRule(.minutely), nil].enumerated() {
      try fixture.reminder(
        "\(number)", due: EngineFixture.time(9), rule: rule, Alarm(trigger: .relative(.zero, to: .start)))
    }
    let then = Double(CivilDay(year: year, month: 12, day: 1).dayNumber) * 86_400
    let seconds = then - EngineFixture.start.secondsSince1970
    let firings = try fixture.dryRun().process([
      fixture.fix(0, -500), fixture.fix(seconds, -500), fixture.fix(seconds + 10, -501),
    ])
    #expect(firings.map(\.item.rawValue).sorted() == ["0", "1", "2"])
    #expect(firings.allSatisfy { $0.isLate })
  }

  @Test("Times at both ends of what a clock can say do no harm", arguments: [Policy.exact, .robust])
  func ends(policy: Policy) throws {
    let fixture = try EngineFixture()
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    let times = [Int64.min, -9_100_000_000_000_000_000, 0, 9_100_000_000_000_000_000, .max]
    let fixes = (times + times).enumerated().map { index, time in
      var fix = fixture.fix(0, Double(index % 2) * 500)
      fix.time = Instant(microseconds: time)
      return fix
    }
    let engine = try fixture.dryRun(policy: policy)
    _ = try engine.process(fixes)
    #expect(engine.counts.admissions.fixes == fixes.count)
  }

  @Test(
    "A recurring one goes off once a minute at most, and repetitions of another as they are asked for",
    arguments: [
      (RecurrenceRule(.secondly), 0, [60, 120, 180, 240]),
      (RecurrenceRule(.secondly, interval: 45), 0, [60, 150, 240]),
      (RecurrenceRule(.minutely), 0, [60, 120, 180, 240]),
      (RecurrenceRule(.daily), 20, [60, 120, 180, 240]),
      (nil, 4, [60, 70, 80, 90, 100]),
    ])
  func rest(rule: RecurrenceRule?, repetitions: Int, expected: [Int]) throws {
    let fixture = try EngineFixture()
    var alarm = Alarm(trigger: .relative(.zero, to: .start))
    alarm.repeatCount = repetitions
    alarm.repeatInterval = CalendarDuration(seconds: 10)
    try fixture.reminder("Tick", due: EngineFixture.time(8, 1), rule: rule, alarm)
    let engine = try fixture.dryRun()
    var firings: [Firing] = []
    for second in 0..<300 {
      firings += try engine.advance(to: EngineFixture.start.adding(seconds: Double(second)))
    }
    #expect(EngineFixture.short(firings) == expected.map { "relative Tick \($0)" })
  }

  @Test("Nine o'clock stays nine o'clock when the clocks change")
  func daylightSaving() throws {
    let fixture = try EngineFixture()
    let berlin = EngineFixture.berlin
    // The clocks of Berlin go back on 25 October 2026.
    let due = CalendarTime.zoned(CivilDateTime(year: 2026, month: 10, day: 24, hour: 9), berlin)
    try fixture.reminder(
      "Tablet", due: due, rule: RecurrenceRule(.daily, end: .count(2)),
      Alarm(trigger: .relative(CalendarDuration(days: -1), to: .start)),
      Alarm(trigger: .relative(CalendarDuration(seconds: -86_400), to: .start)))
    let start = fixture.resolver.instant(of: due).adding(seconds: -3 * 86_400)
    let firings = try fixture.dryRun(start: start).advance(to: start.adding(seconds: 10 * 86_400))
    let civil = firings.map { fixture.resolver.floating.civil(at: $0.time).description }
    // A nominal day before nine is nine; 24 hours before the later nine is ten, in summer time.
    #expect(
      civil == [
        "2026-10-23T09:00:00", "2026-10-23T09:00:00", "2026-10-24T09:00:00", "2026-10-24T10:00:00",
      ])
  }

  @Test("An alarm goes off again as often as it says")
  func repetition() throws {
    let fixture = try EngineFixture()
    var alarm = Alarm(trigger: .absolute(EngineFixture.start.adding(seconds: 60)))
    alarm.repeatCount = 2
    alarm.repeatInterval = CalendarDuration(seconds: 300)
    try fixture.reminder("Oven", alarm)
    let firings = try fixture.dryRun().advance(to: EngineFixture.start.adding(seconds: 86_400))
    #expect(EngineFixture.short(firings) == ["absolute Oven 60", "absolute Oven 360", "absolute Oven 660"])
  }

  @Test("What was acknowledged, completed, cancelled or passed its last occurrence is silent")
  func silent() throws {
    let fixture = try EngineFixture()
    let soon = EngineFixture.start.adding(seconds: 60)
    var acknowledged = Alarm(trigger: .absolute(soon))
    acknowledged.acknowledged = soon
    try fixture.reminder("Acknowledged", acknowledged)
    var done = try fixture.reminder("Done", Alarm(trigger: .absolute(soon)))
    done.reminder?.isCompleted = true
    var event = CalendarItem(
      id: .init(rawValue: "Cancelled"), calendar: fixture.calendar.id, title: "Cancelled",
      details: .event(
        EventDetails(start: EngineFixture.time(9), end: EngineFixture.time(10), status: .cancelled)))
    event.alarms = [Alarm(trigger: .relative(.zero, to: .start))]
    try fixture.store.write { [done, event] writer in
      try writer.save(done)
      try writer.save(event)
    }
    try fixture.reminder(
      "Over", due: EngineFixture.time(7), rule: RecurrenceRule(.daily, end: .count(1)),
      Alarm(trigger: .relative(.zero, to: .start)))
    #expect(try fixture.dryRun().advance(to: EngineFixture.start.adding(seconds: 7 * 86_400)).isEmpty)
  }

  @Test("A detached occurrence has alarms of its own, in the place of the series'")
  func detached() throws {
    let fixture = try EngineFixture()
    let series = try fixture.reminder(
      "Series", due: EngineFixture.time(9), rule: RecurrenceRule(.daily, end: .count(3)),
      Alarm(trigger: .relative(.zero, to: .start)))
    var moved = series
    moved.id = .init(rawValue: "Moved")
    moved.recurrence = nil
    moved.detachment = .init(occurrence: EngineFixture.time(9, day: 1))
    moved.reminder?.due = EngineFixture.time(11, day: 1)
    moved.alarms = [Alarm(trigger: .relative(CalendarDuration(seconds: -60), to: .start))]
    try fixture.store.write { [moved] in try $0.save(moved) }
    let firings = try fixture.dryRun().advance(to: EngineFixture.start.adding(seconds: 7 * 86_400))
    #expect(
      EngineFixture.short(firings) == [
        "relative Series 3600", "relative Moved \(86_400 + 3 * 3600 - 60)",
        "relative Series \(2 * 86_400 + 3600)",
      ])
  }

  @Test("Alarms of two items that a file gave one identifier both go off at the same moment")
  func sameIdentifier() throws {
    let fixture = try EngineFixture()
    let alarm = Alarm(
      id: .init(rawValue: "SAME"), trigger: .absolute(EngineFixture.start.adding(seconds: 60)))
    try fixture.reminder("One", alarm)
    try fixture.reminder("Two", alarm)
    let firings = try fixture.dryRun().advance(to: EngineFixture.start.adding(seconds: 60))
    #expect(Set(EngineFixture.short(firings)) == ["absolute One 60", "absolute Two 60"])
  }

  @Test("Of more missed occurrences than anybody counts, one goes off, and then the next one that comes")
  func maximumFolded() throws {
    let fixture = try EngineFixture()
    try fixture.reminder(
      "Tick", due: EngineFixture.time(9), rule: RecurrenceRule(.secondly),
      Alarm(trigger: .relative(.zero, to: .start)))
    var follower = ChangeFollower(store: fixture.store, schedule: AlarmSchedule(resolver: fixture.resolver))
    _ = try follower.catchUp(to: EngineFixture.start)
    let engine = try fixture.engine(clock: .wall(lateAfter: 60))
    let firings = try engine.advance(to: EngineFixture.start.adding(seconds: 3_600 + 20_000.5))
    #expect(EngineFixture.short(firings) == ["relative Tick 13600 late +10000"])
    #expect(try engine.nextDue() == EngineFixture.start.adding(seconds: 3_600 + 20_001))
  }

  @Test(
    "The times of an alarm are those that are found one by one",
    arguments: [
      (CalendarDuration(seconds: -600), Alarm.Edge.start), (CalendarDuration(days: -1), .start),
      (CalendarDuration(days: 1, seconds: 30), .end), (CalendarDuration(seconds: 0), .end),
    ])
  func sequence(offset: CalendarDuration, edge: Alarm.Edge) throws {
    let fixture = try EngineFixture()
    // Over the end of summer time, with repetitions that reach into one another.
    let berlin = EngineFixture.berlin
    var item = CalendarItem(
      calendar: fixture.calendar.id, title: "Shift",
      details: .event(
        EventDetails(
          start: .zoned(CivilDateTime(year: 2026, month: 10, day: 24, hour: 1, minute: 30), berlin),
          end: .zoned(CivilDateTime(year: 2026, month: 10, day: 24, hour: 3, minute: 0), berlin))))
    item.recurrence = Recurrence(rules: [RecurrenceRule(.hourly, end: .count(60))])
    var alarm = Alarm(trigger: .relative(offset, to: edge))
    alarm.repeatCount = 5
    alarm.repeatInterval = CalendarDuration(seconds: 2_500)
    item.alarms = [alarm]
    let series = OccurrenceSeries([item], resolver: fixture.resolver)
    let schedule = AlarmSchedule(resolver: fixture.resolver)
    let times = Array(schedule.times(of: alarm, ofItem: 0, in: series, after: .distantPast))
    var bases: Set<Instant> = []
    for occurrence in series.occurrences {
      let time = edge == .start ? occurrence.start : occurrence.end
      let moved = CivilDateTime(
        day: time.civil.day.adding(days: offset.days), secondOfDay: time.civil.secondOfDay)
      let base = fixture.resolver.instant(of: .zoned(moved, berlin)).adding(seconds: Double(offset.seconds))
      for repetition in 0...5 { bases.insert(base.adding(seconds: Double(repetition) * 2_500)) }
    }
    #expect(times.map(\.time) == bases.sorted())
    for (one, next) in zip(times, times.dropFirst()) {
      #expect(schedule.next(of: alarm, ofItem: 0, in: series, after: one.time)?.time == next.time)
    }
  }
}
