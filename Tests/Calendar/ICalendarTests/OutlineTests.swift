import FencepostICalendar
import Testing

@Suite("The outline of a file")
struct OutlineTests {
  private func outline(_ text: String) throws -> ICalendarOutline {
    try ICalendarReader(calendar: calendarID).readOutlined(Array(text.utf8), name: "test.ics").outline
  }

  @Test("counts the components of the calendar, readable or not, and comes with the document")
  func counts() throws {
    let text = calendar(
      "BEGIN:VTODO\nUID:a\nEND:VTODO\nBEGIN:VTODO\nEND:VTODO\nBEGIN:VJOURNAL\nUID:j\nEND:VJOURNAL")
    let (document, outline) = try ICalendarReader(calendar: calendarID).readOutlined(
      Array(text.utf8), name: "test.ics")
    #expect(outline.isOneCalendar && outline.lacksUID)
    #expect(outline.components == ["VTODO": 2, "VJOURNAL": 1])
    #expect(document == (try read(text)))
    #expect(try !self.outline(todo("X-A:1")).lacksUID)
  }

  @Test(
    "tells one whole calendar from everything else",
    arguments: [
      todo("") + todo(""), todo("") + "X-A:1\n", "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nEND:VTODO\n",
      calendar("BEGIN:VTODO\nUID:a"), calendar("BEGIN:VTODO\nBEGIN:VALARM\nEND:VTODO"), calendar("END:VTODO"),
      calendar("BEGIN:VTODO\nUID:a\nBEGIN:VEVENT\nUID:b\nEND:VEVENT"), todo("") + "END:VCALENDAR\n",
    ])
  func others(text: String) throws { #expect(try !outline(text).isOneCalendar) }
}
