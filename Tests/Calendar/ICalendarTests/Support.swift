import FencepostCalendarModel
import FencepostICalendar
import Foundation

/// The calendar for items in tests.
let calendarID = Identifier<ItemCalendar>(rawValue: "calendar")

/// Reads `text` with the line ends of a file.
func read(_ text: String, limits: ICalendarReader.Limits = .init()) throws -> ICalendarDocument {
  try ICalendarReader(calendar: calendarID, limits: limits).read(Array(text.utf8), name: "test.ics")
}

/// The text of a calendar with `body`.
func calendar(_ body: String) -> String {
  "BEGIN:VCALENDAR\nVERSION:2.0\n\(body)\nEND:VCALENDAR\n"
}

/// The text of a reminder with the lines `body`.
func todo(_ body: String) -> String { calendar("BEGIN:VTODO\nUID:t\nSUMMARY:T\n\(body)\nEND:VTODO") }

/// The text of an event with the lines `body`.
func event(_ body: String) -> String { calendar("BEGIN:VEVENT\nUID:e\nSUMMARY:E\n\(body)\nEND:VEVENT") }

/// The files of the corpus, by name.
let corpus: [(name: String, text: String)] = {
  let folder = Bundle.module.url(forResource: "Corpus", withExtension: nil)
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder?.path ?? "")) ?? []
  return names.sorted().compactMap { name in
    guard let folder, let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    else { return nil }
    return (name, text)
  }
}()

extension CalendarItem {
  /// The same item with preserved content in a fixed order, because the writer may change the order.
  var withSortedPreserved: CalendarItem {
    var item = self
    item.preserved.sort()
    for index in item.alarms.indices { item.alarms[index].preserved.sort() }
    return item
  }
}

extension PreservedContent {
  fileprivate mutating func sort() {
    properties.sort()
    components.sort()
  }
}

/// The content lines of a file, unfolded.
func contentLines(_ text: String) -> [String] {
  text.replacing("\r\n", with: "\n").replacing("\n ", with: "").replacing("\n\t", with: "")
    .split(separator: "\n").map(String.init)
}

/// The lines that differ in the dumps of two items; empty if the items are equal.
func differences(_ item: CalendarItem, _ other: CalendarItem) -> [String] {
  let (item, other) = (item.withSortedPreserved, other.withSortedPreserved)
  if item == other { return [] }
  func lines(_ item: CalendarItem) -> [String] {
    var text = ""
    dump(item, to: &text)
    return text.split(separator: "\n").map(String.init)
  }
  let difference = lines(other).difference(from: lines(item))
  return difference.map { change in
    switch change {
    case .remove(_, let line, _): "- \(line)"
    case .insert(_, let line, _): "+ \(line)"
    }
  } + [" differ"]
}
