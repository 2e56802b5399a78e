public import Foundation

/// A person's activity in an app. Part of Foundation on Apple's systems.
///
/// Nothing here indexes activities or passes them to other devices.
open class NSUserActivity: NSObject {
  /// The kind of the activity.
  public let activityType: String
  /// Its title.
  open var title: String?
  /// The data that the app needs to continue it.
  open var userInfo: [AnyHashable: Any]?
  /// A web page with the same content; `http` or `https`.
  open var webpageURL: URL?
  /// The interaction that the activity is about.
  open var interaction: INInteraction?

  /// An activity.
  public init(activityType: String) { self.activityType = activityType }

  /// Adds to ``userInfo``.
  open func addUserInfoEntries(from other: [AnyHashable: Any]) {
    userInfo = (userInfo ?? [:]).merging(other) { $1 }
  }
}
