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

  /// The set with the bits of `rawValue`.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Events.
  public static let event = EKEntityMask(rawValue: 1)
  /// Reminders.
  public static let reminder = EKEntityMask(rawValue: 2)
}

/// An app's permission for events or reminders.
public enum EKAuthorizationStatus: Int, Sendable {
  /// The user has not decided yet.
  case notDetermined = 0
  /// No access, and the user can't change that in the app: the store's policy is closed.
  case restricted = 1
  /// No access: the user denied it.
  case denied = 2
  /// Full access.
  case fullAccess = 3
  /// The app can add events, but not read them.
  case writeOnly = 4

  /// The older name of ``fullAccess``, from before write-only access.
  @available(*, deprecated, renamed: "fullAccess")
  public static var authorized: EKAuthorizationStatus { .fullAccess }
}

/// The occurrences of a recurring event that a change applies to.
public enum EKSpan: Int, Sendable {
  /// Only this occurrence.
  case thisEvent = 0
  /// This occurrence and all later ones.
  case futureEvents = 1
}
