/// A kind of calendar item.
public enum EKEntityType: UInt, Sendable {
  /// Events.
  case event = 0
  /// Reminders.
  case reminder = 1
}

/// Kinds of calendar items.
public struct EKEntityMask: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// The set that `rawValue` spells.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Events.
  public static let event = EKEntityMask(rawValue: 1)
  /// Reminders.
  public static let reminder = EKEntityMask(rawValue: 2)
}

/// What an app may do with events, or with reminders.
public enum EKAuthorizationStatus: Int, Sendable {
  /// Nobody was asked yet.
  case notDetermined = 0
  /// Nothing, and the user can't change that from within the app: the store's policy is closed.
  case restricted = 1
  /// Nothing: the user said no.
  case denied = 2
  /// Everything.
  case fullAccess = 3
  /// Add events, and read none.
  case writeOnly = 4

  /// What ``fullAccess`` was called before there was write-only access.
  @available(*, deprecated, renamed: "fullAccess")
  public static var authorized: EKAuthorizationStatus { .fullAccess }
}

/// To which occurrences of a recurring event a change applies.
public enum EKSpan: Int, Sendable {
  /// To this one.
  case thisEvent = 0
  /// To this one and all later ones.
  case futureEvents = 1
}
