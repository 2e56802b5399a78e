import FencepostActions
import FencepostCalendarModel
import FencepostCommandLineTable
import FencepostPhrases
import FencepostRecurrence

extension FencepostTable {
  static let itemOptions: [Option] = [
    .value(
      .alarm, "WHEN", short: "a", repeatable: true, category: "Time",
      "Alarm before the due time (`15m`, `1d`), after it (`+15m`), or at a time: `tomorrow 9am`"),
    .value(
      .nag, "SPAN", category: "Time",
      "Let its alarms ring again this often until answered, up to 12 times: `5m`"),
    .value(
      .repeat, "RULE", short: "r", category: "Time",
      "Repeat: `daily`, `every 2 weeks`, `monthly on the last friday` or an RRULE"),
    .flag(.allDay, category: "Time", "Ignore times of day"),
    .value(.location, "TEXT", category: "Place", "Location as text"),
    .value(.notes, "TEXT", short: "n", "Notes"),
    .value(.url, "URL", "URL"),
    .value(.priority, "LEVEL", short: "p", "`high`, `medium`, `low`, `none`, or 1 (the highest) to 9"),
    .value(.tag, "NAME", short: "t", repeatable: true, "Add a tag"),
  ]

  static let dueOption = Option.value(
    .due, "WHEN", short: "d", category: "Time",
    "Due date: `2026-05-01`, `tomorrow 9am`, `in two hours`, `first monday of june`")

  static let parentOption = Option.value(
    .parent, "ID", completion: .program("reminders"), "Add as a subtask of this reminder")
}

/// The options of `add` and `edit`.
extension CommandContext {
  func span(_ text: String) throws(WordError) -> CalendarDuration {
    guard let duration = OffsetPhrase.duration(text) else {
      throw WordError("duration", text, try: "90m, 2h or 1d")
    }
    return duration
  }

  /// The new value of an optional text: that of `--NAME`, `nil` with `--no-NAME`, otherwise the old one.
  private func text(_ key: ValueKey, without: FlagKey, otherwise old: String?) -> String? {
    parsed.flag(without) ? nil : parsed.value(key) ?? old
  }

  /// Applies the options to an item, except its list.
  ///
  /// - Parameter alarm: An alarm at a place, in addition to the options.
  func apply(to item: inout CalendarItem, at alarm: Alarm? = nil) throws {
    item.notes = text(.notes, without: .noNotes, otherwise: item.notes)
    item.url = text(.url, without: .noURL, otherwise: item.url)
    item.location = text(.location, without: .noLocation, otherwise: item.location)
    if let priority = try parsed.value(.priority, as: PriorityPhrase.value) { item.priority = priority }
    if parsed.flag(.noPriority) { item.priority = 0 }
    applyTags(to: &item)

    let anchor = item.anchor
    if var reminder = item.reminder {
      try applyTimes(to: &reminder)
      item.reminder = reminder
    } else if var event = item.event {
      try applyTimes(to: &event)
      item.event = event
    }
    if item.anchor != anchor { item.timeZone = item.anchor?.zone }

    if let rule = try parsed.value(.repeat, as: RepeatPhrase.rule) {
      item.recurrence = Recurrence(
        rules: [rule], exceptionDates: item.recurrence?.exceptionDates ?? [])
    }
    if parsed.flag(.noRepeat) { item.recurrence = nil }
    if item.recurrence != nil, item.anchor == nil {
      throw parsed.misuse("a reminder that repeats needs --due")
    }
    try applyAlarms(to: &item, at: alarm)
  }

  private func applyTags(to item: inout CalendarItem) {
    if parsed.flag(.noTags) { item.categories = [] }
    let gone = Set(parsed.values(.removeTag).map { $0.lowercased() })
    item.categories.removeAll { gone.contains($0.lowercased()) }
    for tag in parsed.values(.tag).map({ $0.drop { $0 == "#" } })
    where !item.categories.contains(String(tag)) {
      item.categories.append(String(tag))
    }
  }

  // MARK: Times

  /// The date of an option, in place of `old`: a time without a date is on the day of `old` or `other`, a date
  /// without a time keeps the time of day, and `+1d` moves it.
  private func date(
    _ key: ValueKey, replacing old: CalendarTime?, onDayOf other: CalendarTime? = nil
  ) throws -> CalendarTime? {
    try parsed.value(key) { text in
      if let old, text.hasPrefix("+") || text.hasPrefix("-"), let shift = OffsetPhrase.duration(text) {
        guard !old.isDate || shift.seconds == 0 else {
          throw WordError.plain("'\(text)' moves a whole day by hours; give a time, such as 'friday 9am'")
        }
        return moved(old, by: shift)
      }
      let time = try dates.time(text, onDayOf: old ?? other)
      guard let old, time.isDate, !old.isDate else { return time }
      return old.with(civil: CivilDateTime(day: time.day, secondOfDay: old.civil.secondOfDay))
    }
  }

  /// A time some days and then some hours later: days on the calendar, hours in elapsed time.
  private func moved(_ time: CalendarTime, by shift: CalendarDuration) -> CalendarTime {
    if time.isDate { return .date(time.day.adding(days: shift.days)) }
    let day = time.civil.day.adding(days: shift.days)
    let moved = time.with(civil: CivilDateTime(day: day, secondOfDay: time.civil.secondOfDay))
    return shift.seconds == 0
      ? moved
      : resolver.exactTime(resolver.instant(of: moved).adding(seconds: Double(shift.seconds)), like: moved)
  }

  private func applyTimes(to reminder: inout ReminderDetails) throws {
    for key in [ValueKey.end, .duration] where parsed.isTyped(key) {
      throw parsed.misuse("a reminder has no --\(key.name); use --due")
    }
    let old = parsed.positional(.id) == nil ? nil : reminder
    if parsed.flag(.noDue) { reminder.due = nil }
    if parsed.flag(.noStart) { reminder.start = nil }
    if let start = try date(.start, replacing: reminder.start, onDayOf: reminder.due) {
      reminder.start = start
    }
    if let due = try date(.due, replacing: reminder.due, onDayOf: reminder.start) { reminder.due = due }
    if parsed.flag(.allDay) {
      reminder.due = reminder.due.map { .date($0.day(in: resolver)) }
      reminder.start = reminder.start.map { .date($0.day(in: resolver)) }
    }
    guard !resolver.isReversed(reminder, since: old) else {
      throw parsed.misuse("the reminder would start after it is due")
    }
  }

  private func applyTimes(to event: inout EventDetails) throws {
    if parsed.isTyped(.due) {
      throw parsed.misuse("an event has no --due; use --start")
    }
    let old = event
    // A new event has no old times; two dates mean whole days.
    let keepsTimes = parsed.positional(.id) != nil && !(parsed.isTyped(.start) && parsed.isTyped(.end))
    if let start = try date(.start, replacing: keepsTimes ? event.start : nil, onDayOf: event.start) {
      event.start = start
    }
    if parsed.flag(.allDay) { event.start = .date(event.start.day(in: resolver)) }
    let oldEnd = keepsTimes && !event.end.isDate ? event.end : nil
    if let end = try date(.end, replacing: oldEnd, onDayOf: event.end) {
      guard !parsed.isTyped(.duration) else {
        throw parsed.misuse("use --end or --duration, not both")
      }
      guard end.isDate == event.start.isDate else {
        throw parsed.misuse("--start and --end must both be dates or both be times")
      }
      // Users give the last day of an event; RFC 5545 stores the day after it.
      event.end = end.isDate ? .date(end.day.adding(days: 1)) : end
    } else if let length = try parsed.value(.duration, as: span) {
      if event.start.isDate {
        guard length.nominalSeconds > 0, length.nominalSeconds % 86_400 == 0 else {
          throw parsed.misuse(
            "an all-day event takes whole days, such as --duration 2d; for hours, --start needs a time")
        }
      }
      event.end = self.end(of: event.start, after: length)
    } else if event.start != old.start {
      event.end = movedEnd(of: old, to: event.start)
    }
    guard resolver.instant(of: event.end) >= resolver.instant(of: event.start) else {
      throw parsed.misuse("the event would end before it starts")
    }
    guard event.end.day.components.year <= 9999 else {
      throw parsed.misuse("the event would end after the year 9999")
    }
  }

  /// The end after a duration: first its days on the calendar, then its hours in elapsed time. All-day items
  /// take whole days, at least one.
  func end(of start: CalendarTime, after length: CalendarDuration) -> CalendarTime {
    if start.isDate {
      return .date(start.day.adding(days: max(1, length.nominalSeconds / 86_400)))
    }
    let day = start.civil.day.adding(days: length.days)
    let moved = start.with(civil: CivilDateTime(day: day, secondOfDay: start.civil.secondOfDay))
    return resolver.exactTime(
      resolver.instant(of: moved).adding(seconds: Double(length.seconds)), like: moved)
  }

  /// The end of a moved event, with the same duration. An all-day event that gets a time takes an hour.
  private func movedEnd(of old: EventDetails, to start: CalendarTime) -> CalendarTime {
    switch (old.start.isDate, start.isDate) {
    case (true, false): return end(of: start, after: CalendarDuration(seconds: 3600))
    case (false, true): return end(of: start, after: CalendarDuration(days: 1))
    default:
      let length =
        resolver.instant(of: old.end).wholeSeconds - resolver.instant(of: old.start).wholeSeconds
      if start.isDate {
        return .date(start.day.adding(days: old.end.day.dayNumber - old.start.day.dayNumber))
      }
      return resolver.exactTime(
        Instant(seconds: resolver.instant(of: start).wholeSeconds + length), like: start)
    }
  }

  // MARK: Alarms

  private func applyAlarms(to item: inout CalendarItem, at alarm: Alarm?) throws {
    if parsed.flag(.noAlarms) { item.alarms = [] }
    if parsed.flag(.noDue), item.anchor == nil {
      item.alarms.removeAll { $0.trigger == .relative(.zero, to: .start) }
    }
    if parsed.flag(.noPlace) { item.alarms.removeAll { $0.proximity != nil } }
    try removeAlarms(from: &item)
    let added = try placeAlarms(beside: alarm)
    if added.isEmpty, let stray = strayPlaceOption {
      guard parsed.positional(.id) != nil else {
        throw parsed.misuse("--\(stray) needs --arrive, --leave or --fence")
      }
      try changePlaceAlarms(of: &item, stray: stray)
    }
    if parsed.flag(.anytime) {
      for index in item.alarms.indices { item.alarms[index].proximity?.window = nil }
    }
    item.alarms += added
    item.alarms += try timeAlarms(anchor: item.anchor)
    if parsed.flag(.noAlarm), !parsed.values(.alarm).isEmpty {
      throw parsed.misuse("use --alarm or --no-alarm, not both")
    }
    if item.alarms.contains(where: { $0.replacesDefault && !$0.isSilent }) {
      item.isMarkedSilent = false
    } else if saysNoAlarm, item.reminder?.due != nil {
      // Without the mark, the list's default alarm would apply.
      item.isMarkedSilent = true
    }
    if item.anchor == nil, item.alarms.contains(where: \.isRelative) {
      throw parsed.misuse(
        "a relative alarm needs a due date; use --due or --no-alarms")
    }
  }

  /// Applies `--nag` and `--no-nag`: all alarms of the item go off again until somebody answers (REPEAT and
  /// DURATION of RFC 5545, section 3.8.6). The default alarm of the list becomes the item's own for that.
  func applyNag(to item: inout CalendarItem, _ schedule: AlarmSchedule) throws {
    let nag = try parsed.value(.nag, as: NagPhrase.interval)
    guard nag != nil || parsed.flag(.noNag) else { return }
    if nag != nil, let implied = schedule.impliedAlarm(of: item) {
      item.alarms.append(Alarm(trigger: implied.trigger))
    }
    let audible = item.alarms.indices.filter { !item.alarms[$0].isSilent }
    guard nag == nil || !audible.isEmpty else {
      throw parsed.misuse("--nag needs an alarm: use --due, --alarm or a place")
    }
    for index in audible {
      item.alarms[index].repeatCount = nag == nil ? 0 : Nag.usualMost
      item.alarms[index].repeatInterval = nag
    }
  }

  /// True if the reminder should have no alarm, not even the default one.
  private var saysNoAlarm: Bool {
    parsed.flag(.noAlarms) || parsed.flag(.noAlarm)
  }

  private func removeAlarms(from item: inout CalendarItem) throws {
    let all = item.audibleAlarms
    for argument in parsed.arguments(.removeAlarm) {
      let word = argument.value
      if let number = Int(word), word.count < 4 {
        guard (1...max(1, all.count)).contains(number), !all.isEmpty else {
          throw parsed.invalid(argument, "must be the number of an alarm, as in 'fencepost show'")
        }
        item.alarms.removeAll { $0.id == all[number - 1].id }
      } else {
        let found = all.filter { $0.id.rawValue.lowercased().hasPrefix(word.lowercased()) }
        guard found.count == 1 else {
          throw parsed.invalid(
            argument, found.isEmpty ? "matches no alarm of '\(item.title)'" : "matches several alarms")
        }
        item.alarms.removeAll { $0.id == found[0].id }
      }
    }
  }

  /// Changes the place alarms of an item.
  private func changePlaceAlarms(of item: inout CalendarItem, stray: String) throws {
    guard item.alarms.contains(where: { $0.proximity != nil }) else {
      throw parsed.misuse(
        "--\(stray) needs a place, and '\(item.title)' has none; add --arrive")
    }
    let radius = try radius()
    for index in item.alarms.indices {
      guard var trigger = item.alarms[index].proximity else { continue }
      if let radius, trigger.location.outline.isEmpty { trigger.location.radius = radius }
      if let name = parsed.value(.placeName) { trigger.location.title = name }
      try limit(&trigger)
      item.alarms[index].proximity = trigger
    }
  }

  /// The alarms of `--alarm`.
  private func timeAlarms(anchor: CalendarTime?) throws -> [Alarm] {
    try parsed.values(.alarm) { text in
      if let offset = OffsetPhrase.alarm(text) {
        guard anchor != nil else {
          throw WordError.plain("'\(text)' is relative to the due date; use --due")
        }
        return Alarm(trigger: .relative(offset, to: .start))
      }
      // A number alone may be minutes or an hour.
      if let number = Int(text), (1...999).contains(number) {
        throw WordError.plain(
          number < 24
            ? "'\(text)' has no unit; write '\(number)m' for \(number) minutes before, or '\(number):00' for a time of day"
            : "'\(text)' has no unit; write '\(number)m' for \(number) minutes before")
      }
      let time = try dates.time(text, onDayOf: anchor)
      guard !time.isDate else {
        throw WordError("time of day for an alarm", text, try: "'\(text) 9am'")
      }
      return Alarm(trigger: .absolute(resolver.instant(of: time)))
    }
  }
}

extension Alarm {
  fileprivate var isRelative: Bool {
    if case .relative = trigger { true } else { false }
  }
}
