import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable

extension FencepostTable {
  static let move = Command(
    "move", summary: "Move items to another list or calendar",
    discussion: ["Subtasks move along."],
    examples: [Example("fencepost move 1FFC 4505 --list Home", "Move two reminders")],
    options: [
      .value(
        .list, "NAME", short: "l", aliases: ["calendar"], required: true, completion: .program("lists"),
        "The list; created if needed")
    ],
    positionals: [items],
    action: .run { try $0.move() })
}

extension CommandContext {
  /// `move ID… --list NAME`.
  func move() throws {
    guard let name = parsed.value(.list) else { return }
    let prefixes = parsed.positionals(.id)
    let store = try openExistingStore()
    let isEvents = try store.read { try $0.items(meant: prefixes).map(\.isEvent) }
    let entities: ItemCalendar.Entities =
      !isEvents.contains(true) ? .reminders : isEvents.contains(false) ? [.events, .reminders] : .events
    let listName = try knownList(name, for: entities, in: store)
    let moved = try store.write { writer in
      var moved: [CalendarItem] = []
      for item in try writer.reader.items(meant: prefixes) {
        let list = try writer.list(named: listName, for: item.isEvent ? .events : .reminders)
        // Subtasks move too.
        let subtasks = try writer.reader.subtasks(of: item).map(\.item).filter {
          $0.calendar == item.calendar
        }
        for item in [item] + subtasks where !moved.contains(where: { $0.id == item.id }) {
          try writer.checkChangeable(item.calendar)
          // All items of a series stay in the same list.
          for var one in try writer.reader.items(uid: item.uid, in: item.calendar) {
            one.calendar = list.id
            one.lastModified = now
            try writer.save(one)
            if one.id == item.id { moved.append(one) }
          }
        }
      }
      return moved
    }
    for item in moved { try say("moved", item) }
  }
}
