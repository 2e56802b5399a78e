import CalendarModel
import CommandLineTable
import CalendarStore
import Recurrence

extension CommandContext {
  /// `list [--list NAME] [--events] [--completed]`.
  func list() throws {
    let wantsEvents = parsed.flag("events")
    let wantsCompleted = parsed.flag("completed")
    let name = parsed.value("list")
    let store = try openStoreToRead()
    let (items, titles) = try store.read { reader in
      let calendars = try reader.calendars(for: wantsEvents ? .events : .reminders)
      if let name, !calendars.contains(where: { $0.title == name }) {
        let known = calendars.map { "'\($0.title)'" }.joined(separator: ", ")
        throw CommandError(
          "there is no \(wantsEvents ? "calendar" : "list") '\(name)'"
            + (known.isEmpty ? "" : "; there \(calendars.count == 1 ? "is" : "are") \(known)"))
      }
      var items: [CalendarItem] = []
      for calendar in calendars where name == nil || calendar.title == name {
        items += try reader.items(in: calendar.id).filter { item in
          item.isEvent == wantsEvents && (wantsCompleted || item.reminder?.isCompleted != true)
        }
      }
      return (items, Dictionary(calendars.map { ($0.id, $0.title) }, uniquingKeysWith: { first, _ in first }))
    }
    // What has a time comes first, the earliest before all.
    let dated = items.map { item in
      (item, item.isEvent ? item.start.map(resolver.instant) : item.reminder?.due.map(resolver.instant))
    }
    let sorted = dated.sorted { a, b in
      let (x, y) = (a.1 ?? .distantFuture, b.1 ?? .distantFuture)
      return x != y ? x < y : (a.0.title, a.0.id) < (b.0.title, b.0.id)
    }
    try print(sorted.map(\.0), lists: titles)
  }

  /// Items as a table, or as JSON lines.
  func print(_ items: [CalendarItem], lists: [Identifier<ItemCalendar>: String]) throws {
    if json {
      let lines = ItemLines(resolver: resolver)
      for item in items { try console.print(lines.line(item, list: lists[item.calendar] ?? "")) }
      return
    }
    let times = TimeText(context: self)
    var table = TextTable(context: self)
    for item in items {
      let mark = item.reminder.map { $0.isCompleted ? "[x]" : "[ ]" } ?? "   "
      let when = (item.isEvent ? item.start : item.reminder?.due).map(times.text) ?? ""
      table.add([
        mark, short(item.id), when, item.title, item.alarms.map(times.text).joined(separator: ", "),
        lists[item.calendar] ?? "",
      ])
    }
    for line in table.lines { try console.print(line) }
  }

  /// As much of an identifier as a person types, on a terminal; all of it when piped.
  private func short(_ id: Identifier<CalendarItem>) -> String {
    console.isTerminal ? String(id.rawValue.prefix(8)) : id.rawValue
  }
}
