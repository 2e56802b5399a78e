import CalendarModel
import CalendarStore
import CommandLineTable

extension CommandContext {
  /// `add reminder TITLE …`.
  func addReminder() throws {
    try add(.reminder(ReminderDetails()), to: parsed.value("list"), for: .reminders)
  }

  /// `add event TITLE --start WHEN …`.
  func addEvent() throws {
    guard let start = try parsed.value("start", as: dates.time) else { return }
    let event = EventDetails(start: start, end: end(of: start, after: CalendarDuration(seconds: 3600)))
    try add(.event(event), to: parsed.value("calendar"), for: .events)
  }

  private func add(
    _ details: CalendarItem.Details, to listName: String?, for entity: DefaultCalendarEntity
  ) throws {
    // All words are read before the store is touched.
    var item = CalendarItem(
      calendar: .init(rawValue: ""), title: try title(parsed.required("title")), details: details)
    item.created = now
    item.lastModified = now
    item.timeZone = item.anchor?.zone
    try apply(to: &item)
    let added = item
    let (list, shortID) = try openStore().write { writer in
      let list = try writer.list(named: listName, for: entity)
      var item = added
      item.calendar = list.id
      try writer.save(item)
      return (list, try short(item.id, in: writer.reader))
    }
    item.calendar = list.id
    if json {
      try console.print(ItemLines(resolver: resolver).line(item, list: list.title))
    } else if console.isTerminal {
      let id = style.paint("  \(shortID)", .dim)
      try console.print("added \(summary(item)), to \(FiringTable.plain(list.title))\(id)")
    } else {
      // What a script needs to go on with it.
      try console.print(item.id.rawValue)
    }
  }

  /// A title, which says something.
  func title(_ text: String) throws -> String {
    guard text.contains(where: { !$0.isWhitespace }) else { throw parsed.misuse("a title can't be empty") }
    return text
  }
}
