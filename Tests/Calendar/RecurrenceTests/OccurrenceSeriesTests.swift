import FencepostCalendarModel
import FencepostRecurrence
import FencepostTestSupport
import Testing

/// The occurrences of items with rules, dates, exceptions and detached items.
struct OccurrenceSeriesTests {
  static let resolver = TimeResolver(
    zones: TimeZoneDatabase(), floating: TimeZoneID(rawValue: "Europe/Berlin"))

  static func time(_ text: String, _ zone: String? = nil) throws -> CalendarTime {
    let time = try #require(CalendarTime(basicText: text))
    if case .floating(let civil) = time, let zone { return .zoned(civil, TimeZoneID(rawValue: zone)) }
    return time
  }

  static func event(
    _ start: CalendarTime, _ end: CalendarTime? = nil, rules: [String] = [], dates: [CalendarTime] = [],
    except: [CalendarTime] = [], exceptionRules: [String] = [], title: String = "A"
  ) throws -> CalendarItem {
    var item = CalendarItem(
      calendar: Identifier(rawValue: "c"), uid: "u", title: title,
      details: .event(EventDetails(start: start, end: end ?? start)))
    item.recurrence = Recurrence(
      rules: try rules.map { try RecurrenceRule(text: $0) }, dates: dates.map { .init(start: $0) },
      exceptionDates: except, exceptionRules: try exceptionRules.map { try RecurrenceRule(text: $0) })
    return item
  }

  static func series(_ items: CalendarItem...) -> OccurrenceSeries {
    OccurrenceSeries(items, resolver: resolver)
  }

  static func starts(_ series: OccurrenceSeries, _ count: Int = 50) -> [String] {
    series.occurrences.prefix(count).map { CalendarTime($0.startInstant).basicText }
  }

  @Test("nine in the morning stays nine when the clocks change")
  func wallClock() throws {
    let series = Self.series(
      try Self.event(
        try Self.time("20250329T090000", "Europe/Berlin"), try Self.time("20250329T103000", "Europe/Berlin"),
        rules: ["FREQ=DAILY;COUNT=3"]))
    #expect(Self.starts(series) == ["20250329T080000Z", "20250330T070000Z", "20250331T070000Z"])
    let last = try #require(Array(series.occurrences).last)
    #expect(last.start == (try Self.time("20250331T090000", "Europe/Berlin")))
    #expect(last.end == (try Self.time("20250331T103000", "Europe/Berlin")))
    #expect(last.recurrenceID == last.start)
    #expect(last.item == 0 && !last.isDetached && !last.isCancelled)
  }

  @Test(
    "whole days ignore hours, minutes and seconds of a rule",
    arguments: [
      ("FREQ=DAILY;BYMINUTE=1,2;COUNT=3", ["20250301", "20250302", "20250303"]),
      ("FREQ=DAILY;BYHOUR=9,17;BYSETPOS=1;COUNT=2", ["20250301", "20250302"]),
      ("FREQ=HOURLY;COUNT=3", ["20250301", "20250302", "20250303"]),
      ("FREQ=HOURLY;INTERVAL=48;COUNT=2", ["20250301", "20250303"]),
      ("FREQ=MINUTELY;INTERVAL=90;BYDAY=SA,SU;COUNT=3", ["20250301", "20250302", "20250308"]),
      ("FREQ=SECONDLY;BYHOUR=9;COUNT=2", ["20250301", "20250302"]),
      ("FREQ=MONTHLY;BYHOUR=9;BYMINUTE=30;BYSECOND=5;COUNT=3", ["20250301", "20250401", "20250501"]),
    ])
  func wholeDays(rule: String, starts: [String]) throws {
    let item = try Self.event(try Self.time("20250301"), rules: [rule])
    #expect(Self.series(item).occurrences.prefix(9).map(\.start.basicText) == starts)
    let excepted = try Self.event(
      try Self.time("20250301"), rules: ["FREQ=DAILY;COUNT=4"], exceptionRules: [rule])
    #expect(Self.series(excepted).occurrences.allSatisfy { !starts.contains($0.start.basicText) })
  }

  /// A detached occurrence like ``event(_:_:rules:dates:except:exceptionRules:title:)``.
  private static func override(
    _ occurrence: String, _ start: String, rules: [String] = [], title: String = "B"
  ) throws -> CalendarItem {
    var item = try event(try time(start), rules: rules, title: title)
    item.detachment = .init(occurrence: try time(occurrence))
    return item
  }

  @Test("a recurring detached item without its master is a series")
  func orphans() throws {
    let weekly = try Self.override(
      "20250303T090000Z", "20250303T100000Z", rules: ["FREQ=WEEKLY;COUNT=3"])
    #expect(
      Self.starts(Self.series(weekly)) == ["20250303T100000Z", "20250310T100000Z", "20250317T100000Z"])
    // Other items are for its occurrences, or for themselves.
    let moved = try Self.override("20250310T100000Z", "20250311T120000Z")
    let alone = try Self.override("20250101T100000Z", "20250101T110000Z")
    #expect(
      Self.starts(Self.series(moved, weekly, alone))
        == ["20250101T110000Z", "20250303T100000Z", "20250311T120000Z", "20250317T100000Z"])
    // Two of them are two series.
    let daily = try Self.override("20250310T090000Z", "20250312T090000Z", rules: ["FREQ=DAILY;COUNT=2"])
    #expect(
      Self.starts(Self.series(weekly, daily)) == [
        "20250303T100000Z", "20250310T100000Z", "20250312T090000Z", "20250313T090000Z", "20250317T100000Z",
      ])
    let series = try #require(EditableSeries([alone, weekly], resolver: Self.resolver))
    #expect(series.master == weekly && series.detached == [alone])
  }

  @Test("a recurring detached item with its master is a single occurrence")
  func repeatingOverride() throws {
    let master = try Self.event(try Self.time("20250303T090000Z"), rules: ["FREQ=DAILY;COUNT=3"])
    let odd = try Self.override("20250304T090000Z", "20250304T110000Z", rules: ["FREQ=DAILY"])
    for items in [[master, odd], [odd, master]] {
      #expect(
        Self.starts(OccurrenceSeries(items, resolver: Self.resolver))
          == ["20250303T090000Z", "20250304T110000Z", "20250305T090000Z"])
    }
  }

  @Test("very many of them are quick")
  func manyOrphans() throws {
    let items = try (0..<3_000).map { index in
      let day = CivilDay(year: 2025, month: 1, day: 1).adding(days: index)
      let start = CalendarTime.utc(CivilDateTime(day: day, secondOfDay: 0)).basicText
      return try Self.override(start, start, rules: ["FREQ=YEARLY;COUNT=2"])
    }
    let count = OccurrenceSeries(items, resolver: Self.resolver).occurrences.reduce(0) { count, _ in count + 1
    }
    // Some are for occurrences of others.
    #expect(count == 3_000)
  }

  @Test("an event over the clock change keeps its duration")
  func exactLength() throws {
    let series = Self.series(
      try Self.event(
        try Self.time("20250328T230000", "Europe/Berlin"), try Self.time("20250329T070000", "Europe/Berlin"),
        rules: ["FREQ=DAILY;COUNT=3"]))
    #expect(
      series.occurrences.map(\.end.basicText) == ["20250329T070000", "20250330T080000", "20250331T070000"])
    #expect(series.occurrences.allSatisfy { $0.endInstant.seconds(since: $0.startInstant) == 8 * 3600 })
  }

  @Test("skipped and repeated local times")
  func gaps() throws {
    let gap = Self.series(
      try Self.event(try Self.time("20250329T023000", "Europe/Berlin"), rules: ["FREQ=DAILY;COUNT=3"]))
    #expect(Self.starts(gap) == ["20250329T013000Z", "20250330T013000Z", "20250331T003000Z"])
    #expect(gap.occurrences.map(\.start.basicText)[1] == "20250330T033000")
    #expect(gap.occurrences.map { $0.recurrenceID?.basicText }[1] == "20250330T023000")
    // Every half hour: the skipped times equal those of the next hour. Each instant comes once, in order.
    let hourly = Self.series(
      try Self.event(
        try Self.time("20250330T010000", "Europe/Berlin"), rules: ["FREQ=MINUTELY;INTERVAL=30;COUNT=8"]))
    #expect(
      Self.starts(hourly) == [
        "20250330T000000Z", "20250330T003000Z", "20250330T010000Z", "20250330T013000Z", "20250330T020000Z",
        "20250330T023000Z",
      ])
    // Every 40 minutes they lie between them.
    let odd = Self.series(
      try Self.event(
        try Self.time("20250330T014000", "Europe/Berlin"), rules: ["FREQ=MINUTELY;INTERVAL=40;COUNT=5"]))
    #expect(
      Self.starts(odd) == [
        "20250330T004000Z", "20250330T010000Z", "20250330T012000Z", "20250330T014000Z", "20250330T022000Z",
      ])
    // The same if a detached item moved them there.
    let early = try Self.event(
      try Self.time("20250330T000000", "Europe/Berlin"), rules: ["FREQ=MINUTELY;INTERVAL=40;COUNT=7"])
    var moved = try Self.event(try Self.time("20250330T014000", "Europe/Berlin"))
    moved.recurrence = nil
    moved.detachment = .init(occurrence: try Self.time("20250330T004000", "Europe/Berlin"), andFuture: true)
    #expect(
      Self.starts(Self.series(early, moved)) == [
        "20250329T230000Z", "20250330T004000Z", "20250330T010000Z", "20250330T012000Z", "20250330T014000Z",
        "20250330T022000Z", "20250330T030000Z",
      ])
    let overlap = Self.series(
      try Self.event(try Self.time("20251025T023000", "Europe/Berlin"), rules: ["FREQ=DAILY;COUNT=3"]))
    #expect(Self.starts(overlap) == ["20251025T003000Z", "20251026T003000Z", "20251027T013000Z"])
  }

  @Test("UNTIL as a day, local and in UTC, with and without a time of day")
  func until() throws {
    for (until, count) in [
      ("20250703T070000Z", 3), ("20250703T065959Z", 2), ("20250703T090000", 3), ("20250703T085959", 2),
      ("20250703", 3), ("20250630", 0),
    ] {
      let timed = Self.series(
        try Self.event(
          try Self.time("20250701T090000", "Europe/Berlin"), rules: ["FREQ=DAILY;UNTIL=\(until)"]))
      #expect(Self.starts(timed).count == count, "\(until)")
    }
    for until in ["20250703", "20250703T000000Z", "20250703T215959Z"] {
      let wholeDays = Self.series(
        try Self.event(try Self.time("20250701"), rules: ["FREQ=DAILY;UNTIL=\(until)"]))
      #expect(Self.starts(wholeDays).count == 3, "\(until)")
    }
    // The second pass of a repeated hour: half past two, which means the first pass, is before it.
    let twice = Self.series(
      try Self.event(
        try Self.time("20251025T023000", "Europe/Berlin"), rules: ["FREQ=DAILY;UNTIL=20251026T011500Z"]))
    #expect(Self.starts(twice).count == 2)
  }

  /// 30 March 2025: Berlin's clocks go from two to three, at 01:00 UTC. Half past two is 01:30 UTC.
  @Test(
    "UNTIL in UTC within the hour after a gap",
    arguments: [
      ("20250330T005959Z", ["20250329T013000Z"]),
      ("20250330T010000Z", ["20250329T013000Z"]),
      ("20250330T012959Z", ["20250329T013000Z"]),
      ("20250330T013000Z", ["20250329T013000Z", "20250330T013000Z"]),
      ("20250330T020000Z", ["20250329T013000Z", "20250330T013000Z"]),
    ])
  func untilAfterGap(until: String, starts: [String]) throws {
    let start = try Self.time("20250329T023000", "Europe/Berlin")
    let series = Self.series(try Self.event(start, rules: ["FREQ=DAILY;UNTIL=\(until)"]))
    #expect(Self.starts(series) == starts)
    let from = Instant(seconds: start.civil.secondsSinceEpoch + 43_200)
    let window = series.occurrences(in: from..<from.adding(seconds: 9e5))
    #expect(window.map { CalendarTime($0.startInstant).basicText } == Array(starts.dropFirst()))
  }

  /// Times after the gap stay. So do the minutes of the gap whose instants are before the end.
  @Test func untilAfterGapByTheMinute() throws {
    let series = Self.series(
      try Self.event(
        try Self.time("20250330T015900", "Europe/Berlin"),
        rules: ["FREQ=MINUTELY;UNTIL=20250330T010200Z"]))
    #expect(
      Self.starts(series)
        == ["00:59", "01:00", "01:01", "01:02"].map {
          "20250330T\($0.filter { $0 != ":" })00Z"
        })
  }

  @Test("extra dates, exception dates in every form, exception rules")
  func exceptions() throws {
    let zone = "Europe/Berlin"
    let series = Self.series(
      try Self.event(
        try Self.time("20250701T090000", zone),
        rules: ["FREQ=DAILY;COUNT=8", "FREQ=DAILY;INTERVAL=2;COUNT=3"],
        dates: [
          try Self.time("20250720T090000", zone), try Self.time("20250702T100000Z"),
          try Self.time("20250721"),
        ],
        except: [
          try Self.time("20250702T090000", zone), try Self.time("20250703T070000Z"),
          try Self.time("20250704T090000"),
          try Self.time("20250705"), try Self.time("20250706T030000", "America/New_York"),
        ], exceptionRules: ["FREQ=WEEKLY;BYDAY=TU"]))
    #expect(
      Self.starts(series) == [
        "20250702T100000Z", "20250707T070000Z", "20250720T070000Z", "20250721T070000Z",
      ])
    let wholeDays = Self.series(
      try Self.event(
        try Self.time("20250701"), try Self.time("20250703"), rules: ["FREQ=DAILY;COUNT=4"],
        except: [try Self.time("20250702"), try Self.time("20250703T000000Z")]))
    #expect(wholeDays.occurrences.map(\.start.basicText) == ["20250701", "20250704"])
    #expect(wholeDays.occurrences.map(\.end.basicText) == ["20250703", "20250706"])
    var item = try Self.event(try Self.time("20250701T090000Z"), try Self.time("20250701T100000Z"))
    item.recurrence?.dates = [
      .init(start: try Self.time("20250702T090000Z"), end: try Self.time("20250702T113000Z"))
    ]
    #expect(Self.series(item).occurrences.map(\.end.basicText) == ["20250701T100000Z", "20250702T113000Z"])
  }

  @Test("a detached item replaces its occurrence")
  func detached() throws {
    let zone = "Europe/Berlin"
    let master = try Self.event(
      try Self.time("20250701T090000", zone), try Self.time("20250701T100000", zone),
      rules: ["FREQ=DAILY;COUNT=5"])
    var moved = try Self.event(try Self.time("20250704T150000", zone), try Self.time("20250704T160000", zone))
    moved.recurrence = nil
    moved.detachment = .init(occurrence: try Self.time("20250702T070000Z"))
    var cancelled = try Self.event(try Self.time("20250703T090000", zone))
    cancelled.recurrence = nil
    cancelled.event?.status = .cancelled
    cancelled.detachment = .init(occurrence: try Self.time("20250703T090000", zone))
    let series = Self.series(cancelled, master, moved)
    let all = Array(series.occurrences)
    #expect(
      all.map(\.start.basicText) == [
        "20250701T090000", "20250703T090000", "20250704T090000", "20250704T150000", "20250705T090000",
      ])
    #expect(all.map(\.isDetached) == [false, true, false, true, false])
    #expect(all.map(\.isCancelled) == [false, true, false, false, false])
    #expect(series.items[all[3].item] == moved)
    #expect(all[3].recurrenceID == (try Self.time("20250702T090000", zone)))
    // Without its master a detached item is a single item.
    #expect(Self.starts(Self.series(moved)) == ["20250704T130000Z"])
  }

  @Test("this and future: later occurrences follow in time, duration and text")
  func andFuture() throws {
    let zone = "Europe/Berlin"
    let master = try Self.event(
      try Self.time("20250701T090000", zone), try Self.time("20250701T100000", zone),
      rules: ["FREQ=DAILY;COUNT=6"],
      except: [try Self.time("20250705T090000", zone)])
    var later = try Self.event(
      try Self.time("20250703T110000", zone), try Self.time("20250703T130000", zone), title: "B")
    later.recurrence = nil
    later.detachment = .init(occurrence: try Self.time("20250703T090000", zone), andFuture: true)
    let series = Self.series(master, later)
    let all = Array(series.occurrences)
    #expect(
      all.map { "\($0.start.basicText) \($0.end.basicText) \(series.items[$0.item].title)" } == [
        "20250701T090000 20250701T100000 A", "20250702T090000 20250702T100000 A",
        "20250703T110000 20250703T130000 B", "20250704T110000 20250704T130000 B",
        "20250706T110000 20250706T130000 B",
      ])
    #expect(
      all.map { $0.recurrenceID?.basicText } == [
        "20250701T090000", "20250702T090000", "20250703T090000", "20250704T090000", "20250706T090000",
      ])
    // To another zone, and earlier than those before it.
    later.event?.start = try Self.time("20250701T030000", "America/New_York")
    later.event?.end = try Self.time("20250701T030000", "America/New_York")
    let earlier = Array(Self.series(master, later).occurrences)
    #expect(
      earlier.map { CalendarTime($0.startInstant).basicText } == [
        "20250701T070000Z", "20250701T070000Z", "20250702T070000Z", "20250702T070000Z", "20250704T070000Z",
      ])
  }

  @Test("reminders recur from their start, otherwise from their due time")
  func reminders() throws {
    var item = CalendarItem(
      calendar: Identifier(rawValue: "c"), title: "R",
      details: .reminder(ReminderDetails(due: try Self.time("20250701T090000"))))
    item.recurrence = Recurrence(rules: [RecurrenceRule(.daily, end: .count(2))])
    #expect(Self.starts(Self.series(item)) == ["20250701T070000Z", "20250702T070000Z"])
    item.reminder?.start = try Self.time("20250701T080000")
    #expect(Self.series(item).occurrences.map(\.end.basicText) == ["20250701T090000", "20250702T090000"])
    item.details = .reminder(ReminderDetails())
    #expect(Self.starts(Self.series(item)).isEmpty)
    #expect(Self.series(item).bounds == nil)
  }

  @Test("bounds contain all occurrences")
  func bounds() throws {
    let once = Self.series(
      try Self.event(try Self.time("20250701T090000Z"), try Self.time("20250701T100000Z")))
    #expect(once.bounds?.start == Instant(seconds: 1_751_360_400))
    #expect(once.bounds?.end == Instant(seconds: 1_751_364_000))
    #expect(once.occurrences.map(\.recurrenceID) == [nil])
    let counted = Self.series(
      try Self.event(
        try Self.time("20250701T090000Z"), try Self.time("20250701T100000Z"), rules: ["FREQ=DAILY;COUNT=1000"]
      ))
    #expect(counted.bounds?.end == Instant(seconds: 1_751_364_000 + 999 * 86_400))
    let endless = Self.series(try Self.event(try Self.time("20250701T090000Z"), rules: ["FREQ=DAILY"]))
    #expect(endless.bounds?.start == Instant(seconds: 1_751_360_400))
    #expect(endless.bounds?.end == nil)
  }

  @Test("a range has the same occurrences as the whole series there", arguments: 0..<200 as Range<UInt64>)
  func windows(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]
    let zone = TimeZoneID(rawValue: zones.randomElement(using: &random) ?? "UTC")
    let civil = RandomRule.start(using: &random)
    let start: CalendarTime =
      [.date(civil.day), .floating(civil), .utc(civil), .zoned(civil, zone)].randomElement(using: &random)
      ?? .utc(civil)
    let rule = RandomRule.make(using: &random)
    let lengths = rule.frequency < .daily ? [0, 600] : [0, 3600, 86_400, 10 * 86_400]
    let length = lengths.randomElement(using: &random) ?? 0
    var item = try Self.event(start, start.with(civil: civil.adding(seconds: Int64(length))))
    item.recurrence?.rules = [rule]
    if Bool.random(using: &random) { item.recurrence?.rules.append(RandomRule.make(using: &random)) }
    let plain = Array(Self.series(item).occurrences.prefix(60))
    var items = [item]
    if Bool.random(using: &random) {
      item.recurrence?.exceptionDates = plain.filter { _ in Bool.random(using: &random) }.map(\.start)
      items = [item]
      if let named = plain.randomElement(using: &random) {
        var detached = item
        detached.recurrence = nil
        detached.detachment = .init(
          occurrence: named.recurrenceID ?? start, andFuture: Bool.random(using: &random))
        let moved = named.start.civil.adding(seconds: Int64.random(in: -100_000...100_000, using: &random))
        detached.event?.start = named.start.with(civil: moved)
        detached.event?.end = named.start.with(civil: moved.adding(seconds: 900))
        items.append(detached)
      }
    }
    let series = OccurrenceSeries(items, resolver: Self.resolver)
    let all = Array(series.occurrences.prefix(60))
    let context = Comment(
      rawValue: "seed \(seed): \(items[0].recurrence?.rules.map(\.text) ?? []) from \(start)")
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.startInstant <= $1.startInstant }, context)
    guard let first = all.first, let last = all.last, all.count < 60 || last.startInstant > first.startInstant
    else {
      return
    }
    // The walk ended here, so later occurrences are unknown.
    let end =
      all.count < 60 ? Instant(seconds: last.startInstant.wholeSeconds + 1_000_000) : last.startInstant
    for _ in 0..<4 {
      let bounds = [first.startInstant.wholeSeconds - 1000, end.wholeSeconds]
      let a = Int64.random(in: bounds[0]...bounds[1], using: &random)
      let b = Int64.random(in: a...bounds[1], using: &random)
      let window = Instant(seconds: a)..<Instant(seconds: b)
      #expect(Array(series.occurrences(in: window)) == all.filter { $0.overlaps(window) }, context)
      #expect(
        Array(series.occurrences(startingIn: window)) == all.filter { window.contains($0.startInstant) },
        context)
      let next = all.first { $0.startInstant > window.lowerBound }
      if next != nil { #expect(series.firstOccurrence(startingAfter: window.lowerBound) == next, context) }
    }
    let extent = try #require(series.bounds, context)
    #expect(extent.start <= first.startInstant, context)
    if let end = extent.end { #expect(all.allSatisfy { $0.endInstant <= end }, context) }
  }
}
