import CalendarModel
import Recurrence
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

  /// Every second since 1990: repetitions for ever would have all of them due now.
  @Test func repetitionsThatNeverEnd() throws {
    var item = try Series.event(try Series.time("19900101T000000Z"), rules: ["FREQ=SECONDLY"])
    item.alarms = [Self.alarm(2_147_483_647, every: "P1W")]
    let after = Instant(seconds: 1_777_593_600)
    let due = Self.schedule.next(in: Series.series(item), after: after)
    #expect(due.map(\.time) == [after.adding(seconds: 1)])
  }

  @Test(
    "REPEAT counts a hundred times at most, and for a week",
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
}
