import FencepostCalendarModel
import FencepostICalendar
import FencepostTestSupport
import Foundation
import Testing

/// python3-icalendar reads our output and finds the model's values.
@Suite struct PeerTests {
  /// Prints a line for each item of its files: kind, UID, title, start, end or due time, number of alarms,
  /// rules and attendees, and whether a property was unreadable.
  private static let script = """
    import sys
    from icalendar import Calendar
    def text(value):
        text = "" if value is None else str(value)
        return "".join(c for c in text if c not in "\\\\\\nN n").encode("unicode_escape").decode()
    def count(item, name):
        value = item.get(name)
        return 0 if value is None else len(value) if isinstance(value, list) else 1
    def time(item, name):
        return item[name].dt.strftime("%Y%m%dT%H%M%S") if name in item else ""
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            calendar = Calendar.from_ical(file.read())
        for item in calendar.walk():
            if item.name not in ("VEVENT", "VTODO"):
                continue
            alarms = [part for part in item.subcomponents if part.name == "VALARM"]
            print("\\t".join([
                item.name, text(item.get("UID")), text(item.get("SUMMARY")), time(item, "DTSTART"),
                time(item, "DTEND" if item.name == "VEVENT" else "DUE"), str(len(alarms)),
                str(count(item, "RRULE")), str(count(item, "ATTENDEE")),
                " ".join(sorted(error[0] or "?" for error in item.errors))]))
    """

  /// True if Debian's python3-icalendar is installed.
  static let isInstalled: Bool = {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else { return false }
    return (try? run(["-c", "import icalendar"]))?.status == 0
  }()

  private static func run(_ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: text, as: UTF8.self),
      String(decoding: complaints, as: UTF8.self)
    )
  }

  /// The expected output of the script for an item that the writer wrote as `lines`.
  private func line(_ item: CalendarItem) -> String {
    func time(_ time: CalendarTime?) -> String {
      guard let civil = time?.civil else { return "" }
      return civil.description.filter { $0 != "-" && $0 != ":" }
    }
    // An implied end has no property.
    let isImplied = item.preserved.properties.contains { $0.hasPrefix("DURATION") || $0 == "DTEND:" }
    let end = item.event.map { $0.end == $0.start ? nil : $0.end } ?? item.reminder?.due
    let alarms = item.alarms.filter {
      !$0.id.rawValue.hasSuffix("#geofence") && !$0.id.rawValue.contains("#X-MOZ")
    }
    return [
      item.isEvent ? "VEVENT" : "VTODO", escaped(item.uid), escaped(item.title), time(item.start),
      time(isImplied ? nil : end),
      String(alarms.count), String(item.recurrence?.rules.count ?? 0), String(item.attendees.count), "",
    ].joined(separator: "\t")
  }

  /// Python's `unicode_escape`, without what the peer changes: it reads `\\\\n`, a backslash and an n, as a
  /// line break, and drops white space.
  private func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\", "\n", "n", "N", " ": return ""
      case "\t": return "\\t"
      case "!"..."~": return String(scalar)
      default:
        let digits = String(scalar.value, radix: 16)
        let width = scalar.value < 0x100 ? 2 : scalar.value < 0x1_0000 ? 4 : 8
        let letter = width == 2 ? "x" : width == 4 ? "u" : "U"
        return "\\\(letter)" + String(repeating: "0", count: width - digits.count) + digits
      }
    }.joined()
  }

  private func check(_ files: [(name: String, items: [CalendarItem])]) throws {
    let directory = try TemporaryDirectory()
    let script = try directory.write(Self.script, to: "read.py")
    var paths: [String] = []
    for file in files {
      let text = ICalendarWriter().text(of: ICalendarDocument(items: file.items))
      paths.append(try directory.write(text, to: file.name))
    }
    let result = try Self.run([script] + paths)
    #expect(result.status == 0, "\(result.errors)")
    let found = result.output.split(separator: "\n").map(String.init)
    let expected = files.flatMap { $0.items.map(line) }
    #expect(found.count == expected.count)
    for (found, expected) in zip(found, expected) { #expect(found == expected) }
  }

  @Test(
    "python3-icalendar reads random items",
    .enabled(if: isInstalled, "python3-icalendar is not installed"))
  func randomItems() throws {
    try check(
      (UInt64(1)...20).map { seed in
        var random = RandomItem(seed: seed)
        return ("seed-\(seed).ics", (0..<4).map { _ in random.item() })
      })
  }

  @Test(
    "python3-icalendar reads our output of the corpus",
    .enabled(if: isInstalled, "python3-icalendar is not installed"))
  func theCorpus() throws {
    try check(try corpus.map { ($0.name, try read($0.text).items) })
  }
}
