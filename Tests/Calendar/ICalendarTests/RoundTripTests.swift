import FencepostCalendarModel
import FencepostICalendar
import FencepostTestSupport
import Testing

@Suite struct RoundTripTests {
  @Test(arguments: UInt64(1)...60)
  func readsWhatItWrites(seed: UInt64) throws {
    var random = RandomItem(seed: seed)
    let items = (0..<5).map { _ in random.item() }
    let text = ICalendarWriter().text(of: ICalendarDocument(items: items))
    let again = try read(text)
    #expect(again.warnings.allSatisfy { $0.message.contains("zone 'My; own") }, "seed \(seed)")
    #expect(again.items.count == items.count, "seed \(seed)")
    for (item, other) in zip(items, again.items) {
      #expect(differences(item, other) == [], "seed \(seed)")
    }
  }

  @Test(arguments: UInt64(1)...20)
  func writesContentLines(seed: UInt64) throws {
    var random = RandomItem(seed: seed)
    let text = ICalendarWriter().text(of: ICalendarDocument(items: [random.item()]))
    #expect(text.hasSuffix("END:VCALENDAR\r\n"))
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      #expect(line.last == UInt8(ascii: "\r"))
      #expect(line.count <= 76, "seed \(seed)")
      // A character is never split.
      #expect(String(validating: line, as: UTF8.self) != nil, "seed \(seed)")
      #expect(!line.dropLast().contains { $0 < 0x20 && $0 != UInt8(ascii: "\t") }, "seed \(seed)")
    }
  }

  @Test func writesInPieces() throws {
    var random = RandomItem(seed: 7)
    let items = (0..<200).map { _ in random.item() }
    var pieces: [String] = []
    ICalendarWriter().write(items, in: ICalendarDocument()) { pieces.append($0) }
    #expect(pieces.count > 1)
    let again = try read(pieces.joined())
    #expect(again.items.map(\.withSortedPreserved) == items.map(\.withSortedPreserved))
  }

  /// Parameters without a field in the model stay with their property, even if its value changes. An explicit
  /// default is written again until the value changes.
  @Test func parametersStayWithTheirProperties() throws {
    let lines = [
      "SUMMARY;LANGUAGE=de:Hallo", "PRIORITY;X-A=1:0", "SEQUENCE;X-B=\"2;3\":0",
      "DUE;X-C=4;VALUE=DATE:20260101",
    ]
    let document = try read(calendar("BEGIN:VTODO\nUID:t\n\(lines.joined(separator: "\n"))\nEND:VTODO"))
    var item = try #require(document.items.first)
    func written() -> [String] { contentLines(ICalendarWriter().text(of: ICalendarDocument(items: [item]))) }
    for line in lines.dropLast() { #expect(written().filter { $0 == line }.count == 1, "\(line)") }
    #expect(written().contains("DUE;VALUE=DATE;X-C=4:20260101"))
    item.title = "Bye"
    item.priority = 3
    item.sequence = 1
    item.reminder?.due = .utc(CivilDateTime(year: 2026, month: 2, day: 1))
    #expect(written().contains("SUMMARY;LANGUAGE=de:Bye"))
    #expect(written().filter { $0.hasPrefix("PRIORITY") } == ["PRIORITY:3"])
    #expect(written().filter { $0.hasPrefix("SEQUENCE") } == ["SEQUENCE:1"])
    #expect(written().contains("DUE;X-C=4:20260201T000000Z"))
  }

  /// Everything that was read can be written and reads back the same, even from a broken file.
  @Test(arguments: UInt64(14_000)...14_350)
  func brokenFilesComeToRest(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let file = try #require(corpus.randomElement(using: &random))
    var bytes = Array(file.text.utf8)
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0...4, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: index)
      case 2:
        bytes.insert(contentsOf: Array("\n;:\"\\,=^ T-9".utf8).shuffled(using: &random).prefix(2), at: index)
      case 3: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...90, using: &random)))
      default:
        let from = Int.random(in: 0..<bytes.count, using: &random)
        bytes.insert(contentsOf: bytes[from..<min(bytes.count, from + 60)], at: index)
      }
    }
    let reader = ICalendarReader(calendar: calendarID)
    guard let document = try? reader.read(bytes) else { return }
    let written = ICalendarWriter().text(of: document)
    let again = try read(written)
    #expect(again.items.count == document.items.count, "seed \(seed)")
    for (item, other) in zip(document.items, again.items) {
      // Repeated or corrected values are written once.
      #expect(differences(item.withoutKeptLines, other.withoutKeptLines) == [], "seed \(seed)")
    }
    let second = ICalendarWriter().text(of: again)
    let third = ICalendarWriter().text(of: try read(second))
    let change = contentLines(third).sorted().difference(from: contentLines(second).sorted())
    #expect(change.isEmpty, "seed \(seed)")
  }

  @Test(
    "Messages beside items stay messages, in a calendar of their own",
    arguments: [
      (["REPLY", nil], nil, "REPLY"), ([nil, "CANCEL"], nil, "CANCEL"),
      (["PUBLISH", "REPLY", nil], "PUBLISH", "REPLY"), (["REPLY", "CANCEL"], "REPLY", nil),
      ([nil, nil], nil, nil), (["REQUEST"], "REQUEST", nil),
    ] as [([String?], String?, String?)])
  func messagesBesideItems(methods: [String?], method: String?, ofMessages: String?) throws {
    let texts = methods.enumerated().map { index, method in
      calendar(
        (method.map { "METHOD:\($0)\n" } ?? "")
          + "BEGIN:VEVENT\nUID:e\(index)\nDTSTAMP:20261001T080000Z\nDTSTART:20261020T080000Z\nEND:VEVENT")
    }
    let document = try read(texts.joined())
    let messages = methods.count { $0 == "REPLY" || $0 == "CANCEL" }
    #expect(document.items.count == methods.count - messages)
    #expect(document.method == method)
    #expect(document.methodOfMessages == ofMessages)
    let written = ICalendarWriter().text(of: document)
    let again = try read(written)
    #expect(again.items.map(\.id) == document.items.map(\.id))
    #expect(again.preserved.components == document.preserved.components)
    #expect(again.method == document.method)
    #expect(again.methodOfMessages == document.methodOfMessages)
    #expect(ICalendarWriter().text(of: again) == written)
  }
}

extension CalendarItem {
  fileprivate var withoutKeptLines: CalendarItem {
    var item = self
    item.preserved.properties = []
    for index in item.alarms.indices { item.alarms[index].preserved.properties = [] }
    return item
  }
}
