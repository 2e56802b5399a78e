import FencepostCalendarModel
import FencepostRecurrence
import Testing

struct AlarmScheduleTests {
  private typealias Series = OccurrenceSeriesTests
  private static let schedule = AlarmSchedule(resolver: Series.resolver)

  private static func alarm(_ repeatCount: Int, every duration: String) -> Alarm {
    var alarm = Alarm(trigger: .relative(.zero, to: .start))
    alarm.repeatCount = repeatCount
    alarm.repeatInterval = CalendarDuration(text: duration)
    return alarm
  }

  /// Every second since 1990. Unlimited repetitions would all be due now.
  @Test func repetitionsThatNeverEnd() throws {
    var item = try Series.event(try Series.time("19900101T000000Z"), rules: ["FREQ=SECONDLY"])
    item.alarms = [Self.alarm(2_147_483_647, every: "P1W")]
    let after = Instant(seconds: 1_777_593_600)
    let due = Self.schedule.next(in: Series.series(item), after: after)
    #expect(due.map(\.time) == [after.adding(seconds: 1)])
  }

  @Test(
    "REPEAT counts at most a hundred times, within a week",
    arguments: [
      (3, "PT5M", 3, 300.0), (1000, "PT1M", 100, 60), (100, "PT2H", 84, 7200), (5, "P1D", 5, 86_400),
      (9, "P1D", 7, 86_400), (1, "P1W", 1, 604_800), (1, "P8D", 0, 691_200),
    ])
  func repetitions(count: Int, every duration: String, counted: Int, seconds: Double) throws {
    var item = try Series.event(try Series.time("20260101T090000Z"))
    item.alarms = [Self.alarm(count, every: duration)]
    let series = Series.series(item)
    let start = try #require(series.bounds).start
    var times: [Instant] = []
    var after = start.adding(seconds: -1)
    while let next = Self.schedule.next(in: series, after: after).first {
      times.append(next.time)
      after = next.time
    }
    #expect(times == (0...counted).map { start.adding(seconds: Double($0) * seconds) })
  }

  @Test("An answer ends the repetitions of what rang before it, but not those of the next occurrence")
  func answeredRepetitions() throws {
    var item = try Series.event(try Series.time("20260101T090000Z"), rules: ["FREQ=DAILY;COUNT=2"])
    let start = try #require(Series.series(item).bounds).start
    func times(acknowledged: Double) -> [Double] {
      var alarm = Self.alarm(2, every: "PT5M")
      alarm.acknowledged = start.adding(seconds: acknowledged)
      item.alarms = [alarm]
      return Self.schedule.times(of: alarm, ofItem: 0, in: Series.series(item), after: .distantPast)
        .map { $0.time.seconds(since: start) }
    }
    #expect(times(acknowledged: -1) == [0, 300, 600, 86_400, 86_700, 87_000])
    #expect(times(acknowledged: 10) == [86_400, 86_700, 87_000])
    #expect(times(acknowledged: 86_705) == [])
  }

  @Test(
    "Common alarms of a reminder that is due on a day count from the all-day hour",
    arguments: [
      // The offset, and its second of 2 May 2026 in UTC with 9:00 and with 18:00.
      ("PT0S", 32_400, 64_800), ("-PT15M", 31_500, 63_900), ("-P1D", -54_000, -21_600),
      ("-PT24H", -54_000, -21_600), ("-P1W", -572_400, -540_000), ("-P1DT15M", -54_900, -22_500),
      ("P1D", 118_800, 151_200),
      // Nine on the day, the day before and a week before, counted from midnight.
      ("PT9H", 32_400, 32_400), ("-PT15H", -54_000, -54_000 + 64_800),
      ("-P6DT15H", -572_400, -572_400 + 64_800),
    ])
  func wholeDays(offset: String, nine: Int, eighteen: Int) throws {
    let day = CivilDay(year: 2026, month: 5, day: 2)
    let resolver = TimeResolver(floating: .utc)
    let midnight = resolver.instant(of: .date(day))
    let duration = try #require(CalendarDuration(text: offset))
    var item = CalendarItem(
      calendar: Identifier(rawValue: "c"), title: "R", details: .reminder(ReminderDetails(due: .date(day))))
    item.alarms = [
      Alarm(trigger: .relative(duration, to: .start)), Alarm(trigger: .relative(duration, to: .end)),
    ]
    func due(_ item: CalendarItem, _ defaults: AlarmDefaults) -> [Double] {
      AlarmSchedule(resolver: resolver, defaults: defaults)
        .next(in: OccurrenceSeries(item, resolver: resolver), after: .distantPast)
        .map { $0.time.seconds(since: midnight) }
    }
    #expect(due(item, AlarmDefaults()) == [Double(nine), Double(nine)])
    #expect(due(item, AlarmDefaults(allDaySecond: 18 * 3600)) == [Double(eighteen), Double(eighteen)])
    // Alarms of an event count from midnight, with any setting.
    item.details = .event(EventDetails(start: .date(day), end: .date(day.adding(days: 1))))
    item.alarms.removeLast()
    #expect(due(item, AlarmDefaults()) == [Double(duration.nominalSeconds)])
  }

  @Test("Each of many changed occurrences has its own alarm, and no other", arguments: [3, 16, 17, 40])
  func manyDetached(count: Int) throws {
    let start = try Series.time("20260101T090000Z")
    var master = try Series.event(start, rules: ["FREQ=DAILY"])
    master.alarms = [Self.alarm(0, every: "PT1H")]
    var items = [master]
    func time(_ days: Int, hour: Int) -> CalendarTime {
      start.with(civil: CivilDateTime(day: start.civil.day.adding(days: days), secondOfDay: hour * 3_600))
    }
    for day in 1...count {
      // The later of two days goes first.
      var item = try Series.event(time(day + (day % 2 == 0 ? -1 : 1), hour: 10))
      item.uid = master.uid
      item.alarms = master.alarms
      item.detachment = .init(occurrence: time(day, hour: 9))
      items.append(item)
    }
    let series = OccurrenceSeries(items, resolver: Series.resolver)
    for (index, item) in series.items.enumerated().dropFirst() {
      let due = Self.schedule.next(of: item.alarms[0], ofItem: index, in: series, after: .distantPast)
      #expect(due?.time == Series.resolver.instant(of: try #require(item.start)))
    }
    let due = Self.schedule.next(
      of: master.alarms[0], ofItem: 0, in: series, after: Series.resolver.instant(of: start))
    #expect(due?.occurrence?.civil.day == start.civil.day.adding(days: count + 1))
  }

  @Test("A default alarm counts only from the due time")
  func implied() throws {
    let start = try Series.time("20260502T080000Z")
    let due = try Series.time("20260502T100000Z")
    func alarm(_ change: (inout CalendarItem) -> Void) -> Alarm? {
      var item = CalendarItem(
        calendar: Identifier(rawValue: "c"), uid: "u", title: "R",
        details: .reminder(ReminderDetails(start: start, due: due)))
      change(&item)
      return Self.schedule.impliedAlarm(of: item)
    }
    let plain = try #require(alarm { _ in })
    #expect(plain.trigger == .relative(.zero, to: .end) && plain.id.rawValue == "u#due")
    #expect(alarm { $0.reminder?.start = nil }?.trigger == .relative(.zero, to: .start))
    #expect(alarm { $0.reminder?.due = nil } == nil)
    #expect(alarm { $0.reminder?.isCancelled = true } == nil)
    #expect(alarm { $0.alarms = [.silent()] } == nil)
    #expect(alarm { $0.details = .event(EventDetails(start: start, end: due)) } == nil)
    var item = CalendarItem(
      calendar: Identifier(rawValue: "c"), uid: "u", title: "R",
      details: .reminder(ReminderDetails(start: start, due: due)))
    #expect(Self.schedule.next(in: Series.series(item), after: .distantPast).map(\.time) == [due.utcInstant])
    item.alarms = [Alarm(trigger: .relative(.zero, to: .start), action: .other("none"))]
    #expect(Self.schedule.next(in: Series.series(item), after: .distantPast).isEmpty)
  }
}
