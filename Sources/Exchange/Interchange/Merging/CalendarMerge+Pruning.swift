import FencepostCalendarModel
import FencepostCalendarStore

/// What a calendar has that the file has not.
extension CalendarMerge {
  /// An element of a calendar that was not merged.
  enum Unseen {
    case item(Identifier<CalendarItem>, title: String)
    case component(PreservedComponent)
  }

  /// The elements of a calendar that were not merged so far.
  func unseen(
    in calendar: Identifier<ItemCalendar>, _ reader: borrowing StoreReader
  ) throws -> [Unseen] {
    try reader.itemTitles(in: calendar).filter { !seen.contains($0.id) }.map { .item($0.id, title: $0.title) }
      + reader.preservedComponents(in: calendar).filter { !seenComponents.contains($0) }.map {
        .component($0)
      }
  }

  /// Removes an element from a calendar, unless it was merged since.
  mutating func remove(
    _ unseen: Unseen, from calendar: Identifier<ItemCalendar>, in writer: borrowing StoreWriter,
    _ body: (MergeChange) throws -> Void
  ) throws {
    switch unseen {
    case .item(let id, let title):
      guard !seen.contains(id) else { return }
      try writer.remove(id)
      counts[.removed] += 1
      try body(MergeChange(outcome: .removed, item: id, title: title, calendar: calendar))
    case .component(let component):
      guard !seenComponents.contains(component) else { return }
      try writer.remove(component, from: calendar)
      counts.isPreservedChange = true
    }
  }
}
