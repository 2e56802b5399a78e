import FencepostCalendarModel
import FencepostRecurrence
import FencepostTestSupport
import Testing

@Suite("Editable series")
struct EditableSeriesTests {
  /// A random series in a zone with daylight saving time, with some occurrences removed.
  private func series(_ random: inout SeededRandom, resolver: TimeResolver) -> EditableSeries {
    let zone = TimeZoneID(rawValue: "Europe/Berlin")
    let start = CivilDateTime(
      year: 2026, month: Int.random(in: 1...12, using: &random), day: Int.random(in: 1...28, using: &random),
      hour: Int.random(in: 0...23, using: &random))
    let isAllDay = Bool.random(using: &random)
    func time(_ reading: CivilDateTime) -> CalendarTime {
      isAllDay ? .date(reading.day) : .zoned(reading, zone)
    }
    var master = CalendarItem(
      calendar: Identifier(rawValue: "c"), title: "Series",
      details: .event(
        EventDetails(start: time(start), end: time(start.adding(seconds: isAllDay ? 86_400 : 3600)))))
    let frequencies: [RecurrenceRule.Frequency] = [.daily, .weekly, .monthly, .yearly]
    var rule = RecurrenceRule(
      frequencies.randomElement(using: &random) ?? .daily, interval: Int.random(in: 1...3, using: &random))
    if Bool.random(using: &random) { rule.end = .count(Int.random(in: 1...12, using: &random)) }
    if rule.frequency == .weekly, Bool.random(using: &random) {
      rule.byDay = [.monday, .thursday].map { RecurrenceRule.WeekdayNumber($0) }
    }
    master.recurrence = Recurrence(rules: [rule])
    var series = EditableSeries(master: master, detached: [], resolver: resolver)
    let starts = Self.starts(of: [master], resolver)
    if starts.count > 3, let excluded = starts.dropFirst().randomElement(using: &random) {
      series.master.recurrence?.exceptionDates = [
        resolver.time(excluded, like: master.anchor ?? .utc(start))
      ]
    }
    return series
  }

  /// The first occurrences of a store with only these items, of all its series.
  private static func starts(of items: [CalendarItem], _ resolver: TimeResolver, limit: Int = 12) -> [Instant]
  {
    let series = Dictionary(grouping: items, by: \.uid).values.map {
      OccurrenceSeries($0, resolver: resolver)
    }
    let starts = series.flatMap { $0.occurrences.prefix(limit).map(\.startInstant) }
    return Array(starts.sorted().prefix(limit))
  }

  private func applying(_ changes: ItemChanges, to series: EditableSeries) -> [CalendarItem] {
    var items = ([series.master] + series.detached).filter { !changes.removed.contains($0.id) }
    for saved in changes.saved {
      items.removeAll { $0.id == saved.id }
      items.append(saved)
    }
    return items
  }

  @Test("A removal removes the right occurrences; a new title moves nothing", arguments: 0..<60)
  func properties(_ seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let resolver = TimeResolver(floating: TimeZoneID(rawValue: "Europe/Berlin"))
    let series = series(&random, resolver: resolver)
    let before = Self.starts(of: [series.master], resolver)
    let index = Int.random(in: 0..<before.count, using: &random)
    let anchor = try #require(series.master.anchor)
    let occurrence = resolver.time(before[index], like: anchor)

    let one = applying(series.removing(occurrence), to: series)
    var expected = before
    expected.remove(at: index)
    #expect(Self.starts(of: one, resolver).prefix(expected.count).elementsEqual(expected), "seed \(seed)")

    let cut = applying(series.removingFuture(from: occurrence), to: series)
    #expect(Self.starts(of: cut, resolver) == Array(before.prefix(index)), "seed \(seed)")

    var base = series.master
    let length = try #require(
      base.event.map { resolver.instant(of: $0.end).seconds(since: resolver.instant(of: $0.start)) })
    base.event?.start = occurrence
    base.event?.end = resolver.time(before[index].adding(seconds: length), like: anchor)
    var edited = base
    edited.title = "Other"
    let edit = EditableSeries.Edit(
      occurrence: occurrence, base: base, edited: edited, newID: Identifier(rawValue: "new"))
    let detached = applying(series.detaching(edit), to: series)
    #expect(Self.starts(of: detached, resolver) == before, "seed \(seed)")
    #expect(detached.count == 2)
    let split = applying(series.changingFuture(edit), to: series)
    #expect(Self.starts(of: split, resolver) == before, "seed \(seed)")
    #expect(split.contains { $0.title == "Other" })
    #expect(split.count == (series.isFirst(occurrence) ? 1 : 2), "seed \(seed)")
  }

  @Test("A moved series keeps its number of occurrences, with any end", arguments: 0..<40)
  func moving(_ seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let resolver = TimeResolver(floating: TimeZoneID(rawValue: "Europe/Berlin"))
    var series = series(&random, resolver: resolver)
    let anchor = try #require(series.master.anchor)
    let all = Self.starts(of: [series.master], resolver, limit: 6)
    let last = try #require(all.last)
    series.master.recurrence?.rules[0].end = .until(
      anchor.isDate ? resolver.time(last, like: anchor) : CalendarTime(last))
    let before = Self.starts(of: [series.master], resolver, limit: 20)
    let days = Int.random(in: -3...3, using: &random)
    let seconds = Int64(days * 86_400 + (anchor.isDate ? 0 : Int.random(in: -3600...3600, using: &random)))
    var edited = series.master
    edited.event?.start = anchor.with(civil: anchor.civil.adding(seconds: seconds))
    let end = try #require(series.master.event).end
    edited.event?.end = end.with(civil: end.civil.adding(seconds: seconds))
    let changes = series.changingFuture(
      EditableSeries.Edit(occurrence: anchor, base: series.master, edited: edited, newID: .random()))
    let after = Self.starts(of: applying(changes, to: series), resolver, limit: 20)
    // Months have days that others lack.
    let frequency = try #require(series.master.recurrence?.rules.first?.frequency)
    if frequency == .daily || frequency == .weekly { #expect(after.count == before.count, "seed \(seed)") }
  }

  // MARK: Rules that ended before

  private static let resolver = OccurrenceSeriesTests.resolver

  /// A series in Berlin's summer time, an hour long, and its starts.
  private static func series(
    _ start: String, _ rules: [String], dates: [String] = []
  ) throws -> EditableSeries {
    func time(_ text: String) throws -> CalendarTime { try OccurrenceSeriesTests.time(text, "Europe/Berlin") }
    let begin = try time(start)
    let item = try OccurrenceSeriesTests.event(
      begin, begin.with(civil: begin.civil.adding(seconds: 3600)), rules: rules, dates: try dates.map(time))
    return EditableSeries(master: item, detached: [], resolver: resolver)
  }

  /// The local starts of the first occurrences of all series in `items`.
  private static func readings(_ items: [CalendarItem], limit: Int = 8) -> [String] {
    let series = Dictionary(grouping: items, by: \.uid).values.map {
      OccurrenceSeries($0, resolver: resolver)
    }
    let all = series.flatMap { $0.occurrences.prefix(limit) }.sorted { $0.startInstant < $1.startInstant }
    return all.prefix(limit).map(\.start.basicText)
  }

  /// An edit of the occurrence at `reading`, which may move it to `new`.
  private static func edit(
    _ series: EditableSeries, at reading: String, to new: String? = nil
  ) throws -> EditableSeries.Edit {
    let occurrence = try OccurrenceSeriesTests.time(reading, "Europe/Berlin")
    var base = series.master
    base.event?.start = occurrence
    base.event?.end = occurrence.with(civil: occurrence.civil.adding(seconds: 3600))
    var edited = base
    edited.title = "Other"
    if let new {
      let start = try OccurrenceSeriesTests.time(new, "Europe/Berlin")
      edited.event?.start = start
      edited.event?.end = start.with(civil: start.civil.adding(seconds: 3600))
    }
    return EditableSeries.Edit(
      occurrence: occurrence, base: base, edited: edited, newID: Identifier(rawValue: "new"))
  }

  @Test(
    "A rule that ended before the cut gives no more occurrences",
    arguments: [
      "FREQ=DAILY;COUNT=3", "FREQ=DAILY;UNTIL=20270606T070000Z", "FREQ=DAILY;UNTIL=20270606",
      "FREQ=DAILY;UNTIL=20270606T090000",
    ])
  func overBefore(rule: String) throws {
    let series = try Self.series(
      "20270604T090000", [rule, "FREQ=WEEKLY;COUNT=3"], dates: ["20270612T150000"])
    let before = [
      "20270604T090000", "20270605T090000", "20270606T090000", "20270611T090000", "20270612T150000",
      "20270618T090000",
    ]
    #expect(Self.readings([series.master]) == before)
    let cut = try OccurrenceSeriesTests.time("20270612T150000", "Europe/Berlin")
    #expect(
      Self.readings(applying(series.removingFuture(from: cut), to: series)) == Array(before.prefix(4)))
    let later = try OccurrenceSeriesTests.time("20270618T090000", "Europe/Berlin")
    #expect(
      Self.readings(applying(series.removingFuture(from: later), to: series)) == Array(before.prefix(5)))
    let edit = try Self.edit(series, at: "20270618T090000")
    #expect(Self.readings(applying(series.changingFuture(edit), to: series)) == before)
  }

  @Test func cutAtTheLastExtraDate() throws {
    let series = try Self.series("20270604T090000", ["FREQ=DAILY;COUNT=3"], dates: ["20270610T090000"])
    let before = Self.readings([series.master])
    #expect(before.count == 4)
    let edit = try Self.edit(series, at: "20270610T090000")
    let changes = series.changingFuture(edit)
    #expect(Self.readings(applying(changes, to: series)) == before)
  }

  @Test(
    "A series that is cut at an RDATE continues with its rule",
    arguments: [
      "FREQ=DAILY", "FREQ=WEEKLY", "FREQ=WEEKLY;COUNT=4", "FREQ=MONTHLY", "FREQ=YEARLY;COUNT=3",
      "FREQ=HOURLY",
      "FREQ=DAILY;UNTIL=20270110T090000Z", "FREQ=WEEKLY;BYDAY=MO,TH;COUNT=7",
    ])
  func cutAtADate(rule: String) throws {
    let series = try Self.series("20270104T090000", [rule], dates: ["20270106T151500", "20270107T151500"])
    let before = Self.readings([series.master], limit: 60)
    let edit = try Self.edit(series, at: "20270106T151500")
    #expect(Self.readings(applying(series.changingFuture(edit), to: series), limit: 60) == before)
  }

  @Test func countingFarIsQuick() throws {
    let series = try Self.series("10000101T000000", ["FREQ=SECONDLY;BYSECOND=0,30;COUNT=999999999999"])
    let edit = try Self.edit(series, at: "20270610T090000")
    let changes = series.changingFuture(edit)
    #expect(changes.saved.count == 2)
    guard case .count(let left)? = changes.subject?.recurrence?.rules.first?.end else {
      Issue.record("not counted")
      return
    }
    let days =
      CivilDay(year: 2027, month: 6, day: 10).dayNumber - CivilDay(year: 1000, month: 1, day: 1).dayNumber
    #expect(left == 999_999_999_999 - days * 2880 - 9 * 120)
  }

  // MARK: Moved series

  @Test(
    "All days in a series' rules move along with it",
    arguments: [
      (
        ["FREQ=WEEKLY;BYDAY=MO"], ["20270114T090000"], "20270112T110000",
        ["20270104T090000", "20270112T110000", "20270115T110000", "20270119T110000"]
      ),
      (
        ["FREQ=WEEKLY;BYDAY=MO,SU;INTERVAL=2;COUNT=6"], [], "20270118T090000",
        ["20270104T090000", "20270110T090000", "20270118T090000", "20270124T090000"]
      ),
      (
        ["FREQ=WEEKLY;BYDAY=MO,SU;INTERVAL=2;COUNT=6"], [], "20270119T090000",
        ["20270104T090000", "20270110T090000", "20270119T090000", "20270125T090000"]
      ),
      (
        ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20270112T080000Z"], [], "20270112T090000",
        ["20270108T090000", "20270112T090000", "20270113T090000"]
      ),
      (
        ["FREQ=MONTHLY;BYMONTHDAY=11"], [], "20270113T090000",
        ["20270104T090000", "20270113T090000", "20270213T090000"]
      ),
      (
        ["FREQ=MONTHLY;BYDAY=2MO"], [], "20270113T090000",
        ["20270104T090000", "20270113T090000", "20270208T090000"]
      ),
      (
        ["FREQ=MONTHLY;BYMONTHDAY=11,-1"], [], "20270113T090000",
        ["20270104T090000", "20270113T090000", "20270131T090000"]
      ),
    ])
  func moved(rules: [String], dates: [String], to new: String, expected: [String]) throws {
    let series = try Self.series("20270104T090000", rules, dates: dates)
    let old = try #require(
      Self.readings([series.master], limit: 20).first { $0 >= "20270111" })
    let edit = try Self.edit(series, at: old, to: new)
    let changes = applying(series.changingFuture(edit), to: series)
    let found = Self.readings(changes, limit: 20)
    // The occurrence just before the cut, and those after it.
    let first = try #require(found.firstIndex(of: expected[0]))
    #expect(Array(found[first...].prefix(expected.count)) == expected)
  }

  @Test("Concurrent changes to an occurrence stay")
  func detachedMeanwhile() throws {
    let series = try Self.series("20270104T090000", ["FREQ=DAILY"])
    let first = try Self.edit(series, at: "20270106T090000", to: "20270106T100000")
    var changed = series
    changed.detached = series.detaching(first).saved
    var second = try Self.edit(series, at: "20270106T090000")
    second.edited.title = series.master.title
    second.edited.notes = "Notes"
    second.newID = Identifier(rawValue: "newer")
    let changes = changed.detaching(second)
    let item = try #require(changes.saved.first)
    #expect(changes.saved.count == 1 && changes.removed.isEmpty)
    #expect(item.id == changed.detached[0].id && item.title == "Other" && item.notes == "Notes")
    #expect(item.event?.start.basicText == "20270106T100000")
  }
}
