import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import Testing

@testable import FencepostInterchange

@Suite struct BirthdayTests {
  private static let calendarID = Identifier<ItemCalendar>(rawValue: "c")

  private func event(_ year: Int?, _ month: Int, _ day: Int) throws -> CalendarItem {
    let birthday = try #require(Contact.YearlyDay(year: year, month: month, day: day))
    let contact = Contact(uid: "u", name: "Ada", birthday: birthday)
    return try #require(BirthdayEvents.events(of: contact, in: Self.calendarID).first)
  }

  @Test("a birthday is a whole day, every year, from the first one on")
  func birthday() throws {
    let item = try event(1815, 12, 10)
    #expect(item.uid == "birthday-u")
    #expect(item.title == "Ada’s Birthday")
    #expect(item.event?.birthdayContact == "u")
    #expect(item.start == .date(CivilDay(year: 1815, month: 12, day: 10)))
    #expect(item.event?.end == .date(CivilDay(year: 1815, month: 12, day: 11)))
    #expect(item.event?.availability == .free)
    #expect(item.recurrence?.rules == [RecurrenceRule(.yearly)])
  }

  @Test("no year becomes 1604, like Apple's; 29 February is the last day of February")
  func special() throws {
    #expect(try event(nil, 12, 31).start == .date(CivilDay(year: 1604, month: 12, day: 31)))
    for year in [nil, 1984] {
      let leap = try event(year, 2, 29)
      #expect(leap.start == .date(CivilDay(year: year ?? 1604, month: 2, day: 29)))
      #expect(leap.recurrence?.rules.first?.byMonthDay == [-1])
      #expect(leap.recurrence?.rules.first?.byMonth == [2])
    }
  }

  @Test("anniversaries are events without a birthday contact")
  func anniversaries() throws {
    let day = try #require(Contact.YearlyDay(year: 2001, month: 5, day: 4))
    let contact = Contact(
      uid: "u", name: "Ada",
      anniversaries: [.init(label: nil, day: day), .init(label: "First day at work", day: day)])
    let events = BirthdayEvents.events(of: contact, in: Self.calendarID)
    #expect(events.map(\.title) == ["Ada’s Anniversary", "Ada: First day at work"])
    #expect(events.map(\.uid) == ["anniversary-u", "anniversary-2-u"])
    #expect(events.allSatisfy { $0.event?.birthdayContact == nil })
  }

  @Test("there is one birthday calendar, of EventKit's kind")
  func birthdayCalendar() throws {
    let store = try CalendarStore()
    func birthdays() throws -> ItemCalendar? {
      let found = try store.read { try $0.birthdayCalendar(titled: "Birthdays") }
      try store.write { try $0.save(found) }
      return try store.read { try $0.calendar(found.id) }
    }
    let made = try #require(try birthdays())
    #expect(made.kind == .birthday && !made.allowsContentModifications && made.isImmutable)
    #expect(try birthdays() == made)
    #expect(try store.read { try $0.source(made.source) }?.kind == .birthdays)
    try store.write { _ = try $0.list("Work") }
    #expect(throws: InterchangeError.self) {
      _ = try store.read { try $0.birthdayCalendar(titled: "Work") }
    }
  }
}
