import FencepostCalendarModel
import FencepostICalendar
import Testing

/// Hostile and damaged files give a message with file and line, and never a crash. The sizes suit a test;
/// `LimitTests` covers the limits.
@Suite struct HostileFileTests {
  private func read(_ bytes: [UInt8]) throws -> ICalendarDocument {
    try ICalendarReader(calendar: calendarID).read(bytes, name: "x.ics")
  }

  private func warnings(_ text: String) throws -> [String] {
    try read(Array(text.utf8)).warnings.map(\.description)
  }

  @Test("UTF-16 gives its own message", arguments: [false, true])
  func utf16(isBigEndian: Bool) {
    let text = "\u{FEFF}" + calendar("BEGIN:VTODO\nUID:a\nEND:VTODO")
    let bytes = text.utf16.flatMap { unit in
      isBigEndian ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    }
    let error = #expect(throws: ICalendarError.self) { _ = try read(bytes) }
    #expect(
      error?.description == "x.ics:1: is in UTF-16, but iCalendar needs UTF-8; convert it with iconv")
  }

  @Test("compressed files give their own message")
  func packed() {
    let error = #expect(throws: ICalendarError.self) { _ = try read([0x1F, 0x8B, 8, 0, 0, 0, 0, 0]) }
    #expect(error?.description == "x.ics:1: is compressed with gzip; decompress it first")
  }

  @Test("broken UTF-8 and NUL bytes become U+FFFD, with a warning for the line")
  func brokenText() throws {
    var bytes = Array(calendar("BEGIN:VTODO\nUID:a\nSUMMARY:a@b\nDESCRIPTION:c@d\nEND:VTODO").utf8)
    let at = bytes.indices.filter { bytes[$0] == UInt8(ascii: "@") }
    bytes[at[0]] = 0
    bytes[at[1]] = 0xC3
    let document = try read(bytes)
    #expect(document.items.first?.title == "a\u{FFFD}b")
    #expect(document.items.first?.notes == "c\u{FFFD}d")
    #expect(
      document.warnings.map(\.description)
        == [5, 6].map {
          "x.ics:\($0): replaced invalid UTF-8 or control characters by U+FFFD"
        })
  }

  @Test(
    "an impossible offset only loses its part of the zone",
    arguments: ["+2400", "-0060", "0100", "+01", "+1:00", "nonsense", "+999999999999999999999"])
  func offsets(offset: String) throws {
    let warnings = try warnings(
      calendar(
        """
        BEGIN:VTIMEZONE
        TZID:Wrong
        BEGIN:STANDARD
        DTSTART:19700101T000000
        TZOFFSETFROM:\(offset)
        TZOFFSETTO:+0100
        END:STANDARD
        END:VTIMEZONE
        BEGIN:VEVENT
        UID:a
        DTSTART;TZID=Wrong:20260101T090000
        END:VEVENT
        """))
    try #require(warnings.count == 3)
    #expect(warnings[0].hasPrefix("x.ics:5: STANDARD of zone Wrong: "))
    #expect(warnings[1] == "x.ics:3: VTIMEZONE Wrong has no offset: skipped")
    #expect(warnings[2].hasPrefix("x.ics:13: the time zone 'Wrong' is unknown here"))
  }

  @Test("zones with too many parts are skipped, and so are too many zones")
  func zoneParts() throws {
    func zone(_ name: String, _ parts: Int) -> String {
      let part = "BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0100\nEND:STANDARD"
      return "BEGIN:VTIMEZONE\nTZID:\(name)\n"
        + Array(repeating: part, count: parts).joined(separator: "\n") + "\nEND:VTIMEZONE"
    }
    let hostile = try read(Array(calendar(zone("A", 1_001) + "\n" + zone("B", 1_000)).utf8))
    #expect(hostile.timeZones.map(\.id.rawValue) == ["B"])
    #expect(
      hostile.warnings.map(\.description)
        == ["x.ics:3: VTIMEZONE A has 1001 parts, too many: skipped"])
    let many = try read(Array(calendar((0..<12).map { zone("Z\($0)", 900) }.joined(separator: "\n")).utf8))
    #expect(many.timeZones.count == 11)
    #expect(many.warnings.count == 1)
    #expect(
      many.warnings.first?.message
        == "the time zones of this file have more than 10000 parts: the others are skipped")
  }

  @Test(
    "an end before the start moves to the start",
    arguments: [
      ("DTSTART:20260101T090000Z", "DTEND:20260101T080000Z"),
      ("DTSTART;VALUE=DATE:20260105", "DTEND;VALUE=DATE:20260101"),
      ("DTSTART:20260101T090000Z", "DURATION:-PT1H"),
    ])
  func ends(start: String, end: String) throws {
    let document = try read(Array(event("\(start)\n\(end)").utf8))
    let item = try #require(document.items.first?.event)
    #expect(item.end >= item.start)
    #expect(document.warnings.map(\.description).first?.hasPrefix("x.ics:3: the event ends before") == true)
  }

  @Test("a file truncated anywhere keeps its complete items, with a warning")
  func truncation() throws {
    let text = Array(
      calendar(
        (1...3).map {
          "BEGIN:VTODO\nUID:\($0)\nSUMMARY:T\($0)\nBEGIN:VALARM\nTRIGGER:-PT5M\nEND:VALARM\nEND:VTODO"
        }
        .joined(separator: "\n")
      ).utf8)
    let end = Array("END:VTODO".utf8)
    for length in 16..<text.count - 14 {
      let bytes = Array(text[..<length])
      let whole = bytes.indices.dropLast(end.count - 1).filter {
        bytes[$0..<$0 + end.count].elementsEqual(end)
      }
      let document = try read(bytes)
      #expect(document.items.count == whole.count, "cut at \(length)")
      #expect(document.isCutOff && !document.warnings.isEmpty, "cut at \(length)")
    }
    #expect(try !read(text).isCutOff)
  }
}

extension CalendarTime {
  fileprivate static func >= (a: CalendarTime, b: CalendarTime) -> Bool { !(a.civil < b.civil) }
}
