import CalendarModel
import CalendarStore
import CommandLineTable

extension CommandContext {
  /// `move ID… --list NAME`.
  func move() throws {
    guard let name = parsed.value("list") else { return }
    let prefixes = parsed.positionals("id")
    let moved = try openExistingStore().write { writer in
      var moved: [CalendarItem] = []
      for item in try writer.reader.items(meant: prefixes) {
        try writer.checkChangeable(item.calendar)
        let list = try writer.list(named: name, for: item.isEvent ? .events : .reminders)
        // A series is in one list.
        for var one in try writer.reader.items(uid: item.uid) where one.calendar == item.calendar {
          one.calendar = list.id
          one.lastModified = now
          try writer.save(one)
          if one.id == item.id { moved.append(one) }
        }
      }
      return moved
    }
    for item in moved { try say("moved", item) }
  }
}
