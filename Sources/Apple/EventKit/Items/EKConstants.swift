/// Kinds of calendar items.
public struct EKEntityMask: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// The set with the bits of `rawValue`.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Events.
  public static let event = EKEntityMask(rawValue: 1)
  /// Reminders.
  public static let reminder = EKEntityMask(rawValue: 2)
}

extension EKAuthorizationStatus {
  /// The older name of ``fullAccess``, from before write-only access.
  @available(*, deprecated, renamed: "fullAccess")
  public static var authorized: EKAuthorizationStatus { .fullAccess }
}

/// The availabilities that the events of a calendar support; empty for none.
public struct EKCalendarEventAvailabilityMask: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// The set with the bits of `rawValue`.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Busy.
  public static let busy = EKCalendarEventAvailabilityMask(rawValue: 1)
  /// Free.
  public static let free = EKCalendarEventAvailabilityMask(rawValue: 2)
  /// Tentative.
  public static let tentative = EKCalendarEventAvailabilityMask(rawValue: 4)
  /// Unavailable.
  public static let unavailable = EKCalendarEventAvailabilityMask(rawValue: 8)
}

extension EKWeekday {
  /// The older name of ``sunday``.
  @available(*, deprecated, renamed: "sunday")
  public static var EKSunday: EKWeekday { .sunday }
  /// The older name of ``monday``.
  @available(*, deprecated, renamed: "monday")
  public static var EKMonday: EKWeekday { .monday }
  /// The older name of ``tuesday``.
  @available(*, deprecated, renamed: "tuesday")
  public static var EKTuesday: EKWeekday { .tuesday }
  /// The older name of ``wednesday``.
  @available(*, deprecated, renamed: "wednesday")
  public static var EKWednesday: EKWeekday { .wednesday }
  /// The older name of ``thursday``.
  @available(*, deprecated, renamed: "thursday")
  public static var EKThursday: EKWeekday { .thursday }
  /// The older name of ``friday``.
  @available(*, deprecated, renamed: "friday")
  public static var EKFriday: EKWeekday { .friday }
  /// The older name of ``saturday``.
  @available(*, deprecated, renamed: "saturday")
  public static var EKSaturday: EKWeekday { .saturday }
}
