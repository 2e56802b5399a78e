import FencepostCalendarModel
import FencepostRecurrence
import FencepostTestSupport
import Testing

/// Properties of the expansion of any rule.
struct ExpansionPropertyTests {
  @Test("jumping equals stepping", arguments: 0..<600 as Range<UInt64>)
  func jumping(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let rule = RandomRule.make(using: &random)
    let start = RandomRule.start(using: &random)
    let expansion = RuleExpansion(rule, start: start)
    let all = Array(expansion.prefix(120))
    guard let last = all.last else { return }
    let span = last.secondsSinceEpoch - start.secondsSinceEpoch
    for _ in 0..<6 {
      let target = start.adding(seconds: Int64.random(in: -86_400...max(1, span), using: &random))
      var iterator = expansion.makeIterator(from: target)
      let wanted = Array(all.filter { $0 >= target }.prefix(5))
      let found = wanted.map { _ in iterator.next() }
      #expect(found == wanted, "seed \(seed): \(rule.text) from \(start) jumping to \(target)")
    }
    // A rule with COUNT ends at the same time on every path.
    if case .count(let count) = rule.end, all.count < 120, all.count <= count {
      var iterator = expansion.makeIterator(from: last.adding(seconds: 1))
      #expect(iterator.next() == nil, "seed \(seed): \(rule.text) from \(start)")
      #expect(expansion.lastCounted() == last, "seed \(seed): \(rule.text) from \(start)")
    }
  }

  @Test("counting by arithmetic equals stepping", arguments: 0..<200 as Range<UInt64>)
  func counting(_ seed: UInt64) {
    var random = SeededRandom(seed: seed &+ 2_000_000)
    var rule = RandomRule.make(using: &random)
    if seed % 2 == 0 {
      rule.frequency = [.secondly, .minutely, .hourly].randomElement(using: &random) ?? .hourly
    }
    let count = Int.random(in: 1...1500, using: &random)
    rule.end = .count(count)
    let start = RandomRule.start(using: &random)
    let expansion = RuleExpansion(rule, start: start)
    let all = Array(expansion)
    for _ in 0..<3 {
      guard let target = all.randomElement(using: &random) else { return }
      var iterator = expansion.makeIterator(from: target)
      let wanted = all.drop { $0 < target }
      var found: [CivilDateTime] = []
      while let next = iterator.next() { found.append(next) }
      #expect(found.elementsEqual(wanted), "seed \(seed): \(rule.text) from \(start) jumping to \(target)")
    }
  }

  /// Over a thousand years of occurrences, too many to step through.
  @Test(
    "counting works over a large distance",
    arguments: [
      ("FREQ=SECONDLY;BYSECOND=0;COUNT=999999999999", "2026-01-01T00:00:00"),
      ("FREQ=SECONDLY;INTERVAL=7;BYSECOND=0,30;COUNT=999999999999", "2026-01-01T00:02:00"),
      ("FREQ=SECONDLY;BYSECOND=0;BYDAY=MO;COUNT=999999999999", "2026-01-05T00:00:00"),
      ("FREQ=SECONDLY;INTERVAL=11;BYSECOND=0;BYDAY=MO;COUNT=999999999999", "2026-01-05T00:06:00"),
      ("FREQ=MINUTELY;INTERVAL=3;BYHOUR=1,3,5,7,9,11;BYMONTHDAY=13;COUNT=99999999999", "2026-01-13T01:00:00"),
      ("FREQ=HOURLY;BYHOUR=1,3,5;BYYEARDAY=100;COUNT=99999999999", "2026-04-10T01:00:00"),
      ("FREQ=SECONDLY;BYSECOND=0;COUNT=1000", nil),
      (
        "FREQ=MONTHLY;SKIP=BACKWARD;RSCALE=GREGORIAN;BYMONTHDAY=31;BYHOUR=0,12;BYMINUTE=0,1,2,3,4,5,6,7,8,9;"
          + "BYSECOND=0,1,2,3,4,5,6,7,8,9;COUNT=99999999999", "2026-01-31T00:00:00"
      ),
    ])
  func farCount(text: String, first: String?) throws {
    let start = CivilDateTime(year: 1000, month: 1, day: 1)
    let expansion = RuleExpansion(try RecurrenceRule(text: text), start: start)
    var iterator = expansion.makeIterator(from: CivilDateTime(year: 2026, month: 1, day: 1))
    #expect(iterator.next()?.description == first)
  }

  @Test(
    "occurrences ascend from the start and end with the year 9999", arguments: 0..<300 as Range<UInt64>)
  func order(_ seed: UInt64) {
    var random = SeededRandom(seed: seed &+ 1_000_000)
    var rule = RandomRule.make(using: &random)
    rule.interval = [1, 2, 7, 1 << 20, 1 << 40, .max].randomElement(using: &random) ?? 1
    let start = RandomRule.start(using: &random)
    let times = Array(RuleExpansion(rule, start: start).prefix(200))
    #expect(times.first == start)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed): \(rule.text) from \(start)")
    #expect(times.allSatisfy { (1...9999).contains($0.day.components.year) })
    // The start counts and changes nothing else.
    rule.end = .never
    let always = Array(RuleExpansion(rule, start: start).prefix(50))
    let matching = Array(RuleExpansion(rule, start: start, startPolicy: .matching).prefix(50))
    let rest = matching.first == start ? Array(matching.dropFirst()) : matching
    #expect(
      Array(always.dropFirst()) == Array(rest.prefix(max(0, always.count - 1))), "seed \(seed): \(rule.text)")
  }

  @Test(
    "rules that never match end",
    arguments: [
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31",
      "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MINUTELY;INTERVAL=7;BYMONTH=4;BYMONTHDAY=31",
      "FREQ=SECONDLY;INTERVAL=60;BYSECOND=30", "FREQ=SECONDLY;INTERVAL=7200;BYHOUR=1",
      "FREQ=HOURLY;INTERVAL=24;BYHOUR=5", "FREQ=HOURLY;INTERVAL=168;BYDAY=SU",
      "FREQ=DAILY;INTERVAL=7;BYDAY=SU",
      "FREQ=YEARLY;INTERVAL=4;BYYEARDAY=366", "FREQ=WEEKLY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6", "FREQ=DAILY;BYSETPOS=2", "FREQ=HOURLY;BYSETPOS=-2",
      "FREQ=SECONDLY;BYSETPOS=2", "FREQ=MONTHLY;INTERVAL=12;BYMONTH=3", "FREQ=YEARLY;BYWEEKNO=20;BYMONTH=1",
      "FREQ=MINUTELY;INTERVAL=1440;BYMINUTE=1;BYHOUR=0",
    ])
  func neverMatching(_ text: String) throws {
    // A Thursday in January of a year that is not a leap year, nor is the one four years later.
    let start = CivilDateTime(year: 2015, month: 1, day: 1)
    let rule = try RecurrenceRule(text: text)
    #expect(Array(RuleExpansion(rule, start: start, startPolicy: .matching)).isEmpty)
    var counted = rule
    counted.end = .count(5)
    let expansion = RuleExpansion(counted, start: start)
    #expect(Array(expansion) == [start])
    var iterator = expansion.makeIterator(from: CivilDateTime(year: 2100, month: 1, day: 1))
    #expect(iterator.next() == nil)
    #expect(expansion.lastCounted() == start)
  }

  @Test("a start beyond the calendar's years is the only occurrence")
  func farStarts() {
    for day in [Int.min / 4, -1_000_000_000, 3_000_000, 1_000_000_000, Int.max / 4] {
      let start = CivilDateTime(day: CivilDay(dayNumber: day), secondOfDay: 0)
      let expansion = RuleExpansion(RecurrenceRule(.yearly), start: start)
      #expect(Array(expansion.prefix(3)).count <= 1)
    }
  }

  @Test("arithmetic finds the last of many occurrences")
  func lastOfMany() throws {
    let start = CivilDateTime(year: 2000, month: 1, day: 3, hour: 9)
    for (text, last) in [
      ("FREQ=DAILY;COUNT=1000000", "4737-11-29T09:00:00"),
      ("FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=300000", "3916-07-14T09:00:00"),
    ] {
      let expansion = RuleExpansion(try RecurrenceRule(text: text), start: start)
      #expect(expansion.lastCounted()?.description == last)
      #expect(Array(expansion).last?.description == last)
    }
  }

  @Test("week numbers are right (ISO 8601), for any start of the week", arguments: Weekday.allCases)
  func weekNumbers(_ weekStart: Weekday) {
    let start = CivilDateTime(year: 1990, month: 1, day: 1)
    let end = CivilDateTime(year: 2060, month: 1, day: 1)
    for number in [1, 2, 52, 53, -1, -2, -52, -53] {
      var rule = RecurrenceRule(.yearly)
      rule.byWeekNumber = [number]
      rule.byDay = Weekday.allCases.map { RecurrenceRule.WeekdayNumber($0) }
      rule.weekStart = weekStart
      let found = RuleExpansion(rule, start: start, startPolicy: .matching).prefix { $0 < end }.map(\.day)
      let wanted = (start.day.dayNumber..<end.day.dayNumber).map(CivilDay.init).filter { day in
        let (week, count) = Self.week(of: day, weekStart: weekStart)
        return week == number || week - count - 1 == number
      }
      #expect(found == wanted, "week \(number)")
    }
  }

  /// The number of a day's week, and the number of weeks in that year: the year of the week's fourth day.
  static func week(of day: CivilDay, weekStart: Weekday) -> (number: Int, count: Int) {
    let fourth = day.adding(days: 3 - day.weekday.days(after: weekStart))
    let year = fourth.components.year
    let newYear = CivilDay(year: year, month: 1, day: 1)
    // The last week contains 28 December.
    let last = CivilDay(year: year, month: 12, day: 28)
    let lastFourth = last.adding(days: 3 - last.weekday.days(after: weekStart))
    return (
      (fourth.dayNumber - newYear.dayNumber) / 7 + 1, (lastFourth.dayNumber - newYear.dayNumber) / 7 + 1
    )
  }
}
