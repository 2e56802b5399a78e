import FencepostCalendarModel
import FencepostICalendar
import FencepostTestSupport
import Testing

@Suite("Kept properties of JSCalendar")
struct JSPropertyTests {
  @Test(
    "Any name and value survives, also in a file",
    arguments: ["color", "a,b", "a;b:c", "a\"b", "a^b^n", "ä/~", "a b", "example.org:x", "=", "x=1"])
  func names(name: String) throws {
    var item = CalendarItem(
      calendar: Identifier(rawValue: "c"), uid: "u", title: "a", details: .reminder(ReminderDetails()))
    let properties = [
      JSProperty(name: name, json: #"{"a":"x,y;\\n\"\\\\ü","b":[1,2]}"#),
      JSProperty(name: "other", json: "1"),
    ]
    item.jsProperties = properties
    #expect(item.jsProperties == properties)
    let text = ICalendarWriter().text(of: ICalendarDocument(items: [item]))
    let read = try ICalendarReader(calendar: item.calendar).read(Array(text.utf8)).items
    #expect(read.first?.jsProperties == properties)
  }
}
