import FencepostCalendarModel
import Testing

@testable import FencepostICalendar

@Suite("The way to an event")
struct TravelTimeTests {
  private static func event(_ lines: String...) -> CalendarItem {
    let start = CalendarTime.utc(CivilDateTime(year: 2026, month: 5, day: 3, hour: 10))
    var item = CalendarItem(
      calendar: Identifier(rawValue: "l"), uid: "a", title: "Choir",
      details: .event(EventDetails(start: start, end: start)))
    item.preserved.properties = lines
    return item
  }

  @Test(
    "Apple's line says how long the way takes",
    arguments: [
      ("X-APPLE-TRAVEL-DURATION;VALUE=DURATION:PT30M", 1_800), ("x-apple-travel-duration:PT1H", 3_600),
      ("X-APPLE-TRAVEL-DURATION:-PT5M", nil), ("X-APPLE-TRAVEL-DURATION:soon", nil),
      ("X-APPLE-TRAVEL-DURATION-OTHER:PT5M", nil), ("X-APPLE-TRAVEL-START:PT5M", nil),
    ])
  func read(line: String, seconds: Int?) { #expect(Self.event(line).travelTime == seconds) }

  @Test("A new value replaces the line, and the same value keeps it as it is")
  func write() {
    var item = Self.event("X-OTHER:1", "X-APPLE-TRAVEL-DURATION;X-A=1:PT60M")
    item.travelTime = 3_600
    #expect(item.preserved.properties == ["X-OTHER:1", "X-APPLE-TRAVEL-DURATION;X-A=1:PT60M"])
    item.travelTime = 900
    #expect(item.preserved.properties == ["X-OTHER:1", "X-APPLE-TRAVEL-DURATION;VALUE=DURATION:PT15M"])
    item.travelTime = nil
    #expect(item.preserved.properties == ["X-OTHER:1"])
  }
}
