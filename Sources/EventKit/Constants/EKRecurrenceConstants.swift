/// A day of the week.
public enum EKWeekday: Int, Sendable {
  case sunday = 1
  case monday = 2
  case tuesday = 3
  case wednesday = 4
  case thursday = 5
  case friday = 6
  case saturday = 7

  /// What ``sunday`` was called.
  @available(*, deprecated, renamed: "sunday")
  public static var EKSunday: EKWeekday { .sunday }
  /// What ``monday`` was called.
  @available(*, deprecated, renamed: "monday")
  public static var EKMonday: EKWeekday { .monday }
  /// What ``tuesday`` was called.
  @available(*, deprecated, renamed: "tuesday")
  public static var EKTuesday: EKWeekday { .tuesday }
  /// What ``wednesday`` was called.
  @available(*, deprecated, renamed: "wednesday")
  public static var EKWednesday: EKWeekday { .wednesday }
  /// What ``thursday`` was called.
  @available(*, deprecated, renamed: "thursday")
  public static var EKThursday: EKWeekday { .thursday }
  /// What ``friday`` was called.
  @available(*, deprecated, renamed: "friday")
  public static var EKFriday: EKWeekday { .friday }
  /// What ``saturday`` was called.
  @available(*, deprecated, renamed: "saturday")
  public static var EKSaturday: EKWeekday { .saturday }
}

/// How often a rule repeats.
public enum EKRecurrenceFrequency: Int, Sendable {
  case daily = 0
  case weekly = 1
  case monthly = 2
  case yearly = 3
}
