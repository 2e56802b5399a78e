import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostConferences
import FencepostItems
import FencepostPhrases

extension CommandContext {
  /// `add TEXT…` and `add reminder TITLE…`.
  func addReminders() throws {
    try add(newReminders(), to: parsed.value(.list), for: .reminders)
  }

  /// `add event TITLE --start WHEN …`.
  func addEvent() throws {
    guard let start = try parsed.value(.start, as: dates.time) else { return }
    let event = EventDetails(start: start, end: end(of: start, after: CalendarDuration(seconds: 3600)))
    var item = CalendarItem(
      calendar: .init(rawValue: ""), title: try title(parsed.required(.title)), details: .event(event))
    item.created = now
    item.lastModified = now
    item.timeZone = item.anchor?.zone
    try apply(to: &item)
    // Before the store is locked: another program answers.
    try conferenceRoom()?.add(to: &item)
    try add([item], to: parsed.value(.calendar), for: .events)
  }

  /// Adds items. All words were parsed before, so that invalid ones do not change the store.
  private func add(_ items: [CalendarItem], to listName: String?, for entity: DefaultCalendarEntity) throws {
    let defaults = try alarmDefaults()
    let store = try openStore()
    let listName = try knownList(listName, for: entity, in: store)
    let parentWord = parsed.value(.parent)
    let added = try store.write { writer in
      let parent = try parentWord.map { try writer.reader.parent(meant: $0, of: items[0]) }
      // A subtask goes into the list of its parent.
      let list =
        try listName == nil
        ? parent.flatMap { try writer.reader.calendar($0.calendar) } : nil
      let destination = try list ?? writer.list(named: listName, for: entity)
      try writer.checkChangeable(destination.id)
      return try items.map { item in
        var item = item
        item.calendar = destination.id
        item.parentUID = parent?.uid
        addDefaultAlarm(to: &item, destination.alarms.over(defaults))
        try writer.save(item)
        return (item, destination, try short(item.id, in: writer.reader))
      }
    }
    for (item, list, shortID) in added {
      if json {
        try console.print(ItemLines(resolver: resolver).line(item, list: list.title))
      } else if console.isTerminal {
        let id = style.paint("  \(shortID)", .dim)
        let details = alarmWords(item, defaults: list.alarms.over(defaults)) + repeatWords(item)
        try console.print("added \(summary(item))\(details), to \(FiringTable.plain(list.title))\(id)")
      } else {
        // A script needs the identifier.
        try console.print(item.id.rawValue)
      }
    }
  }

  /// Adds the default alarm of the list to a new reminder with a due time, unless an option sets or disables alarms.
  private func addDefaultAlarm(to item: inout CalendarItem, _ defaults: AlarmDefaults) {
    guard item.reminder?.due != nil, !parsed.flag(.noAlarm), parsed.values(.alarm).isEmpty,
      let offset = defaults.alarm
    else { return }
    item.alarms.append(item.defaultAlarm(offset))
  }

  /// `, alarm on time`; empty without time alarms.
  private func alarmWords(_ item: CalendarItem, defaults: AlarmDefaults) -> String {
    let times = TimeText(context: self)
    let timed = item.audibleAlarms.filter { $0.trigger != .none }.map {
      times.text(Alarm(trigger: $0.trigger), of: item, allDaySecond: defaults.allDaySecond)
    }
    return timed.isEmpty ? "" : ", alarm " + timed.joined(separator: " and ")
  }

  /// `, every week on Monday`; empty if it does not repeat.
  private func repeatWords(_ item: CalendarItem) -> String {
    let times = TimeText(context: self)
    return item.recurrence?.rules.map { ", " + RepeatPhrase.text($0, date: times.text) }.joined() ?? ""
  }

  /// A title that is not blank.
  func title(_ text: String) throws -> String {
    guard text.contains(where: { !$0.isWhitespace }) else { throw parsed.misuse("a title can't be empty") }
    return text
  }
}
