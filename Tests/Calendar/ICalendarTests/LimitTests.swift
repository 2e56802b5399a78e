import FencepostCalendarModel
import FencepostICalendar
import Testing

/// Files beyond the limits give a message. Their other content is kept.
@Suite struct LimitTests {
  private static let good = "BEGIN:VTODO\nUID:good\nEND:VTODO"

  /// No limit on the parts of an item, so that quadratic code would not finish.
  private static var unbounded: ICalendarReader.Limits {
    var limits = ICalendarReader.Limits()
    limits.itemAlarms = .max
    limits.itemParts = .max
    return limits
  }

  /// Reads `head`, then `body` many times, then `tail`, without holding all of it.
  private func read(
    _ head: String, _ body: String, times: Int, _ tail: String, limits: ICalendarReader.Limits = .init()
  ) throws -> (items: [CalendarItem], document: ICalendarDocument) {
    let body = Array(body.utf8)
    var pending = Array(head.utf8)[...]
    var left = times
    var isAtTail = false
    var items: [CalendarItem] = []
    let document = try ICalendarReader(calendar: calendarID, limits: limits).forEachItem(
      from: { buffer in
        if pending.isEmpty {
          if left > 0 {
            let count = min(left, max(1, 100_000 / body.count))
            pending = ArraySlice((0..<count).flatMap { _ in body })
            left -= count
          } else if !isAtTail {
            isAtTail = true
            pending = Array(tail.utf8)[...]
          }
        }
        let chunk = pending.prefix(buffer.count)
        buffer.copyBytes(from: chunk)
        pending = pending.dropFirst(chunk.count)
        return chunk.count
      }, name: "big.ics"
    ) { items.append($0) }
    return (items, document)
  }

  @Test func nesting() throws {
    let (items, document) = try read(
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:deep\n", "BEGIN:X-A\n", times: 10_000,
      String(repeating: "END:X-A\n", count: 10_000) + "END:VTODO\n\(LimitTests.good)\nEND:VCALENDAR\n")
    #expect(items.map(\.uid) == ["good"])
    #expect(
      document.warnings.map(\.description) == [
        "big.ics:2: VTODO: it nests deeper than 16 levels; skipped"
      ])
  }

  @Test func aLineOfAHundredMegabytes() throws {
    let (items, document) = try read(
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:long\nDESCRIPTION:", String(repeating: "x", count: 1_000),
      times: 100_000,
      "\nSUMMARY:kept\nEND:VTODO\n\(LimitTests.good)\nEND:VCALENDAR\n")
    #expect(items.map(\.uid) == ["long", "good"])
    #expect(items.first?.title == "kept")
    #expect(document.warnings.map(\.description) == ["big.ics:4: skipped a line that is too long"])
  }

  @Test func aFoldedLineWithoutEnd() throws {
    var limits = ICalendarReader.Limits()
    limits.lineBytes = 10_000
    let (items, document) = try read(
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:long\nDESCRIPTION:", "\n xxxxxxxxxxxxxxxxxxxx", times: 50_000,
      "\nEND:VTODO\nEND:VCALENDAR\n", limits: limits)
    #expect(items.map(\.uid) == ["long"])
    #expect(document.warnings.count == 1)
  }

  @Test func linesWithoutEnd() throws {
    let (items, document) = try read(
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:many\n", "X-A:1\n", times: 300_000,
      "END:VTODO\n\(LimitTests.good)\nEND:VCALENDAR\n")
    #expect(items.map(\.uid) == ["good"])
    #expect(document.warnings.first?.message.contains("more than 200000 lines") == true)
  }

  @Test func aComponentThatIsTooLarge() throws {
    var limits = ICalendarReader.Limits()
    limits.componentBytes = 5_000
    let (items, document) = try read(
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:many\n", "X-A:1\n", times: 3_000,
      "END:VTODO\n\(LimitTests.good)\nEND:VCALENDAR\n", limits: limits)
    #expect(items.map(\.uid) == ["good"])
    #expect(document.warnings.first?.message.contains("larger than 5000 bytes") == true)
  }

  @Test func warnings() throws {
    let (items, document) = try read(
      "BEGIN:VCALENDAR\n", "BEGIN:VEVENT\nUID:a\nEND:VEVENT\n", times: 2_500, "END:VCALENDAR\n")
    #expect(items.isEmpty)
    #expect(document.warnings.count == 1_000)
    #expect(document.omittedWarnings == 1_500)
  }

  /// No client writes this. The alarms would burden every due time, undo and export.
  @Test(arguments: [
    ("BEGIN:VALARM\nTRIGGER:-PT15M\nEND:VALARM\n", 1_001, "1001 alarms"),
    ("ATTENDEE:mailto:ann@example.org\n", 10_001, "10001 attendees"),
    ("RDATE:20260601T080000Z\nEXDATE:20260601T080000Z\n", 5_001, "10002 dates"),
  ])
  func partsOfAnItem(part: String, count: Int, named: String) throws {
    let (items, document) = try read(
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:many\nDTSTART:20260601T080000Z\n", part, times: count,
      "END:VTODO\n\(Self.good)\nEND:VCALENDAR\n")
    #expect(items.map(\.uid) == ["good"])
    #expect(document.warnings.contains { $0.message.contains(named) })
  }

  /// Each place is an alarm that keeps its own component, not copies of all.
  @Test func anAlarmOfManyPlaces() throws {
    let count = 20_000
    let (items, _) = try read(
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:many\nBEGIN:VALARM\nTRIGGER:-PT15M\nPROXIMITY:ARRIVE\n"
        + String(repeating: "X-A:1\n", count: 100),
      "BEGIN:VLOCATION\nNAME:A\nURL:geo:52,13\nX-B:1\nEND:VLOCATION\n", times: count,
      "END:VALARM\nEND:VTODO\nEND:VCALENDAR\n", limits: Self.unbounded)
    let alarms = try #require(items.first?.alarms)
    #expect(alarms.count == count)
    #expect(alarms.reduce(0) { $0 + $1.preserved.components.count } == count)
    // The other lines are not copied either: they stay with the first alarm.
    #expect(alarms.reduce(0) { $0 + $1.preserved.properties.count } == 100)
  }

  /// Lines that define alarms, and many alarms that each line could refer to. Code that checks each alarm for
  /// each line would not finish.
  @Test(arguments: ["X-MOZ-SNOOZE-TIME-1", "X-MOZ-LASTACK", "X-GEOFENCE-RADIUS"])
  func manyLinesAndManyAlarms(name: String) throws {
    let count = 40_000
    let value = name == "X-GEOFENCE-RADIUS" ? "100" : "20260601T090000Z"
    let alarms = String(
      repeating: "BEGIN:VALARM\nTRIGGER;VALUE=DATE-TIME:19760401T005545Z\nEND:VALARM\n", count: count)
    let (items, _) = try read(
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:many\nGEO:52;13\n", "\(name):\(value)\n", times: count,
      alarms + "END:VTODO\nEND:VCALENDAR\n", limits: Self.unbounded)
    let item = try #require(items.first)
    #expect(item.alarms.count >= count)
    let text = ICalendarWriter().text(of: ICalendarDocument(items: items))
    let lines = text.split(separator: "\r\n")
    #expect(lines.count { $0.hasPrefix(name) } == count)
    #expect(lines.count { $0 == "BEGIN:VALARM" } == count)
  }

  /// Each snooze defines its own alarm.
  @Test func manySnoozes() throws {
    let count = 20_000
    let lines = (0..<count).map { "X-MOZ-SNOOZE-TIME-\($0):20260601T090000Z\n" }.joined()
    let (items, _) = try read(
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:many\n", lines, times: 1,
      "DTSTART:20260601T080000Z\nBEGIN:VALARM\nTRIGGER:-PT15M\nEND:VALARM\nEND:VTODO\nEND:VCALENDAR\n",
      limits: Self.unbounded)
    #expect(items.first?.alarms.count == count + 1)
    let text = ICalendarWriter().text(of: ICalendarDocument(items: items)).split(separator: "\r\n")
    #expect(text.count { $0.hasPrefix("X-MOZ-SNOOZE") } == count)
    #expect(text.count { $0 == "BEGIN:VALARM" } == 1)
  }

  /// Participants whose lines the writer would spell differently.
  @Test func manyPeople() throws {
    let count = 20_000
    let lines = (0..<count).map { "ATTENDEE;CN=\"Ann\":mailto:\($0)@example.org\n" }.joined()
    let (items, _) = try read(
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:many\n", lines, times: 1, "END:VTODO\nEND:VCALENDAR\n",
      limits: Self.unbounded)
    #expect(items.first?.attendees.count == count)
    let text = ICalendarWriter().text(of: ICalendarDocument(items: items))
    #expect(text.split(separator: "\r\n").count { $0.hasPrefix("ATTENDEE;CN=\"Ann\"") } == count)
  }

  @Test func whatIsHeldUntilTheEnd() throws {
    var limits = ICalendarReader.Limits()
    limits.preservedBytes = 1_000
    let (_, document) = try read(
      "BEGIN:VCALENDAR\n", "BEGIN:VJOURNAL\nUID:a\nEND:VJOURNAL\n", times: 500, "X-A:1\nEND:VCALENDAR\n",
      limits: limits)
    #expect(document.preserved.components.count < 40)
    #expect(!document.warnings.isEmpty)
  }

  /// A pipe may deliver a byte at a time.
  @Test func smallPieces() throws {
    var rest = Array(("\u{FEFF}" + todo("DESCRIPTION:fol\r\n ded").replacing("\n", with: "\r\n")).utf8)[...]
    var items: [CalendarItem] = []
    _ = try ICalendarReader(calendar: calendarID).forEachItem(
      from: { buffer in
        guard let byte = rest.popFirst() else { return 0 }
        buffer[0] = byte
        return 1
      }, name: "pipe"
    ) { items.append($0) }
    #expect(items.first?.uid == "t")
  }

  /// An error of the visitor stops the reader.
  @Test func stopping() throws {
    struct Enough: Error {}
    #expect(throws: Enough.self) {
      _ = try ICalendarReader(calendar: calendarID).forEachItem(Array(todo("X:1").utf8)) { _ in throw Enough()
      }
    }
  }
}
