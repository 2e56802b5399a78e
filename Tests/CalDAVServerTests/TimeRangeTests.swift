import CalDAV
import CalendarModel
import ICalendar
import Recurrence
import Testing

@testable import CalDAVServer

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

  /// RFC 4791, section 9.9: an alarm is in a range if one of its triggers is. The minutes are before and after 10:00.
  @Test(
    "A range contains each repetition of an alarm",
    arguments: [
      ("-PT10M", "\nREPEAT:2\nDURATION:PT5M", -10, -9, true),
      ("-PT10M", "\nREPEAT:2\nDURATION:PT5M", -5, -4, true),
      ("-PT10M", "\nREPEAT:2\nDURATION:PT5M", 0, 1, true),
      ("-PT10M", "\nREPEAT:2\nDURATION:PT5M", 5, 6, false),
      ("-PT10M", "\nREPEAT:2\nDURATION:PT5M", -8, -6, false), ("-PT10M", "", -5, -4, false),
      ("-PT10M", "", -10, -9, true), ("-PT10M", "\nREPEAT:2\nDURATION:PT0S", -5, -4, false),
      ("20260503T095000Z", "\nREPEAT:2\nDURATION:PT5M", -5, -4, true),
      ("20260503T095000Z", "\nREPEAT:2\nDURATION:PT5M", 5, 6, false),
    ])
  func alarms(trigger: String, repetitions: String, from: Int, until: Int, isContained: Bool) throws {
    let absolute = trigger.hasSuffix("Z") ? ";VALUE=DATE-TIME" : ""
    let alarm = "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER\(absolute):\(trigger)\(repetitions)\nEND:VALARM\n"
    let text = Sample.calendar(
      Sample.event("a", "Milk", "DTSTART:20260503T100000Z\nDTEND:20260503T100500Z\n" + alarm))
    let items = try ICalendarReader(calendar: Identifier(rawValue: "l")).read(Array(text.utf8)).items
    let ten = try #require(
      CalendarTime.utc(CivilDateTime(year: 2026, month: 5, day: 3, hour: 10)).utcInstant)
    let ranges = TimeRanges(of: items, resolver: TimeResolver(floating: .utc))
    let range = TimeRange(
      start: ten.adding(seconds: Double(from * 60)), end: ten.adding(seconds: Double(until * 60)))
    #expect(ranges.contains(range, "VALARM") == isContained)
  }
}
