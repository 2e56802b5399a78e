import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar

@testable import FencepostInterchange

/// A store with a list "A" as the target of merges.
struct MergeFixture {
  let store: CalendarStore
  let list: ItemCalendar

  init() throws {
    store = try CalendarStore()
    list = try store.write { try $0.list("A") }
  }

  /// Merges a calendar's text like an import.
  @discardableResult
  func merge(
    _ text: String, _ destination: CalendarMerge.Destination = .keep, prunes: Bool = false,
    _ body: (MergeChange) -> Void = { _ in }
  ) throws -> MergeCounts {
    try withoutActuallyEscaping(body) { body in
      let rules = CalendarMerge(destination, prunes: prunes, at: .epoch) { [list] _, _ in list.id }
      let merge = SteppedMerge(rules, into: store, observer: { change, _ in body(change) })
      let reader = ICalendarReader(calendar: Identifier(rawValue: ""))
      _ = try reader.forEachPart(Array(text.utf8), name: "test.ics") { try merge.apply($0) }
      return try merge.finish(pruning: { _ in prunes ? [list.id] : [] })
    }
  }

  /// The item with a UID that is not a detached occurrence.
  func item(_ uid: String) throws -> CalendarItem? {
    try store.read { try $0.items(uid: uid, occurrence: nil).first }
  }

  /// The position of the last change in the log.
  func lastChange() throws -> Int64 { try store.read { try $0.lastChange() } }
}

extension StoreWriter {
  /// A new list called `title`.
  borrowing func list(_ title: String) throws -> ItemCalendar {
    let source = try defaultCalendar(for: .reminders).source
    let list = ItemCalendar(source: source, title: title, entities: [.events, .reminders])
    try save(list)
    return list
  }
}

/// A calendar with these lines.
func calendar(_ lines: String...) -> String {
  (["BEGIN:VCALENDAR", "VERSION:2.0"] + lines + ["END:VCALENDAR"]).joined(separator: "\n") + "\n"
}

/// A reminder with a UID, a title and more lines.
func todo(_ uid: String, _ title: String, _ lines: String...) -> String {
  (["BEGIN:VTODO", "UID:\(uid)", "SUMMARY:\(title)"] + lines + ["END:VTODO"]).joined(separator: "\n")
}

/// The counts of a merge as text, without zeros.
func text(_ counts: MergeCounts) -> String {
  MergeOutcome.allCases.filter { counts[$0] > 0 }.map { "\(counts[$0]) \($0.rawValue)" }
    .joined(separator: ", ")
}
