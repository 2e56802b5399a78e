import FencepostCalendarModel
import FencepostGeodesy
import FencepostTestSupport

/// Items that a file can represent: whole seconds, one status for a reminder, preserved lines that are
/// content lines. `RandomModel` also makes items that no file can represent.
struct RandomItem {
  var model: RandomModel

  init(seed: UInt64) { model = RandomModel(seed: seed) }

  mutating func item() -> CalendarItem {
    var item = model.item(in: calendarID)
    item.uid = "uid-\(model.int(0...1_000_000))@example.com"
    item.title = text()
    item.location = item.location.map { _ in text() }
    item.notes = item.notes.map { _ in text() }
    item.url = item.url.map { _ in "https://example.com/\(model.int(0...99))?a=b;c,d" }
    item.parentUID = item.parentUID.map { _ in text() }
    item.categories = item.categories.map { _ in text() }
    item.created = item.created.map(whole)
    item.lastModified = item.lastModified.map(whole)
    item.timeZone = item.timeZone.map { _ in TimeZoneID(rawValue: zoneName()) }
    item.structuredLocation = item.structuredLocation.map { _ in place() }
    item.organizer = item.organizer.map { participant($0) }
    item.attendees = item.attendees.map { participant($0) }
    item.detachment = item.detachment.map { .init(occurrence: time(), andFuture: $0.andFuture) }
    item.details = details(item.details)
    item.recurrence = item.recurrence.flatMap { recurrence($0) }
    if item.anchor?.isDate == true { item.recurrence?.endsOnDays() }
    item.preserved = PreservedContent(
      properties: ["X-A;B=\"c;d\":e\\,f", "COMMENT;LANGUAGE=de:Größe", "X-EMPTY:"].filter { _ in
        model.chance(2)
      },
      components: model.chance(3) ? ["BEGIN:X-B\nX-C:1\nEND:X-B"] : [])
    item.id = itemID(item)
    item.alarms = item.alarms.map { alarm($0) }
    return item
  }

  private func itemID(_ item: CalendarItem) -> Identifier<CalendarItem> {
    guard let occurrence = item.detachment?.occurrence else { return .init(rawValue: item.uid) }
    var text = occurrence.civil.description.filter { $0 != "-" && $0 != ":" }
    if occurrence.isDate { text = String(text.prefix(8)) }
    if case .utc = occurrence { text += "Z" }
    return .init(rawValue: "\(item.uid)/\(text)")
  }

  private mutating func details(_ details: CalendarItem.Details) -> CalendarItem.Details {
    switch details {
    case .event(var event):
      event.start = time()
      let length = model.int(1...30)
      event.end =
        event.isAllDay
        ? event.start.with(civil: event.start.civil.adding(seconds: Int64(length) * 86_400))
        : event.start.with(civil: event.start.civil.adding(seconds: Int64(length) * 900))
      event.birthdayContact = event.birthdayContact.map { _ in text() }
      return .event(event)
    case .reminder(var reminder):
      reminder.start = reminder.start.map { _ in time() }
      reminder.due = reminder.due.map { _ in time() }
      reminder.completed = reminder.completed.map(whole)
      if reminder.isCompleted { reminder.isCancelled = false }
      if reminder.isCompleted || reminder.isCancelled { reminder.isInProcess = false }
      return .reminder(reminder)
    }
  }

  private mutating func alarm(_ original: Alarm) -> Alarm {
    var alarm = original
    if case .absolute(let instant) = alarm.trigger { alarm.trigger = .absolute(whole(instant)) }
    if case .relative(_, let edge) = alarm.trigger { alarm.trigger = .relative(duration(), to: edge) }
    alarm.repeatInterval = alarm.repeatInterval.map { _ in duration() }
    alarm.message = alarm.message.map { _ in "message " + text() }
    alarm.summary = alarm.summary.map { _ in "summary " + text() }
    alarm.acknowledged = alarm.acknowledged.map(whole)
    switch alarm.action {
    case .audio(let name): alarm.action = .audio(soundName: name.map { _ in "Basso" })
    case .email(let list): alarm.action = .email(to: list.map { _ in "mailto:a@example.com" })
    case .procedure(let url): alarm.action = .procedure(url: url.map { _ in "file:///bin/true" })
    case .other: alarm.action = .other("X-BLINK")
    case .display: break
    }
    alarm.proximity = alarm.proximity.map { trigger in
      var trigger = trigger
      trigger.location = place()
      trigger.devices = trigger.devices.map { _ in text() }
      if case .dwell(let seconds) = trigger.event { trigger.event = .dwell(seconds: seconds + 1) }
      return trigger
    }
    alarm.preserved = PreservedContent(properties: model.chance(3) ? ["X-APPLE-DEFAULT-ALARM:TRUE"] : [])
    return alarm
  }

  private mutating func recurrence(_ original: Recurrence) -> Recurrence? {
    var recurrence = original
    recurrence.rules = recurrence.rules.map { rule($0) }
    recurrence.exceptionRules = recurrence.exceptionRules.map { rule($0) }
    recurrence.exceptionDates = recurrence.exceptionDates.map { _ in time() }
    recurrence.dates = recurrence.dates.map { _ in
      let start = time()
      guard !start.isDate, model.chance(2) else { return .init(start: start) }
      return .init(start: start, end: start.with(civil: start.civil.adding(seconds: 3_600)))
    }
    return recurrence == Recurrence() ? nil : recurrence
  }

  private mutating func rule(_ original: RecurrenceRule) -> RecurrenceRule {
    var rule = original
    if case .until = rule.end {
      let time = time()
      rule.end = .until(time.isDate ? time : .utc(time.civil))
    }
    rule.byMonthDay.removeAll { $0 == 0 }
    rule.byYearDay.removeAll { $0 == 0 }
    rule.byWeekNumber.removeAll { $0 == 0 }
    rule.bySetPosition.removeAll { $0 == 0 }
    if !rule.hasScale { rule.skip = .omit }
    return rule
  }

  private mutating func place() -> StructuredLocation {
    var place = model.place()
    place.title = text()
    place.address = place.address.map { _ in text() }
    place.preservedParameters = model.chance(2) ? ["X-APPLE-REFERENCEFRAME=1"] : []
    place.outline = []
    if model.chance(3) {
      let ring = (0..<4).map { _ in model.coordinate() }
      place.outline = [Polygon(exterior: ring, holes: model.chance(2) ? [Array(ring.prefix(3))] : [])]
    }
    return place
  }

  private mutating func participant(_ original: Participant) -> Participant {
    var participant = original
    participant.url = "mailto:p\(model.int(0...9))@example.com"
    participant.name = participant.name.map { _ in text() }
    participant.preservedParameters = model.chance(2) ? ["X-NUM-GUESTS=0", "SENT-BY=\"mailto:b@c\""] : []
    return participant
  }

  /// A non-empty text with characters that need escaping, but none that a file can't represent.
  private mutating func text() -> String {
    let text = String(model.text().unicodeScalars.filter { $0 != "\u{1}" })
    return text.isEmpty ? "-" : text
  }

  private mutating func time() -> CalendarTime {
    let day = CivilDay(year: 1990 + model.int(0...80), month: 1, day: model.int(1...365))
    let civil = CivilDateTime(day: day, secondOfDay: model.int(0...86_399))
    switch model.int(0...3) {
    case 0: return .date(day)
    case 1: return .floating(civil)
    case 2: return .utc(civil)
    default: return .zoned(civil, TimeZoneID(rawValue: zoneName()))
    }
  }

  private mutating func zoneName() -> String {
    ["Europe/Berlin", "America/New_York", "My; own \"zone\""][model.int(0...2)]
  }

  private mutating func duration() -> CalendarDuration {
    let sign = model.chance(2) ? 1 : -1
    return CalendarDuration(days: sign * model.int(0...9), seconds: sign * model.int(0...99_999))
  }

  private func whole(_ instant: Instant) -> Instant { Instant(seconds: instant.wholeSeconds) }
}

extension Recurrence {
  /// Gives the rules of whole days the form of UNTIL that RFC 5545 requires.
  fileprivate mutating func endsOnDays() {
    for index in rules.indices { rules[index].endOnDay() }
    for index in exceptionRules.indices { exceptionRules[index].endOnDay() }
  }
}

extension RecurrenceRule {
  fileprivate mutating func endOnDay() {
    if case .until(let time) = end { end = .until(.date(time.day)) }
  }
}
