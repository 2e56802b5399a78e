import CalendarModel
import CalendarStore
import ICalendar

extension StoreWriter {
  /// The calendar for events, or the list for reminders, that a file names. If there is none, creates it with the
  /// file's name and colour. `nil` if the file has no name.
  ///
  /// An existing colour stays. A read-only calendar does not count: the file gets another calendar of that name.
  borrowing func calendar(named header: ICalendarHeader, forEvents isEvent: Bool) throws -> ItemCalendar? {
    guard let name = header.listName else { return nil }
    let entities: ItemCalendar.Entities = isEvent ? .events : .reminders
    let all = try reader.calendars().filter(\.allowsContentModifications)
    let wanted = name.lowercased()
    // A calendar with only the other kind of items now also gets this kind.
    let own = all.filter { !$0.entities.isDisjoint(with: entities) }
    let found =
      own.first { $0.title == name } ?? own.first { $0.title.lowercased() == wanted }
      ?? all.first { $0.title == name } ?? all.first { $0.title.lowercased() == wanted }
    var calendar: ItemCalendar
    if let found {
      calendar = found
    } else {
      let source = try defaultCalendar(for: isEvent ? .events : .reminders).source
      calendar = ItemCalendar(source: source, title: name, entities: entities)
    }
    calendar.entities.insert(entities)
    if let found, found.entities == calendar.entities, found.color != nil || header.color == nil {
      return found
    }
    calendar.color = calendar.color ?? header.color
    try save(calendar)
    return calendar
  }
}

extension ICalendarHeader {
  /// The name as a list name: on one line, with a limited length.
  fileprivate var listName: String? {
    guard let name else { return nil }
    let line = name.withoutControls.split(separator: " ").joined(separator: " ").prefix(200)
    return line.isEmpty ? nil : String(line)
  }
}
