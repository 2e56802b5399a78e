/// The kind of a calendar. The order differs from ``EKSourceType``.
public enum EKCalendarType: Int, Sendable {
  case local = 0
  case calDAV = 1
  case exchange = 2
  case subscription = 3
  case birthday = 4
}

/// The kind of a source.
public enum EKSourceType: Int, Sendable {
  case local = 0
  case exchange = 1
  case calDAV = 2
  case mobileMe = 3
  case subscribed = 4
  case birthdays = 5
}

/// The availabilities that the events of a calendar support; empty if there are none.
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
