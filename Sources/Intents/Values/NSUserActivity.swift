public import Foundation

/// What a person does in an app. Part of Foundation on Apple's systems.
///
/// Nothing here indexes activities or hands them to other devices.
open class NSUserActivity: NSObject {
  /// The kind of the activity.
  public let activityType: String
  /// Its title.
  open var title: String?
  /// What the app needs to go on with it.
  open var userInfo: [AnyHashable: Any]?
  /// The page that shows the same; `http` or `https`.
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
