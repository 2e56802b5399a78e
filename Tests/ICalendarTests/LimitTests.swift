import CalendarModel
import ICalendar
import Testing

/// Files that ask for too much get a message; what else is in them is kept.
@Suite struct LimitTests {
  private static let good = "BEGIN:VTODO\nUID:good\nEND:VTODO"

  /// Reads `head`, `body` so many times over, and `tail`, never holding all of it.
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
        "big.ics:2: VTODO: it nests more than 16 deep; it was left out"
      ])
  }

  @Test func aLineOfAHundredMegabytes() throws {
    let (items, document) = try read(
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:long\nDESCRIPTION:", String(repeating: "x", count: 1_000),
      times: 100_000,
      "\nSUMMARY:kept\nEND:VTODO\n\(LimitTests.good)\nEND:VCALENDAR\n")
    #expect(items.map(\.uid) == ["long", "good"])
    #expect(items.first?.title == "kept")
    #expect(document.warnings.map(\.description) == ["big.ics:4: a line that is too long was left out"])
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

  @Test func whatIsHeldUntilTheEnd() throws {
    var limits = ICalendarReader.Limits()
    limits.preservedBytes = 1_000
    let (_, document) = try read(
      "BEGIN:VCALENDAR\n", "BEGIN:VJOURNAL\nUID:a\nEND:VJOURNAL\n", times: 500, "X-A:1\nEND:VCALENDAR\n",
      limits: limits)
    #expect(document.preserved.components.count < 40)
    #expect(!document.warnings.isEmpty)
  }

  /// A pipe may hand out a byte at a time.
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

  /// What the visitor throws ends the reading.
  @Test func stopping() throws {
    struct Enough: Error {}
    #expect(throws: Enough.self) {
      _ = try ICalendarReader(calendar: calendarID).forEachItem(Array(todo("X:1").utf8)) { _ in throw Enough()
      }
    }
  }
}
