public import Foundation

/// What an app may do with notifications.
public struct UNAuthorizationOptions: OptionSet, Sendable {
  /// One bit each.
  public let rawValue: UInt

  /// The options with these bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// A number at the app's icon.
  public static let badge = UNAuthorizationOptions(rawValue: 1)
  /// Sounds.
  public static let sound = UNAuthorizationOptions(rawValue: 2)
  /// Texts on the screen.
  public static let alert = UNAuthorizationOptions(rawValue: 4)
}

/// Whether an app may show notifications, with Apple's numbers.
public enum UNAuthorizationStatus: Int, Sendable {
  case notDetermined, denied, authorized, provisional, ephemeral
}

/// The notifications of an app. None are shown here: whatever would show one fails with a ``UNError``, whose
/// description says what to do instead. Code that falls back when the user says no works unchanged.
public final class UNUserNotificationCenter: NSObject, Sendable {
  private static let only = UNUserNotificationCenter()

  private override init() {}

  /// The center of this app.
  public static func current() -> UNUserNotificationCenter { only }

  /// False: see ``UNUserNotificationCenter``.
  public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { false }

  /// Calls `completionHandler` with false.
  public func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) { completionHandler(false, UNError.unsupported) }

  /// Fails.
  ///
  /// - Throws: ``UNError/notificationsNotAllowed``.
  public func add(_ request: UNNotificationRequest) async throws { throw UNError.unsupported }

  /// Fails with ``UNError/notificationsNotAllowed``.
  public func add(
    _ request: UNNotificationRequest, withCompletionHandler handler: (@Sendable ((any Error)?) -> Void)? = nil
  ) { handler?(UNError.unsupported) }

  /// There are none.
  public func pendingNotificationRequests() async -> [UNNotificationRequest] { [] }

  /// Calls `completionHandler` with none.
  public func getPendingNotificationRequests(
    completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
  ) { completionHandler([]) }

  /// Nothing: there are none.
  public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {}

  /// Nothing: there are none.
  public func removeAllPendingNotificationRequests() {}
}
