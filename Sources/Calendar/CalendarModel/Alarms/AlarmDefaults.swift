/// When a reminder without an own alarm at a time rings, and when alarms of a due date without a time are due.
public struct AlarmDefaults: Hashable, Sendable {
  /// The time before (negative) or after the due time at which a reminder rings; `nil` if it does not ring by default.
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

  /// The settings of a list; by default it has none of its own.
  public init(standard: Standard = .inherited, allDaySecond: Int? = nil, ringsWhenDue: Bool = true) {
    self.standard = standard
    self.allDaySecond = allDaySecond
    self.ringsWhenDue = ringsWhenDue
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
