import FencepostCalendarModel
import FencepostRecurrence
import Testing

/// Completing a recurring reminder.
struct RollOnTests {
  private static let resolver = OccurrenceSeriesTests.resolver

  private static func time(_ text: String) throws -> CalendarTime {
    try OccurrenceSeriesTests.time(text, "Europe/Berlin")
  }

  private static func reminder(
    due: String, start: String? = nil, rules: [String], dates: [String] = [], except: [String] = []
  ) throws -> CalendarItem {
    var item = CalendarItem(
      calendar: Identifier(rawValue: "c"), title: "R",
      details: .reminder(ReminderDetails(start: try start.map(time), due: try time(due))))
    item.recurrence = Recurrence(
      rules: try rules.map { try RecurrenceRule(text: $0) },
      dates: try dates.map { .init(start: try time($0)) },
      exceptionDates: try except.map(time))
    return item
  }

  /// The due times of the reminder, from the reminder itself and in Berlin's local time, when it is completed
  /// on time each time; and the due times of the completed reminders.
  private static func dueTimes(_ item: CalendarItem, _ count: Int) throws -> (next: [String], done: [String])
  {
    var item = item
    var next: [String] = []
    var done: [String] = []
    for _ in 0..<count {
      let series = OccurrenceSeries(item, resolver: resolver)
      guard let first = series.firstOccurrence(startingAfter: .distantPast) else { break }
      next.append(first.end.basicText)
      guard let one = item.rollOn(at: first.startInstant, resolver: resolver) else { break }
      #expect(one.reminder?.isCompleted == true && one.recurrence == nil)
      done.append(one.reminder?.due?.basicText ?? "-")
    }
    return (next, done)
  }

  @Test(
    "A reminder follows its series, for any number of completions",
    arguments: [
      // Half past two is skipped on the 28th, and exists again on the 29th.
      ("20270327T023000", "FREQ=DAILY", []),
      ("20270131", "FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=BACKWARD", []),
      ("20270131", "FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=FORWARD", []),
      ("20280229", "FREQ=YEARLY;RSCALE=GREGORIAN;SKIP=BACKWARD", []),
      ("20280229", "FREQ=YEARLY;RSCALE=GREGORIAN;SKIP=FORWARD", []),
      ("20280229", "FREQ=YEARLY;RSCALE=GREGORIAN;SKIP=BACKWARD;COUNT=6", []),
      ("20270104T090000", "FREQ=WEEKLY", ["20270106T150000", "20270120T150000", "20270121T150000"]),
      ("20270104T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=3", ["20270113T150000"]),
      ("20270104T090000", "FREQ=DAILY;COUNT=2", ["20270106T150000", "20270107T150000"]),
      ("20270104T090000", "FREQ=DAILY;UNTIL=20270105T080000Z", ["20270106T150000"]),
      ("20270131", "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=7", []),
    ])
  func series(due: String, rule: String, dates: [String]) throws {
    let item = try Self.reminder(due: due, rules: [rule], dates: dates)
    let all = OccurrenceSeries(item, resolver: Self.resolver).occurrences.prefix(9).map(\.start.basicText)
    let found = try Self.dueTimes(item, 9)
    #expect(found.next == all)
    // The last occurrence of a series is completed in place.
    #expect(zip(found.done, all).allSatisfy { $0 == $1 || $0 == "20270328T023000" })
    #expect(found.done.count >= min(8, all.count - 1))
  }

  @Test func startAndDue() throws {
    let item = try Self.reminder(due: "20270327T043000", start: "20270327T023000", rules: ["FREQ=DAILY"])
    let found = try Self.dueTimes(item, 4)
    #expect(found.next == ["20270327T043000", "20270328T053000", "20270329T043000", "20270330T043000"])
  }

  @Test func exceptionsArePassedOver() throws {
    var item = try Self.reminder(
      due: "20270104T090000", rules: ["FREQ=DAILY;COUNT=6"],
      except: ["20270105T090000", "20270107T090000"])
    _ = item.rollOn(at: .distantPast, resolver: Self.resolver)
    #expect(item.reminder?.due == (try Self.time("20270106T090000")))
    #expect(item.recurrence?.rules.first?.end == .count(4))
    #expect(item.recurrence?.exceptionDates == [try Self.time("20270107T090000")])
  }

  @Test(
    "Absolute alarms move along on the wall clock",
    arguments: [
      // Completed on time, across a clock change, and three days late.
      ("20270104T090000", "20270104T080000Z", "20270104T074500Z", "20270105T074500Z"),
      ("20270327T090000", "20270327T090000Z", "20270327T074500Z", "20270328T064500Z"),
      ("20270104T090000", "20270107T120000Z", "20270103T170000Z", "20270107T170000Z"),
    ])
  func absoluteAlarms(due: String, now: String, alarm: String, moved: String) throws {
    func instant(_ text: String) throws -> Instant {
      Self.resolver.instant(of: try OccurrenceSeriesTests.time(text))
    }
    var item = try Self.reminder(due: due, rules: ["FREQ=DAILY"])
    let relative = Alarm(trigger: .relative(CalendarDuration(seconds: -60), to: .start))
    let place = Alarm(trigger: .none)
    var snooze = Alarm(trigger: .absolute(try instant(now).adding(seconds: 600)))
    snooze.snoozeOf = relative.id
    item.alarms = [Alarm(trigger: .absolute(try instant(alarm))), relative, place, snooze]
    _ = try #require(item.rollOn(at: try instant(now), resolver: Self.resolver))
    let expected = [Alarm.Trigger.absolute(try instant(moved)), relative.trigger, .none]
    #expect(item.alarms.map(\.trigger) == expected)
  }
}
