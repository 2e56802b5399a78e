import CalendarModel
import CalendarStore
import ICalendar

extension StoreWriter {
  /// The calendar for events, or the list for reminders, that a file names; made and coloured as the file says if there
  /// is none. `nil` where the file names none.
  ///
  /// One that was given a colour here keeps it. One that is kept from elsewhere is passed over: a file gets a calendar of
  /// its own beside it.
  borrowing func calendar(named header: ICalendarHeader, forEvents isEvent: Bool) throws -> ItemCalendar? {
    guard let name = header.listName else { return nil }
    let entities: ItemCalendar.Entities = isEvent ? .events : .reminders
    let all = try reader.calendars().filter(\.allowsContentModifications)
    let wanted = name.lowercased()
    // One that holds the other kind of item holds this one too from then on.
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
  /// The name as that of a list: on one line, and not longer than any that people write.
  fileprivate var listName: String? {
    guard let name else { return nil }
    let line = name.withoutControls.split(separator: " ").joined(separator: " ").prefix(200)
    return line.isEmpty ? nil : String(line)
  }
}
