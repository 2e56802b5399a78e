public import Foundation

/// A notification to show, and when.
public final class UNNotificationRequest: NSObject {
  /// The app's name for it: a later request with the same one replaces it.
  public let identifier: String
  /// What it shows.
  public let content: UNNotificationContent
  /// When it is shown; `nil` for at once.
  public let trigger: UNNotificationTrigger?

  /// A request. It keeps a copy of the content.
  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    self.identifier = identifier
    self.content = content.copy() as? UNNotificationContent ?? content
    self.trigger = trigger
  }
}
