import CalendarModel
import CalendarStore
import CommandLineTable
import ICalendar

extension CommandContext {
  /// `export [--list NAME] [-o FILE]`.
  func export() throws {
    let name = parsed.value("list")
    let store = try openStoreToRead()
    let document = try store.read { reader in
      var document = ICalendarDocument()
      if let name {
        let calendars = try reader.calendars(titled: name)
        guard let first = calendars.first else {
          throw CommandError("there is no list or calendar '\(name)'")
        }
        document.name = name
        document.color = first.color
        for calendar in calendars { document.items += try reader.items(in: calendar.id) }
      } else {
        document.items = try reader.items()
      }
      let used = Set(
        document.items.flatMap { [$0.start?.zone, $0.anchor?.zone, $0.timeZone].compactMap { $0 } })
      document.timeZones = try reader.timeZoneDefinitions().filter { used.contains($0.id) }
      return document
    }
    let text = ICalendarWriter().text(of: document)
    if let path = parsed.value("output"), path != "-" {
      try AtomicFile(path: path).finish(text)
    } else {
      try console.write(text)
    }
  }
}
