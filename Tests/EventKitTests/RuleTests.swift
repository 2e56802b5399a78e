import CalendarModel
import CalendarStore
import EventKit
import Recurrence
import TestSupport
import Testing

@testable import EventKit

@Suite("Recurrence rules")
struct RuleTests {
  private func rule(_ frequency: EKRecurrenceFrequency) -> EKRecurrenceRule {
    EKRecurrenceRule(
      recurrenceWith: frequency, interval: 2, daysOfTheWeek: [EKRecurrenceDayOfWeek(.friday, weekNumber: -1)],
      daysOfTheMonth: [13, -1], monthsOfTheYear: [1, 13], weeksOfTheYear: [20, 54],
      daysOfTheYear: [100, -367],
      setPositions: [-1], end: EKRecurrenceEnd(occurrenceCount: 3))
  }

  @Test("What does not go with the frequency is read back as nil")
  func parts() {
    let daily = rule(.daily)
    #expect(daily.daysOfTheWeek == nil && daily.setPositions == nil && daily.daysOfTheMonth == nil)
    let weekly = rule(.weekly)
    #expect(weekly.daysOfTheWeek == [EKRecurrenceDayOfWeek(.friday)])
    #expect(weekly.firstDayOfTheWeek == 2 && weekly.setPositions == [-1] && weekly.monthsOfTheYear == nil)
    let monthly = rule(.monthly)
    #expect(monthly.daysOfTheWeek == [EKRecurrenceDayOfWeek(.friday, weekNumber: -1)])
    #expect(monthly.daysOfTheMonth == [13, -1] && monthly.firstDayOfTheWeek == 0)
    let yearly = rule(.yearly)
    #expect(yearly.monthsOfTheYear == [1] && yearly.weeksOfTheYear == [20] && yearly.daysOfTheYear == [100])
    #expect(yearly.daysOfTheMonth == nil && yearly.interval == 2 && yearly.calendarIdentifier == "gregorian")
  }

  @Test("Its description holds the text that apps take out of it")
  func described() throws {
    let day = EKRecurrenceDayOfWeek(.sunday, weekNumber: 2)
    let rule = EKRecurrenceRule(
      recurrenceWith: .yearly, interval: 1, daysOfTheWeek: [day], daysOfTheMonth: nil, monthsOfTheYear: [3],
      weeksOfTheYear: nil, daysOfTheYear: nil, setPositions: nil, end: EKRecurrenceEnd(occurrenceCount: 6))
    let parts = rule.description.components(separatedBy: " RRULE ")
    #expect(parts.first?.hasPrefix("EKRecurrenceRule <0x") == true)
    #expect(parts.last == "FREQ=YEARLY;INTERVAL=1;COUNT=6;BYDAY=2SU;BYMONTH=3")
    let weekly = EKRecurrenceRule(recurrenceWith: .weekly, interval: 2, end: nil)
    #expect(weekly.description.hasSuffix(" RRULE FREQ=WEEKLY;INTERVAL=2;WKST=MO"))
  }

  @Test("An end is a date or a number")
  func ends() throws {
    let date = Date(timeIntervalSince1970: 1_800_000_000)
    #expect(EKRecurrenceEnd(end: date).endDate == date && EKRecurrenceEnd(end: date).occurrenceCount == 0)
    #expect(EKRecurrenceEnd(occurrenceCount: 4).endDate == nil)
    let rule = EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: EKRecurrenceEnd(end: date))
    #expect(rule.value.end == .until(CalendarTime(date.instant)))
    let copy = try #require(rule.copy() as? EKRecurrenceRule)
    copy.recurrenceEnd = nil
    #expect(rule.recurrenceEnd != nil && copy != rule)
    for object in [EKRecurrenceEnd(end: date), EKRecurrenceEnd(occurrenceCount: 4)] {
      let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
      #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: EKRecurrenceEnd.self, from: data) == object)
    }
  }

  @Test("A rule out of the store is not rewritten by being looked at")
  func untouched() async throws {
    let bench = try await Bench()
    let calendar = try #require(bench.store.defaultCalendarForNewEvents)
    var rule = RecurrenceRule(.monthly, end: .until(.date(CivilDay(year: 2027, month: 1, day: 1))))
    rule.byHour = [9]
    rule.weekStart = .sunday
    rule.byDay = [RecurrenceRule.WeekdayNumber(.monday, ordinal: 2)]
    let berlin = TimeZoneID(rawValue: "Europe/Berlin")
    var item = CalendarItem(
      calendar: calendar.value.id, title: "Second Monday",
      details: .event(
        EventDetails(
          start: .zoned(CivilDateTime(year: 2026, month: 11, day: 9, hour: 9), berlin),
          end: .zoned(CivilDateTime(year: 2026, month: 11, day: 9, hour: 10), berlin))))
    item.recurrence = Recurrence(rules: [rule])
    let stored = item
    try bench.model.write { try $0.save(stored) }
    let event = try #require(bench.store.event(withIdentifier: item.id.rawValue))
    #expect(event.recurrenceRules?.count == 1 && event.hasRecurrenceRules && !event.hasChanges)
    event.notes = "Looked at"
    try bench.store.save(event, span: .futureEvents)
    #expect(try bench.model.read { try $0.item(stored.id) }?.recurrence == item.recurrence)
  }
}

@Suite("Series, on values")
struct EventSeriesTests {
  /// A random series in a zone with daylight saving time, with some occurrences taken out.
  private func series(_ random: inout SeededRandom, resolver: TimeResolver) -> EventSeries {
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
    var series = EventSeries(master: master, detached: [], resolver: resolver)
    let starts = Self.starts(of: [master], resolver)
    if starts.count > 3, let excluded = starts.dropFirst().randomElement(using: &random) {
      series.master.recurrence?.exceptionDates = [
        resolver.time(excluded, like: master.anchor ?? .utc(start))
      ]
    }
    return series
  }

  /// The first occurrences of a store with just these items, of all series in it.
  private static func starts(of items: [CalendarItem], _ resolver: TimeResolver, limit: Int = 12) -> [Instant]
  {
    let series = Dictionary(grouping: items, by: \.uid).values.map {
      OccurrenceSeries($0, resolver: resolver)
    }
    let starts = series.flatMap { $0.occurrences.prefix(limit).map(\.startInstant) }
    return Array(starts.sorted().prefix(limit))
  }

  private func applying(_ changes: ItemChanges, to series: EventSeries) -> [CalendarItem] {
    var items = ([series.master] + series.detached).filter { !changes.removed.contains($0.id) }
    for saved in changes.saved {
      items.removeAll { $0.id == saved.id }
      items.append(saved)
    }
    return items
  }

  @Test("Removing takes out what it says; changing a title moves nothing", arguments: 0..<60)
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
    let edit = EventSeries.Edit(
      occurrence: occurrence, base: base, edited: edited, newID: Identifier(rawValue: "new"))
    let detached = applying(series.detaching(edit), to: series)
    #expect(Self.starts(of: detached, resolver) == before, "seed \(seed)")
    #expect(detached.count == 2)
    let split = applying(series.changingFuture(edit), to: series)
    #expect(Self.starts(of: split, resolver) == before, "seed \(seed)")
    #expect(split.contains { $0.title == "Other" })
    #expect(split.count == (series.isFirst(occurrence) ? 1 : 2), "seed \(seed)")
  }
}
