public import Foundation

/// The domain of errors of notifications.
public let UNErrorDomain = "UNErrorDomain"

/// An error of notifications.
public struct UNError: _BridgedStoredNSError {
  /// The error as `NSError`.
  public let _nsError: NSError

  /// Wraps `error`, whose domain must be ``UNErrorDomain``.
  public init(_nsError error: NSError) { _nsError = error }

  /// ``UNErrorDomain``.
  public static var _nsErrorDomain: String { UNErrorDomain }

  /// ``UNErrorDomain``.
  public static var errorDomain: String { UNErrorDomain }

  /// The codes, with Apple's numbers.
  public enum Code: Int, Sendable, _ErrorCodeProtocol {
    /// The error type of these codes.
    public typealias _ErrorType = UNError

    /// The app may not show notifications.
    case notificationsNotAllowed = 1
  }

  /// The app may not show notifications.
  public static var notificationsNotAllowed: Code { .notificationsNotAllowed }

  static var unsupported: UNError {
    UNError(
      _nsError: NSError(
        domain: UNErrorDomain, code: Code.notificationsNotAllowed.rawValue,
        userInfo: [
          NSLocalizedDescriptionKey:
            "Fencepost shows the alarms of reminders and events, not notifications of apps. "
            + "Add a reminder with an alarm instead, or watch the region with CLMonitor."
        ]))
  }
}
