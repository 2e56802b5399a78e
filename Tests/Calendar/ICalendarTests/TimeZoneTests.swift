import FencepostCalendarModel
import FencepostICalendar
import FencepostRecurrence
import FencepostTestSupport
import Testing

@Suite struct TimeZoneTests {
  /// The VTIMEZONE of a time has the offsets of the system's zone.
  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Asia/Kolkata", "Australia/Lord_Howe", "Europe/Dublin",
    "America/Sao_Paulo", "Africa/Casablanca", "Pacific/Auckland", "W. Europe Standard Time", "America/Nuuk",
  ])
  func systemZonesAreWritten(name: String) throws {
    let id = TimeZoneID(rawValue: name)
    let start = CalendarTime.zoned(CivilDateTime(year: 2026, month: 7, day: 1, hour: 9), id)
    let item = CalendarItem(
      calendar: calendarID, title: "T", details: .event(EventDetails(start: start, end: start)))
    let written = ICalendarWriter().text(of: ICalendarDocument(items: [item]))
    var definition = try #require(try read(written).timeZones.first)
    #expect(definition.id == id)
    definition.id = TimeZoneID(rawValue: "written")
    let database = TimeZoneDatabase()
    #expect(database.register(definition))
    let ours = try #require(database.zone(definition.id))
    let system = try #require(TimeZoneDatabase.system.zone(id))
    var random = SeededRandom(seed: 1)
    var wrong: [String] = []
    for _ in 0..<400 {
      let instant = Instant(seconds: Int64.random(in: 0...2_500_000_000, using: &random))
      if ours.offset(at: instant) != system.offset(at: instant) {
        wrong.append(
          "\(CalendarTime(instant).basicText) \(ours.offset(at: instant)) \(system.offset(at: instant))")
      }
    }
    #expect(wrong == [])
  }

  /// A zone is written once, if the file defines it or the system knows it. UTC has none.
  @Test func eachZoneIsWrittenOnce() throws {
    let text = event(
      "DTSTART;TZID=Europe/Berlin:20260101T090000\nDTEND;TZID=Europe/Berlin:20260101T100000\n"
        + "EXDATE;TZID=Asia/Tokyo:20260102T090000\nRDATE:20260105T090000Z\nRDATE;TZID=Nowhere:20260105T090000"
    )
    let item = try #require(try read(text).items.first)
    let written = contentLines(ICalendarWriter().text(of: ICalendarDocument(items: [item, item])))
    #expect(written.filter { $0.hasPrefix("TZID:") } == ["TZID:Europe/Berlin", "TZID:Asia/Tokyo"])
    #expect(!written.contains { $0.contains("libical") || $0.contains("freeassociation") })
  }

  /// Over a change of the clocks, an hour stays an hour and a day stays a day.
  @Test(arguments: [
    ("PT24H", "20260329T130000"), ("P1D", "20260329T120000"), ("P1DT1H", "20260329T130000"),
  ])
  func durationsAreExact(duration: String, end: String) throws {
    let item = try #require(
      try read(event("DTSTART;TZID=Europe/Berlin:20260328T120000\nDURATION:\(duration)")).items.first)
    #expect(item.event?.end.basicText == end)
    #expect(
      ICalendarWriter().text(of: ICalendarDocument(items: [item])).contains("\r\nDURATION:\(duration)\r\n"))
  }
}
