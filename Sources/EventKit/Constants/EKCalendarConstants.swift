/// What kind of calendar a calendar is. The order is not that of ``EKSourceType``.
public enum EKCalendarType: Int, Sendable {
  case local = 0
  case calDAV = 1
  case exchange = 2
  case subscription = 3
  case birthday = 4
}

/// What kind of account a source is.
public enum EKSourceType: Int, Sendable {
  case local = 0
  case exchange = 1
  case calDAV = 2
  case mobileMe = 3
  case subscribed = 4
  case birthdays = 5
}

/// Which availabilities the events of a calendar may have; empty where it supports none.
public struct EKCalendarEventAvailabilityMask: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// The set that `rawValue` spells.
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
