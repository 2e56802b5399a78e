import FencepostAlarmTestSupport
import FencepostCalendarModel
@testable import FencepostChannels
import FencepostGeodesy
import FencepostRecurrence
import Testing

@testable import FencepostCalendarStore

@Suite("The text of a firing")
struct FiringWordsTests {
  private static let resolver = TimeResolver(floating: TimeZoneID(rawValue: "Europe/Berlin"))
  /// 2 May 2026, 08:00 in Berlin.
  private static let moment = LiveAlarmFixture.start

  private func entry(
    _ kind: Firing.Kind, place: String? = nil, _ change: (inout FiringContext) -> Void
  ) -> LedgerEntry {
    var context = FiringContext(
      itemTitle: "Bread", isReminder: true, list: .init(rawValue: "l"), listTitle: "Errands", message: nil)
    change(&context)
    let crossing = Firing.Crossing(
      device: "anna/phone", position: Coordinate(latitude: 1, longitude: 2), accuracy: nil,
      isInterpolated: false)
    let firing = Firing(
      kind: kind, time: Self.moment, alarm: .init(rawValue: "a"), item: .init(rawValue: "i"),
      place: place.map { StructuredLocation(title: $0, coordinate: nil, radius: 0) },
      crossing: place.map { _ in crossing })
    return LedgerEntry(number: 1, firing: firing, context: context)
  }

  private func time(_ hour: Int) -> CalendarTime {
    .zoned(
      CivilDateTime(year: 2026, month: 5, day: 2, hour: hour), TimeZoneID(rawValue: "Europe/Berlin"))
  }

  @Test("The text contains place, time, device and the item's properties")
  func lines() {
    let words = FiringWords(resolver: Self.resolver)
    let crossing = entry(.enter, place: "Bakery") { context in
      context.message = "Rye"
      context.details = FiringDetails(
        start: time(7), end: time(18), location: "Main St 5\u{1B}[2J", notes: "Two\nloaves\n\n",
        url: "https://example.org/")
    }
    #expect(
      words.lines(crossing) == [
        "Rye", "Arrived at Bakery, 2026-05-02 08:00 (anna/phone)", "Due 2026-05-02 18:00",
        "Where: Main St 5 [2J", "Two", "loaves", "https://example.org/", "Errands",
      ])
    let event = entry(.relative) { context in
      context.isReminder = false
      context.details = FiringDetails(start: time(9), end: time(10))
    }
    #expect(words.lines(event) == ["2026-05-02 08:00", "Starts 2026-05-02 09:00", "Errands"])
    // The due time appears once.
    let due = entry(.relative) { $0.details = FiringDetails(end: time(8)) }
    #expect(words.lines(due) == ["2026-05-02 08:00", "Errands"])
    let day = entry(.relative) {
      $0.details = FiringDetails(end: .date(CivilDay(year: 2026, month: 5, day: 2)))
    }
    #expect(words.lines(day) == ["2026-05-02 08:00", "Due 2026-05-02", "Errands"])
  }

  @Test("Long notes are truncated", arguments: [1, 599, 600, 601, 5_000])
  func notes(length: Int) {
    let entry = entry(.absolute) {
      $0.details = FiringDetails(notes: String(repeating: "ä", count: length))
    }
    let lines = FiringWords(resolver: Self.resolver).lines(entry)
    #expect(lines[1].count == min(length, 600) && lines[1].hasSuffix("…") == (length > 600))
    let many = self.entry(.absolute) {
      $0.details = FiringDetails(notes: String(repeating: "a\n", count: 100))
    }
    #expect(FiringWords(resolver: Self.resolver).lines(many).count == 14)
  }

  @Test(
    "A snooze shows its original alarm",
    arguments: [
      (
        SnoozedFiring(
          kind: .leave, key: "k", time: LiveAlarmFixture.start.adding(seconds: -600), place: "Home",
          device: "phone"),
        "Left Home, 2026-05-02 07:50 (phone), snoozed until 2026-05-02 08:00"
      ),
      (
        SnoozedFiring(kind: .relative, time: LiveAlarmFixture.start.adding(seconds: -600)),
        "2026-05-02 07:50, snoozed until 2026-05-02 08:00"
      ),
      (SnoozedFiring(kind: .enter, place: "Home"), "Arrived at Home, snoozed until 2026-05-02 08:00"),
      (SnoozedFiring(kind: .relative), "Snoozed until 2026-05-02 08:00"),
    ])
  func snoozed(_ snoozed: SnoozedFiring, line: String) {
    let entry = entry(.absolute) { $0.snoozed = snoozed }
    #expect(FiringWords(resolver: Self.resolver).lines(entry) == [line, "Errands"])
  }

  @Test("For a snooze, a filter of kinds uses the original kind")
  func filter() throws {
    let snooze = entry(.absolute) { $0.snoozed = SnoozedFiring(kind: .enter) }
    let plain = entry(.absolute) { _ in }
    for (kinds, admitsSnooze, admitsPlain) in [
      ([Notice.Kind.enter], true, false), ([.absolute], false, true), ([.leave, .dwell], false, false),
      ([], true, true),
    ] as [([Notice.Kind], Bool, Bool)] {
      let filter = NoticeFilter(kinds: kinds)
      #expect(filter.admits(.firing(snooze)) == admitsSnooze && filter.admits(.firing(plain)) == admitsPlain)
    }
  }
}
