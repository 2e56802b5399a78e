public import FencepostSpatiotemporal

/// An alarm of an item (`EKAlarm`; VALARM).
///
/// A proximity alarm goes off at its place. It may also have a trigger, which is a separate time: EventKit
/// allows both. Apple's sentinel trigger 19760401T005545Z is on proximity alarms because RFC 5545 requires a
/// TRIGGER; it is read as ``Trigger/none``.
public struct Alarm: Hashable, Sendable, Identifiable {
  /// The time of the alarm.
  public enum Trigger: Hashable, Sendable {
    /// No time: a pure proximity alarm.
    case none
    /// At a moment.
    case absolute(Instant)
    /// This long before (negative) or after each occurrence's start or end.
    case relative(CalendarDuration, to: Edge)
  }

  /// The end of an occurrence from which an offset counts; RELATED.
  public enum Edge: String, Hashable, Sendable {
    /// DTSTART; for a reminder without one, its due time.
    case start = "START"
    /// DTEND or DUE.
    case end = "END"
  }

  /// What the alarm does; ACTION.
  public enum Action: Hashable, Sendable {
    case display
    /// Plays a sound, by name if given.
    case audio(soundName: String?)
    case email(to: [String])
    /// Opens something; it is read, but never created (EventKit refuses to since OS X 10.9).
    case procedure(url: String?)
    /// The name of an ACTION without a case here.
    case other(String)
  }

  /// The alarm's identifier; the UID of RFC 9074 if it has one.
  public var id: Identifier<Alarm>
  /// The time of the alarm.
  public var trigger: Trigger
  /// The place and the crossing; `nil` for a purely time-based alarm.
  public var proximity: ProximityTrigger?
  /// What the alarm does.
  public var action: Action
  /// The text to show; DESCRIPTION. `nil` shows the item's title.
  public var message: String?
  /// SUMMARY of an e-mail alarm.
  public var summary: String?
  /// The number of repetitions; REPEAT.
  public var repeatCount: Int
  /// The time between repetitions; DURATION.
  public var repeatInterval: CalendarDuration?
  /// When it was last acknowledged (RFC 9074). Triggers at or before this are done.
  public var acknowledged: Instant?
  /// The alarm that this snooze belongs to (RELATED-TO with RELTYPE=SNOOZE, RFC 9074).
  public var snoozeOf: Identifier<Alarm>?
  /// Content of a file that this model has no field for.
  public var preserved: PreservedContent

  /// An alarm.
  public init(
    id: Identifier<Alarm> = .random(), trigger: Trigger = .none, proximity: ProximityTrigger? = nil,
    action: Action = .display, message: String? = nil
  ) {
    self.id = id
    self.trigger = trigger
    self.proximity = proximity
    self.action = action
    self.message = message
    repeatCount = 0
    preserved = PreservedContent()
  }
}

/// When a reminder without an own alarm at a time rings, and when alarms of a due date without a time are
/// due.
public struct AlarmDefaults: Hashable, Sendable {
  /// The time before (negative) or after the due time at which a reminder rings; `nil` if it does not ring by
  /// default.
  public var alarm: CalendarDuration?
  /// The second of the day for a due date without a time.
  public var allDaySecond: Int

  /// The defaults of common reminder apps: at the due time, and at 9:00 for a whole day.
  public init(alarm: CalendarDuration? = .zero, allDaySecond: Int = 9 * 3600) {
    self.alarm = alarm
    self.allDaySecond = allDaySecond
  }
}

/// A list's own settings for the alarms of its reminders. Unset values come from the configuration.
public struct ListAlarms: Hashable, Sendable {
  /// The alarm of reminders that have none of their own at a time.
  public enum Standard: Hashable, Sendable {
    /// The configured default.
    case inherited
    /// No alarm: reminders ring only with their own alarms.
    case none
    /// This long before (negative) or after the due time.
    case offset(CalendarDuration)
  }

  /// When reminders with a due time ring that have no own alarm at a time. This does not change them.
  public var standard: Standard
  /// The second of the day for a due date without a time; `nil` as configured.
  public var allDaySecond: Int?
  /// Whether such reminders ring at all.
  public var ringsWhenDue: Bool
  /// The time after which alarms of its items are told again until somebody answers, if they have none of their
  /// own; `nil` as the channel does.
  public var nag: CalendarDuration?
  /// The possible seconds of ``nag``: a minute to a day.
  public static let nagSeconds = 60.0...86_400.0

  /// The settings of a list; by default it has none of its own.
  public init(
    standard: Standard = .inherited, allDaySecond: Int? = nil, ringsWhenDue: Bool = true,
    nag: CalendarDuration? = nil
  ) {
    self.standard = standard
    self.allDaySecond = allDaySecond
    self.ringsWhenDue = ringsWhenDue
    self.nag = nag
  }

  /// The settings for the list, with `defaults` for unset values.
  public func over(_ defaults: AlarmDefaults) -> AlarmDefaults {
    var result = defaults
    switch standard {
    case .inherited: break
    case .none: result.alarm = nil
    case .offset(let offset): result.alarm = offset
    }
    if let allDaySecond { result.allDaySecond = allDaySecond }
    return result
  }
}

extension Alarm {
  /// The suffix of the identifier of an item's implied alarm.
  public static let impliedSuffix = "#due"

  /// The identifier of the implied alarm of items with a UID. It never changes, so that the alarm can be
  /// acknowledged and snoozed like any other.
  public static func impliedID(uid: String) -> Identifier<Alarm> { Identifier(rawValue: uid + impliedSuffix) }

  /// An alarm that marks its item as without alarms, as Apple's programs write it (ACTION:NONE): no default
  /// applies.
  public static func silent() -> Alarm { Alarm(action: .other("NONE")) }

  /// Whether it only marks the item as without alarms. It never goes off.
  public var isSilent: Bool {
    if case .other(let name) = action { name.uppercased() == "NONE" } else { false }
  }
}

extension Alarm {
  /// Whether it says when its item rings, or that it does not: then no default applies. Alarms at places,
  /// snoozed ones, and those whose time can't be read don't say so.
  public var replacesDefault: Bool { snoozeOf == nil && (isSilent || trigger != .none) }
}

extension CalendarItem {
  /// The identifier of the implied alarm, which the item has by the setting of its list if it has no own
  /// alarm at a time.
  public var impliedAlarmID: Identifier<Alarm> { Alarm.impliedID(uid: uid) }

  /// The alarms, without those that only mark the item as silent.
  public var audibleAlarms: [Alarm] { alarms.filter { !$0.isSilent } }

  /// Whether the item says on purpose that it has no alarm at its due time: see ``Alarm/silent()``. An own
  /// alarm at a time takes its place.
  public var isMarkedSilent: Bool {
    get { alarms.contains(where: \.isSilent) }
    set {
      if !newValue {
        alarms.removeAll(where: \.isSilent)
      } else if !isMarkedSilent {
        alarms.append(.silent())
      }
    }
  }

  /// Replaces the alarms. The item stays marked as silent until it gets an alarm at a time.
  public mutating func replaceAlarms(with new: [Alarm]) {
    let marks = alarms.filter(\.isSilent)
    alarms = new
    if !new.contains(where: \.replacesDefault) { alarms += marks }
  }

  /// The alarm that the item has by the setting of its list; `nil` if it has an own alarm at a time, is done,
  /// or has no due time.
  ///
  /// This does not change the item: the alarm is never stored, exported or shown among the item's own alarms.
  /// A snooze of it becomes an alarm of the item that refers to it and does not replace it.
  ///
  /// - Parameter offset: The time before (negative) or after the due time at which it goes off.
  public func impliedAlarm(_ offset: CalendarDuration) -> Alarm? {
    guard let reminder, reminder.due != nil, !isSilenced, !alarms.contains(where: \.replacesDefault) else {
      return nil
    }
    return defaultAlarm(offset, id: impliedAlarmID)
  }

  /// An alarm at this offset before (negative) or after the due time of a reminder.
  public func defaultAlarm(_ offset: CalendarDuration, id: Identifier<Alarm> = .random()) -> Alarm {
    Alarm(id: id, trigger: .relative(offset, to: start == nil ? .start : .end))
  }
}
