import FencepostCalDAV
import FencepostCalendarModel
import FencepostICalendar
import FencepostRecurrence
import Testing

@testable import FencepostCalDAVServer

@Suite("Time ranges of conditions")
struct TimeRangeTests {
  /// RFC 4791, section 9.9: the table for VTODO. The hours are of 3 May 2026.
  @Test(
    "A range contains reminders by the table of the standard",
    arguments: [
      ("DUE:20260503T100000Z", 9, 10, true), ("DUE:20260503T100000Z", 10, 11, false),
      ("DUE:20260503T100000Z", 8, 9, false), ("DUE:20260503T100000Z", 9, 11, true),
      ("DTSTART:20260503T100000Z", 10, 11, true), ("DTSTART:20260503T100000Z", 9, 10, false),
      ("DTSTART:20260503T100000Z", 11, 12, false),
      ("DTSTART:20260503T100000Z\nDUE:20260503T110000Z", 9, 10, false),
      ("DTSTART:20260503T100000Z\nDUE:20260503T110000Z", 10, 11, true),
      ("DTSTART:20260503T100000Z\nDUE:20260503T110000Z", 11, 12, false),
      ("DTSTART:20260503T100000Z\nDUE:20260503T100000Z", 9, 10, true),
      ("DTSTART:20260503T100000Z\nDUE:20260503T100000Z", 10, 11, true),
      ("DTSTART:20260503T100000Z\nDUE:20260503T100000Z", 11, 12, false),
      ("CREATED:20260503T080000Z\nSTATUS:COMPLETED\nCOMPLETED:20260503T100000Z", 9, 10, true),
      ("CREATED:20260503T080000Z\nSTATUS:COMPLETED\nCOMPLETED:20260503T100000Z", 11, 12, false),
      ("CREATED:20260503T080000Z\nSTATUS:COMPLETED\nCOMPLETED:20260503T100000Z", 6, 7, false),
      ("CREATED:20260503T080000Z", 8, 9, true), ("CREATED:20260503T080000Z", 7, 8, false),
      ("COMPLETED:20260503T100000Z\nSTATUS:COMPLETED", 10, 11, true),
      ("COMPLETED:20260503T100000Z\nSTATUS:COMPLETED", 11, 12, false),
      ("SUMMARY:Always", 1, 2, true),
    ])
  func reminders(properties: String, from: Int, until: Int, isContained: Bool) throws {
    let text = Sample.calendar(Sample.todo("a", "Milk", properties + "\n"))
    let items = try ICalendarReader(calendar: Identifier(rawValue: "l")).read(Array(text.utf8)).items
    func hour(_ hour: Int) -> Instant? {
      CalendarTime.utc(CivilDateTime(year: 2026, month: 5, day: 3, hour: hour)).utcInstant
    }
    let ranges = TimeRanges(of: items, resolver: TimeResolver(floating: .utc))
    #expect(ranges.contains(TimeRange(start: hour(from), end: hour(until)), "VTODO") == isContained)
  }

  /// Each alarm goes off at 9:50, and again at 9:55 and 10:00.
  @Test(
    "A range contains alarms that go off again in it",
    arguments: ["-PT10M", "PT20M"], ["TRIGGER", "TRIGGER;RELATED=START"])
  func repeatedAlarms(offset: String, trigger: String) throws {
    let start = offset == "-PT10M" ? "20260503T100000Z" : "20260503T093000Z"
    let alarm =
      "BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:x\n\(trigger):\(offset)\nREPEAT:2\nDURATION:PT5M\nEND:VALARM\n"
    for rule in ["", "RRULE:FREQ=DAILY;COUNT=3\n"] {
      let text = Sample.calendar(
        Sample.event("a", "Choir", "DTSTART:\(start)\nDURATION:PT1H\n\(rule)\(alarm)"))
      let items = try ICalendarReader(calendar: Identifier(rawValue: "l")).read(Array(text.utf8)).items
      func contains(_ from: Int, _ until: Int) -> Bool {
        func minute(_ minute: Int) -> Instant? {
          CalendarTime.utc(
            CivilDateTime(year: 2026, month: 5, day: 3, hour: 9 + minute / 60, minute: minute % 60)
          ).utcInstant
        }
        let ranges = TimeRanges(of: items, resolver: TimeResolver(floating: .utc))
        return ranges.contains(TimeRange(start: minute(from), end: minute(until)), "VALARM")
      }
      #expect(!contains(45, 50) && contains(50, 51) && !contains(51, 55))
      #expect(contains(55, 56) && !contains(56, 60) && contains(60, 61) && !contains(61, 75))
    }
  }
}
