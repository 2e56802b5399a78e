/// When a reminder rings that has no alarm of its own, and at which hour alarms of a due date without a time are due.
public struct AlarmDefaults: Hashable, Sendable {
  /// How long before (negative) or after its due time a reminder rings; `nil` where it does not ring by itself.
  public var alarm: CalendarDuration?
  /// The second of the day that stands for a due date without a time.
  public var allDaySecond: Int

  /// Defaults: at the due time, and at 9:00 of a whole day, as reminders programs have it.
  public init(alarm: CalendarDuration? = .zero, allDaySecond: Int = 9 * 3600) {
    self.alarm = alarm
    self.allDaySecond = allDaySecond
  }
}

/// What a list says of the alarms of its reminders; what it leaves open is as the settings have it.
public struct ListAlarms: Hashable, Sendable {
  /// The alarm of a new reminder.
  public enum Standard: Hashable, Sendable {
    /// As the settings have it.
    case inherited
    /// None: reminders ring only if they have an alarm.
    case none
    /// So long before (negative) or after the due time.
    case offset(CalendarDuration)
  }

  /// The alarm that a new reminder with a due time gets, and when one rings that came without an alarm.
  public var standard: Standard
  /// The second of the day that stands for a due date without a time; `nil` where it is as the settings have it.
  public var allDaySecond: Int?
  /// Whether reminders that came from elsewhere without an alarm ring at their due time. They are not changed for it.
  public var ringsWhenDue: Bool

  /// What a list says; nothing special unless said.
  public init(standard: Standard = .inherited, allDaySecond: Int? = nil, ringsWhenDue: Bool = true) {
    self.standard = standard
    self.allDaySecond = allDaySecond
    self.ringsWhenDue = ringsWhenDue
  }

  /// What holds for the list where the settings say `defaults`.
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
