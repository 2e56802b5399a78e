import FencepostCalendarModel
import FencepostICalendar
import Testing

@Suite struct CorpusTests {
  /// Additions of our writer to other programs' files: the other form of a place, and the calendar's other
  /// name.
  static let added = [
    "X-APPLE-PROXIMITY:", "PROXIMITY:", "X-APPLE-STRUCTURED-LOCATION;", "BEGIN:VLOCATION", "END:VLOCATION",
    "UID:", "NAME:", "URL:geo:", "X-WR-CALNAME:", "BEGIN:VALARM", "END:VALARM", "ACTION:DISPLAY",
    "DESCRIPTION:",
    "TRIGGER;VALUE=DATE-TIME:19760401T005545Z", "TRIGGER:19760401T005545Z", "DTSTAMP:",
  ]
  /// Lines that name the program. In our output it is Fencepost.
  static let respelled = ["PRODID:"]

  /// A line with its parameters in alphabetical order. The order has no meaning.
  private static func sorted(_ line: String) -> String {
    var parts: [String] = []
    var part = ""
    var isQuoted = false
    var rest = line[...]
    while let character = rest.first, isQuoted || character != ":" {
      if character == "\"" { isQuoted.toggle() }
      if character == ";" && !isQuoted {
        parts.append(part)
        part = ""
      } else {
        part.append(character)
      }
      rest.removeFirst()
    }
    parts.append(part)
    return ([parts[0]] + parts.dropFirst().sorted()).joined(separator: ";") + rest
  }

  @Test(arguments: corpus.map(\.name))
  func losesNothing(name: String) throws {
    let text = try #require(corpus.first { $0.name == name }).text
    let document = try read(text)
    #expect(document.warnings.isEmpty)
    let written = ICalendarWriter().text(of: document)
    var added = contentLines(written).map(CorpusTests.sorted)
    var lost: [String] = []
    for line in contentLines(text).map(CorpusTests.sorted)
    where !CorpusTests.respelled.contains(where: line.hasPrefix) {
      if let index = added.firstIndex(of: line) { added.remove(at: index) } else { lost.append(line) }
    }
    // The writer adds system zones for files that use them without a definition.
    if let first = added.firstIndex(of: "BEGIN:VTIMEZONE"), let last = added.lastIndex(of: "END:VTIMEZONE") {
      added.removeSubrange(first...last)
    }
    added.removeAll { line in (CorpusTests.added + CorpusTests.respelled).contains(where: line.hasPrefix) }
    #expect(lost == [])
    #expect(added == [])
  }

  @Test(arguments: corpus.map(\.name))
  func readsTheSameAgain(name: String) throws {
    let document = try read(try #require(corpus.first { $0.name == name }).text)
    let written = ICalendarWriter().text(of: document)
    let again = try read(written)
    #expect(again.items.count == document.items.count)
    for (item, other) in zip(document.items, again.items) {
      #expect(differences(item, other) == [])
    }
    #expect(Array(again.timeZones.prefix(document.timeZones.count)) == document.timeZones)
    #expect(again.name == document.name)
    #expect(again.color == document.color)
    #expect(again.method == document.method)
    #expect(again.preserved.components == document.preserved.components)
    #expect(ICalendarWriter().text(of: again) == written)
  }

  @Test func isThere() { #expect(corpus.count >= 16) }
}
