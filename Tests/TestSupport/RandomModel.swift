public import FencepostCalendarModel
public import FencepostGeodesy

/// Random values of the model for round trips. Each field is set at times.
///
/// The values of a seed change when the model changes.
public struct RandomModel {
  /// The generator of all choices.
  public var random: SeededRandom

  /// Values for `seed`.
  public init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// An item in a calendar.
  public mutating func item(in calendar: Identifier<ItemCalendar>) -> CalendarItem {
    var item = CalendarItem(
      id: .random(using: &random), calendar: calendar, title: text(),
      details: chance(2) ? .event(event()) : .reminder(reminder()))
    if chance(3) { item.uid = text() }
    item.location = optional { $0.text() }
    item.structuredLocation = optional { $0.place() }
    item.notes = optional { $0.text() }
    item.url = optional { $0.text() }
    item.timeZone = optional { $0.zone() }
    item.created = optional { $0.instant() }
    item.lastModified = optional { $0.instant() }
    item.sequence = int(0...9)
    item.priority = int(0...9)
    item.categories = list { $0.text() }
    item.classification = pick(CalendarItem.Classification.allCases) ?? .public
    item.alarms = list { $0.alarm() }
    item.recurrence = optional { $0.recurrence() }
    item.detachment = optional {
      CalendarItem.Detachment(occurrence: $0.time(), andFuture: $0.chance(2))
    }
    item.organizer = optional { $0.participant() }
    item.attendees = list { $0.participant() }
    item.parentUID = optional { $0.text() }
    item.preserved = preserved()
    return item
  }

  /// An alarm of any kind.
  public mutating func alarm() -> Alarm {
    var alarm = Alarm(id: .random(using: &random))
    switch int(0...3) {
    case 0: alarm.trigger = .none
    case 1: alarm.trigger = .absolute(instant())
    default: alarm.trigger = .relative(duration(), to: chance(2) ? .start : .end)
    }
    alarm.proximity = optional { $0.proximity() }
    switch int(0...4) {
    case 0: alarm.action = .display
    case 1: alarm.action = .audio(soundName: optional { $0.text() })
    case 2: alarm.action = .email(to: list { $0.text() })
    case 3: alarm.action = .procedure(url: optional { $0.text() })
    default: alarm.action = .other(text())
    }
    alarm.message = optional { $0.text() }
    alarm.summary = optional { $0.text() }
    alarm.repeatCount = int(0...5)
    alarm.repeatInterval = optional { $0.duration() }
    alarm.acknowledged = optional { $0.instant() }
    alarm.snoozeOf = optional { .random(using: &$0.random) }
    alarm.preserved = preserved()
    return alarm
  }

  /// A place anywhere on Earth, or only a name.
  public mutating func place() -> StructuredLocation {
    StructuredLocation(
      title: text(), coordinate: optional { $0.coordinate() }, radius: chance(3) ? 0 : double(1...5_000),
      outline: chance(4) ? list { $0.polygon() } : [], address: optional { $0.text() },
      preservedParameters: list { $0.text() })
  }

  /// A point on Earth, with a preference for poles and the antimeridian.
  public mutating func coordinate() -> Coordinate {
    if chance(20) { return Coordinate(latitude: chance(2) ? 90 : -90, longitude: double(-180...180)) }
    if chance(20) { return Coordinate(latitude: double(-90...90), longitude: chance(2) ? 180 : -180) }
    return Coordinate(latitude: double(-90...90), longitude: double(-180...180))
  }

  /// A recurrence rule, sensible or not.
  public mutating func rule() -> RecurrenceRule {
    var rule = RecurrenceRule(pick(RecurrenceRule.Frequency.allCases) ?? .daily, interval: int(1...9))
    switch int(0...2) {
    case 0: rule.end = .never
    case 1: rule.end = .count(int(1...50))
    default: rule.end = .until(time())
    }
    rule.bySecond = list { $0.int(0...60) }
    rule.byMinute = list { $0.int(0...59) }
    rule.byHour = list { $0.int(0...23) }
    rule.byDay = list {
      RecurrenceRule.WeekdayNumber($0.pick(Weekday.allCases) ?? .monday, ordinal: $0.int(-5...5))
    }
    rule.byMonthDay = list { $0.int(-31...31) }
    rule.byYearDay = list { $0.int(-366...366) }
    rule.byWeekNumber = list { $0.int(-53...53) }
    rule.byMonth = list { $0.int(1...12) }
    rule.bySetPosition = list { $0.int(-9...9) }
    rule.weekStart = optional { $0.pick(Weekday.allCases) ?? .monday }
    rule.hasScale = chance(3)
    rule.skip = pick([.omit, .backward, .forward]) ?? .omit
    rule.otherParts = chance(10) ? ["X-SEASON=SPRING"] : []
    return rule
  }

  /// A time in any of its forms.
  public mutating func time() -> CalendarTime {
    let day = CivilDay(dayNumber: int(-800_000...800_000))
    let civil = CivilDateTime(day: day, secondOfDay: int(0...86_399))
    switch int(0...3) {
    case 0: return .date(day)
    case 1: return .floating(civil)
    case 2: return .utc(civil)
    default: return .zoned(civil, zone())
    }
  }

  /// A moment between 1970 and 2100, to the microsecond.
  public mutating func instant() -> Instant {
    Instant(microseconds: Int64(int(0...4_102_444_800_000_000)))
  }

  /// True once in `oneIn` times.
  public mutating func chance(_ oneIn: Int) -> Bool { int(1...oneIn) == 1 }

  /// A whole number.
  public mutating func int(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

  /// A number.
  public mutating func double(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }

  /// A text with any characters.
  public mutating func text() -> String {
    let pieces = [
      "Milk", " ", "„Käse“", "\"", "\\", "\n", "\t", ",", ";", "[", "]", "🧀", "e\u{301}", "\u{1}",
    ]
    return (0...int(0...6)).map { _ in pick(pieces) ?? "" }.joined()
  }

  private mutating func event() -> EventDetails {
    EventDetails(
      start: time(), end: time(), availability: pick(EventDetails.Availability.allCases) ?? .busy,
      status: pick(EventDetails.Status.allCases) ?? .none, birthdayContact: optional { $0.text() })
  }

  private mutating func reminder() -> ReminderDetails {
    var reminder = ReminderDetails(start: optional { $0.time() }, due: optional { $0.time() })
    reminder.isCompleted = chance(3)
    reminder.completed = optional { $0.instant() }
    reminder.percentComplete = optional { $0.int(0...100) }
    reminder.isCancelled = chance(5)
    reminder.isInProcess = chance(5)
    return reminder
  }

  private mutating func proximity() -> ProximityTrigger {
    let events: [ProximityTrigger.Event] = [.enter, .leave, .dwell(seconds: int(0...9_999))]
    var trigger = ProximityTrigger(
      pick(events) ?? .enter, at: place(), firesIfInside: chance(2),
      frequency: pick(ProximityTrigger.Frequency.allCases) ?? .always, window: optional { $0.window() },
      devices: list { $0.text() })
    trigger.includesPassing = trigger.firesIfInside
    return trigger
  }

  private mutating func window() -> TimeWindow {
    TimeWindow(
      hours: optional { TimeWindow.Hours(from: $0.int(0...86_399), until: $0.int(0...86_400)) },
      weekdays: Set(list { $0.pick(Weekday.allCases) ?? .monday }),
      firstDay: optional { CivilDay(dayNumber: $0.int(0...30_000)) },
      lastDay: optional { CivilDay(dayNumber: $0.int(0...30_000)) })
  }

  private mutating func polygon() -> Polygon {
    Polygon(exterior: ring(), holes: list { $0.ring() })
  }

  private mutating func ring() -> [Coordinate] { (0..<int(0...6)).map { _ in coordinate() } }

  private mutating func recurrence() -> Recurrence {
    Recurrence(
      rules: list { $0.rule() },
      dates: list {
        Recurrence.AdditionalOccurrence(start: $0.time(), end: $0.optional { $0.time() })
      },
      exceptionDates: list { $0.time() }, exceptionRules: list { $0.rule() })
  }

  private mutating func participant() -> Participant {
    Participant(
      url: text(), name: optional { $0.text() }, kind: pick(Participant.Kind.allCases) ?? .unknown,
      role: pick(Participant.Role.allCases) ?? .unknown,
      status: pick(Participant.Status.allCases) ?? .unknown, isCurrentUser: chance(4),
      preservedParameters: list { $0.text() })
  }

  private mutating func preserved() -> PreservedContent {
    PreservedContent(properties: list { $0.text() }, components: list { $0.text() })
  }

  private mutating func duration() -> CalendarDuration {
    CalendarDuration(days: int(-9...9), seconds: int(-99_999...99_999))
  }

  private mutating func zone() -> TimeZoneID {
    TimeZoneID(rawValue: pick(["Europe/Berlin", "America/New_York", "My; own ]zone["]) ?? "UTC")
  }

  private mutating func optional<Value>(_ make: (inout RandomModel) -> Value) -> Value? {
    chance(2) ? make(&self) : nil
  }

  private mutating func list<Value>(_ make: (inout RandomModel) -> Value) -> [Value] {
    (0..<int(0...3)).map { _ in make(&self) }
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &random) }
}
