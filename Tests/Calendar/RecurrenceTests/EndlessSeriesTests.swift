import FencepostCalendarModel
import FencepostRecurrence
import FencepostTestSupport
import Testing

/// Series that could make a reader run forever. Each must end by itself.
struct EndlessSeriesTests {
  private typealias Series = OccurrenceSeriesTests

  @Test(
    "A rule whose exception rule removes everything has no occurrences, with and without a range",
    arguments: [
      ("FREQ=SECONDLY", "FREQ=SECONDLY"), ("FREQ=MINUTELY;COUNT=2000000000", "FREQ=SECONDLY"),
      ("FREQ=HOURLY", "FREQ=HOURLY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23"),
      ("FREQ=DAILY", "FREQ=DAILY"), ("FREQ=MONTHLY", "FREQ=SECONDLY;COUNT=999999999999"),
    ])
  func nothingLeft(rule: String, except: String) throws {
    let series = Series.series(
      try Series.event(try Series.time("20260101T000000Z"), rules: [rule], exceptionRules: [except]))
    let from = Instant(seconds: 1_777_593_600)
    #expect(Array(series.occurrences(in: from..<from.adding(seconds: 86_400))).isEmpty)
    #expect(series.firstOccurrence(startingAfter: from) == nil)
    #expect(series.bounds == nil)
  }

  @Test("An exception rule with more starts than the rule is skipped by arithmetic")
  func denseExceptions() throws {
    let series = Series.series(
      try Series.event(
        try Series.time("20260101T090000Z"), rules: ["FREQ=YEARLY;COUNT=4000"],
        exceptionRules: ["FREQ=SECONDLY;BYMINUTE=1,2,3", "FREQ=SECONDLY;BYHOUR=8"]))
    #expect(series.occurrences.reduce(0) { count, _ in count + 1 } == 4000)
  }

  @Test("Exception rules remove the same starts in any range", arguments: 0..<60 as Range<UInt64>)
  func exceptionRules(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let start = CalendarTime.utc(RandomRule.start(using: &random))
    var rule = RandomRule.make(using: &random)
    rule.end = .never
    var exception = RandomRule.make(using: &random)
    exception.frequency = [rule.frequency, .daily, .weekly].randomElement(using: &random) ?? .daily
    var item = try Series.event(start)
    item.recurrence?.rules = [rule]
    let plain = Array(Series.series(item).occurrences.prefix(80))
    let last = try #require(plain.last).startInstant
    item.recurrence?.exceptionRules = [exception]
    let excepted = Set(
      RuleExpansion(exception, start: start.civil, startPolicy: .matching)
        .prefix { Instant(seconds: $0.secondsSinceEpoch) <= last }.prefix(20_000))
    guard excepted.count < 20_000 else { return }
    let left = plain.filter { !excepted.contains($0.start.civil) }
    let context = Comment(rawValue: "seed \(seed): \(rule.text) without \(exception.text) from \(start)")
    for _ in 0..<3 {
      let from = plain.randomElement(using: &random)?.startInstant ?? last
      let window = from..<max(from, last)
      #expect(
        Array(Series.series(item).occurrences(startingIn: window))
          == left.filter { window.contains($0.startInstant) }, context)
    }
  }
}
