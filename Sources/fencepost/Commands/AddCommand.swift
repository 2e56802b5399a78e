import CalendarModel
import CalendarStore
import CommandLineTable
import Recurrence

extension CommandContext {
  /// `add reminder TITLE …`.
  func addReminder() throws {
    var details = ReminderDetails()
    details.due = try parsed.value("due", as: dates.time)
    if details.due == nil, parsed.value("repeat") != nil {
      throw CommandError("a reminder that repeats needs a due date to repeat from; say --due")
    }
    try add(.reminder(details), to: parsed.value("list"), for: .reminders)
  }

  /// `add event TITLE --start WHEN …`.
  func addEvent() throws {
    guard let start = try parsed.value("start", as: dates.time) else { return }
    var end: CalendarTime
    if let said = try parsed.value("end", as: dates.time) {
      guard said.isDate == start.isDate else {
        throw CommandError("--start and --end are both days or both times of day")
      }
      // People say the last day of an event; RFC 5545 keeps the day after it.
      end = said.isDate ? .date(said.day.adding(days: 1)) : said
    } else if start.isDate {
      end = .date(start.day.adding(days: 1))
    } else {
      let length = try parsed.value("duration", as: span) ?? CalendarDuration(seconds: 3600)
      end = start.with(
        civil: start.civil.adding(seconds: Int64(length.nominalSeconds)))
    }
    guard resolver.instant(of: end) >= resolver.instant(of: start) else {
      throw CommandError("the event would end before it starts")
    }
    try add(.event(EventDetails(start: start, end: end)), to: parsed.value("calendar"), for: .events)
  }

  private func add(
    _ details: CalendarItem.Details, to calendarName: String?, for entity: DefaultCalendarEntity
  ) throws {
    // All words are read before the store is touched.
    var item = CalendarItem(
      calendar: .init(rawValue: ""), title: try parsed.required("title"), details: details)
    item.notes = parsed.value("notes")
    item.url = parsed.value("url")
    item.priority = try parsed.integer("priority", in: 0...9) ?? 0
    item.created = now
    item.lastModified = now
    item.timeZone = item.anchor?.zone
    if parsed.declares("location") { item.location = parsed.value("location") }
    if let rule = try parsed.value("repeat", as: RepeatPhrase.rule) {
      item.recurrence = Recurrence(rules: [rule])
    }
    item.alarms = try placeAlarms() + timeAlarms(anchor: item.anchor)
    let store = try openStore()
    let added = item
    let list = try store.write { writer in
      let calendar = try writer.calendar(titled: calendarName, for: entity)
      var item = added
      item.calendar = calendar.id
      try writer.save(item)
      return calendar
    }
    item.calendar = list.id
    try console.print(
      json ? ItemLines(resolver: resolver).line(item, list: list.title) : "\(item.id)")
  }

  func span(_ text: String) throws(WordError) -> CalendarDuration {
    guard let duration = OffsetPhrase.duration(text) else {
      throw WordError("span of time", text, try: "90m, 2h or 1d")
    }
    return duration
  }

  /// The alarms that `--alarm` asks for.
  private func timeAlarms(anchor: CalendarTime?) throws -> [Alarm] {
    try parsed.values("alarm").map { text in
      if let offset = OffsetPhrase.duration(text) {
        guard anchor != nil else {
          throw CommandError("--alarm \(text) is told from the due date, and there is none; say --due")
        }
        return Alarm(trigger: .relative(offset, to: .start))
      }
      let time = try dates.time(text)
      guard !time.isDate else {
        throw WordError("time of day for an alarm", text, try: "'\(text) 9am'")
      }
      return Alarm(trigger: .absolute(resolver.instant(of: time)))
    }
  }
}
