import CalendarModel
import CommandLineTable
import CalendarStore
import Recurrence

extension CommandContext {
  /// `show ID…`.
  func show() throws {
    let store = try openStoreToRead()
    let prefixes = parsed.positionals("id")
    let found = try store.read { reader in
      try prefixes.map { prefix in
        let item = try reader.item(idPrefix: prefix)
        return (item, try reader.calendar(item.calendar)?.title ?? "")
      }
    }
    for (index, (item, list)) in found.enumerated() {
      if json {
        try console.print(ItemLines(resolver: resolver).line(item, list: list))
      } else {
        if index > 0 { try console.print("") }
        for line in describe(item, list: list) { try console.print(line) }
      }
    }
  }

  private func describe(_ item: CalendarItem, list: String) -> [String] {
    let times = TimeText(context: self)
    var table = TextTable(context: self)
    table.add(["title", item.title])
    table.add([item.isEvent ? "calendar" : "list", list])
    if let event = item.event {
      table.add(["start", times.text(event.start)])
      table.add([
        "end", event.isAllDay ? times.day(event.end.day.adding(days: -1)) : times.text(event.end),
      ])
      if event.status != .none { table.add(["status", "\(event.status)"]) }
    }
    if let reminder = item.reminder {
      if let start = reminder.start { table.add(["start", times.text(start)]) }
      if let due = reminder.due { table.add(["due", times.text(due)]) }
      table.add(["done", reminder.isCompleted ? reminder.completed.map(times.text) ?? "yes" : "no"])
    }
    for rule in item.recurrence?.rules ?? [] { table.add(["repeats", rule.text]) }
    if item.priority > 0 { table.add(["priority", "\(item.priority)"]) }
    if let location = item.location { table.add(["location", location]) }
    if let notes = item.notes { table.add(["notes", notes]) }
    if let url = item.url { table.add(["url", url]) }
    for alarm in item.alarms { table.add(["alarm", times.text(alarm)]) }
    for person in item.attendees { table.add(["attendee", person.name ?? person.url]) }
    if let modified = item.lastModified { table.add(["changed", times.text(modified)]) }
    table.add(["id", item.id.rawValue])
    return table.lines
  }
}

extension StoreReader {
  /// The one item whose identifier begins with `prefix`.
  borrowing func item(idPrefix prefix: String) throws -> CalendarItem {
    if let item = try item(Identifier(rawValue: prefix)) { return item }
    let found = prefix.isEmpty ? [] : try items(idPrefix: prefix, limit: 5)
    switch found.count {
    case 0: throw CommandError("there is no item '\(prefix)'; 'fencepost list --json' shows all identifiers")
    case 1: return found[0]
    default:
      let candidates = found.map { "\($0.id) (\($0.title))" }.joined(separator: ", ")
      throw CommandError("'\(prefix)' is short for more than one item: \(candidates)")
    }
  }
}
