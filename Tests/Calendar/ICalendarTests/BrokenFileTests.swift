import FencepostCalendarModel
import FencepostICalendar
import FencepostTestSupport
import Foundation
import Testing

@Suite struct BrokenFileTests {
  private static let good = "BEGIN:VTODO\nUID:good\nSUMMARY:Good\nEND:VTODO"

  struct Case: Sendable, CustomTestStringConvertible {
    var body: String
    var line: Int
    var message: String
    var kept = 1
    var testDescription: String { message }
  }

  /// Each case precedes a good reminder, which is kept. The first line of the body is line 3.
  static let cases: [Case] = [
    .init(
      body: "BEGIN:VEVENT\nUID:a\nSUMMARY:No start\nEND:VEVENT", line: 3,
      message: "without a readable DTSTART"),
    .init(
      body: "BEGIN:VEVENT\nUID:a\nDTSTART:20261301T000000\nEND:VEVENT", line: 5,
      message: "is not a valid date or time"
    ),
    .init(
      body: "BEGIN:VEVENT\nUID:a\nDTSTART:2026-01-01\nEND:VEVENT", line: 5,
      message: "'2026-01-01' is read as 20260101", kept: 2),
    .init(
      body: "BEGIN:VEVENT\nUID:a\nDTSTART:+0260101\nEND:VEVENT", line: 5,
      message: "is not a valid date or time"),
    .init(
      body: "BEGIN:VEVENT\nUID:a\nDTSTART:20260101T240000Z\nEND:VEVENT", line: 5,
      message: "is read as 20260102T000000Z", kept: 2),
    .init(body: "BEGIN:VEVENT\nUID:a\nDTSTART:20260101", line: 3, message: "has no END before line 6"),
    .init(
      body: "BEGIN:VTODO\nUID:a\nBEGIN:VALARM\nTRIGGER:-PT1M\nEND:VTODO", line: 3,
      message: "END:VTODO on line 7 instead of END:VALARM"),
    .init(
      body: "BEGIN:VEVENT\nUID:a\nDTSTART:20260102T000000Z\nDTEND:20260101T000000Z\nEND:VEVENT", line: 3,
      message: "ends before it starts", kept: 2),
    .init(
      body: "BEGIN:VEVENT\nUID:a\nDTSTART:20260102T000000Z\nDTEND;VALUE=DATE:20260103\nEND:VEVENT", line: 3,
      message: "only one of DTSTART and DTEND has a time", kept: 2),
    .init(
      body: "BEGIN:VTODO\nUID:a\nPRIORITY:high\nEND:VTODO", line: 5, message: "'high' is not a number",
      kept: 2),
    .init(body: "BEGIN:VTODO\nUID:a\nPRIORITY:10\nEND:VTODO", line: 5, message: "from 0 to 9", kept: 2),
    .init(
      body: "BEGIN:VTODO\nUID:a\nSEQUENCE:99999999999999999999\nEND:VTODO", line: 5,
      message: "is not a number",
      kept: 2),
    .init(body: "BEGIN:VTODO\nUID:a\nDUE:tomorrow\nEND:VTODO", line: 5, message: "'tomorrow'", kept: 2),
    .init(
      body: "BEGIN:VTODO\nUID:a\nRRULE:FREQ=SOMETIMES\nEND:VTODO", line: 5,
      message: "FREQ=SOMETIMES should be", kept: 2
    ),
    .init(body: "BEGIN:VTODO\nUID:a\nRRULE:COUNT=2\nEND:VTODO", line: 5, message: "FREQ is missing", kept: 2),
    .init(
      body: "BEGIN:VTODO\nUID:a\nSTATUS:DONE\nEND:VTODO", line: 5, message: "not a valid status of VTODO",
      kept: 2),
    .init(
      body: "BEGIN:VTODO\nUID:a\nGEO:north\nEND:VTODO", line: 5, message: "is not a valid place", kept: 2),
    .init(body: "BEGIN:VTODO\nUID:a\nno colon here\nEND:VTODO", line: 5, message: "not a property", kept: 2),
    .init(body: "BEGIN:VTODO\nSUMMARY:x\nEND:VTODO", line: 3, message: "without a UID", kept: 2),
    .init(
      body: "BEGIN:VTODO\nUID:a\nBEGIN:VALARM\nTRIGGER:PT0S\nPROXIMITY:ARRIVE\nEND:VALARM\nEND:VTODO",
      line: 5,
      message: "never goes off", kept: 2),
    .init(
      body: "BEGIN:VTIMEZONE\nTZID:Z\nBEGIN:STANDARD\nDTSTART:20200101T000000\nTZOFFSETFROM:+0100\n"
        + "TZOFFSETTO:+9900\nEND:STANDARD\nEND:VTIMEZONE", line: 5, message: "out of range for an offset"),
    .init(body: "BEGIN:VTIMEZONE\nEND:VTIMEZONE", line: 3, message: "without a TZID"),
    .init(body: "CALSCALE:HEBREW", line: 3, message: "reading it as GREGORIAN"),
    .init(body: "END:VEVENT", line: 3, message: "outside a calendar"),
    .init(body: "VERSION:1.0", line: 3, message: "not 2.0"),
  ]

  @Test(arguments: cases)
  func costsItselfAlone(_ broken: Case) throws {
    let document = try read(calendar("\(broken.body)\n\(BrokenFileTests.good)"))
    #expect(document.items.count == broken.kept)
    #expect(document.items.last?.uid == "good")
    let warning = try #require(document.warnings.first)
    #expect(warning.description.hasPrefix("test.ics:\(broken.line): "))
    #expect(warning.message.contains(broken.message))
  }

  /// Unreadable content is written unchanged.
  @Test func keepsWhatItCannotRead() throws {
    let document = try read(todo("PRIORITY:high\nDUE:tomorrow\nRRULE:FREQ=SOMETIMES\nX:1"))
    let text = ICalendarWriter().text(of: document)
    for line in ["PRIORITY:high", "DUE:tomorrow", "RRULE:FREQ=SOMETIMES", "X:1"] {
      #expect(text.contains("\r\n\(line)\r\n"))
    }
  }

  @Test(arguments: [
    ("", "is empty"), ("\n\r\n \n", "is empty"), ("\u{FEFF}", "is empty"),
    ("hello\n", "does not begin with BEGIN:VCALENDAR"),
    ("<?xml version=\"1.0\"?>\n<gpx/>", "does not begin with BEGIN:VCALENDAR"),
    ("BEGIN:VCARD\nEND:VCARD\n", "does not begin with BEGIN:VCALENDAR"),
    ("\u{FF}\u{D8}\u{FF}\u{E0}\0\u{10}JFIF", "does not begin with BEGIN:VCALENDAR"),
    ("BEGIN:VEVENT\nEND:VEVENT\n", "does not begin with BEGIN:VCALENDAR"),
  ])
  func refusesWhatIsNoCalendar(text: String, message: String) throws {
    let error = #expect(throws: ICalendarError.self) { try read(text) }
    #expect(error?.description.hasPrefix("test.ics") == true)
    #expect(error?.message.contains(message) == true)
  }

  @Test func refusesWhatIsNoFile() throws {
    let directory = try TemporaryDirectory()
    let reader = ICalendarReader(calendar: calendarID)
    let folder = #expect(throws: ICalendarError.self) { try reader.read(path: directory.url.path) }
    #expect(folder?.message.contains("is a directory") == true)
    let missing = #expect(throws: ICalendarError.self) { try reader.read(path: directory.path("none.ics")) }
    #expect(missing?.description.contains("none.ics: can't be read: No such file") == true)
    let path = try directory.write(calendar(BrokenFileTests.good), to: "good.ics")
    #expect(try reader.read(path: path).items.count == 1)
  }

  @Test func readsMarksLineEndsAndSeveralCalendars() throws {
    let text = "\u{FEFF}" + calendar(BrokenFileTests.good) + "\n" + calendar("BEGIN:VTODO\nUID:b\nEND:VTODO")
    for ending in ["\n", "\r\n", "\r"] {
      let document = try read(text.replacing("\n", with: ending))
      #expect(document.items.map(\.uid) == ["good", "b"])
      #expect(document.warnings.isEmpty)
    }
    // Line numbers are those of an editor, including folded and blank lines.
    let broken = try read(calendar("BEGIN:VTODO\nUID:a\nSUMMARY:fol\n ded\n\nDUE:x\nEND:VTODO"))
    #expect(broken.warnings.first?.line == 8)
    #expect(broken.items.first?.title == "folded")
  }

  @Test func saysWhereTheFileIsCutOff() throws {
    let document = try read("BEGIN:VCALENDAR\n\(BrokenFileTests.good)\nBEGIN:VTODO\nUID:b\nSUMM")
    #expect(document.items.map(\.uid) == ["good"])
    #expect(document.warnings.map(\.message).joined().contains("the file ends within it"))
    #expect(document.warnings.map(\.message).joined().contains("truncated"))
  }

  @Test func repairsBrokenText() throws {
    var bytes = Array(todo("DESCRIPTION:a?b\nLOCATION:c%d").utf8)
    bytes = bytes.map { $0 == UInt8(ascii: "?") ? 0xE9 : $0 == UInt8(ascii: "%") ? 0 : $0 }
    let document = try ICalendarReader(calendar: calendarID).read(bytes, name: "l1.ics")
    #expect(document.items.first?.notes == "a\u{FFFD}b")
    #expect(document.items.first?.location == "c\u{FFFD}d")
    #expect(document.warnings.map(\.line) == [6, 7])
  }

  @Test func calendarsThatWereNotEndedEndAtTheNext() throws {
    let document = try read(
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nBEGIN:VCALENDAR\n\(BrokenFileTests.good)\nEND:VCALENDAR\n")
    #expect(document.items.map(\.uid) == ["good"])
    #expect(document.warnings.count == 1)
  }

  @Test("blanks around a date, number or word are ignored, and written again")
  func blanks() throws {
    let lines = [
      "DTSTART:20260105T090000Z ", "DTEND: 20260105T100000Z", "RRULE:FREQ=DAILY;COUNT=9 ",
      "EXDATE:20260106T090000Z ", "EXDATE:20260107T090000Z, 20260108T090000Z", "SEQUENCE:3 ", "PRIORITY:5\t",
      "STATUS:CANCELLED ", "LAST-MODIFIED:20260101T000000Z ", "TRANSP:TRANSPARENT ", "CLASS:PRIVATE ",
      "BEGIN:VALARM", "ACTION:DISPLAY ", "TRIGGER:-PT15M ", "DESCRIPTION:E", "END:VALARM",
    ]
    let document = try read(event(lines.joined(separator: "\n")))
    #expect(document.warnings.isEmpty)
    let item = try #require(document.items.first)
    #expect(item.recurrence?.exceptionDates.map(\.day.components.day) == [6, 7, 8])
    #expect(item.start?.zone == .utc && item.event?.end.civil.hour == 10 && item.recurrence?.rules.count == 1)
    #expect(item.sequence == 3 && item.priority == 5 && item.event?.status == .cancelled)
    #expect(item.event?.availability == .free && item.classification == .private && item.lastModified != nil)
    #expect(item.alarms.first?.trigger == .relative(CalendarDuration(seconds: -900), to: .start))
    #expect(item.alarms.first?.action == .display)
    let written = contentLines(ICalendarWriter().text(of: document))
    for line in lines { #expect(written.filter { $0 == line }.count == 1, "\(line)") }
    // In a text they matter.
    #expect(try read(event("DTSTART:20260105\nLOCATION: Room ")).items.first?.location == " Room ")
  }
}
