public import Foundation

/// What a notification shows.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying {
  fileprivate struct Values: Hashable {
    var (title, subtitle, body) = ("", "", "")
    var (categoryIdentifier, threadIdentifier) = ("", "")
    var badge: NSNumber?
    var sound: UNNotificationSound?
  }

  fileprivate var values = Values()
  fileprivate var information: [AnyHashable: Any] = [:]

  /// An empty content.
  public override init() {}

  fileprivate init(_ other: UNNotificationContent) {
    values = other.values
    information = other.information
  }

  /// The first line; empty for none.
  open var title: String { values.title }
  /// The second line; empty for none.
  open var subtitle: String { values.subtitle }
  /// The text; empty for none.
  open var body: String { values.body }
  /// The kind of notification, for its buttons.
  open var categoryIdentifier: String { values.categoryIdentifier }
  /// What groups notifications.
  open var threadIdentifier: String { values.threadIdentifier }
  /// The number at the app's icon; `nil` leaves it.
  open var badge: NSNumber? { values.badge }
  /// The sound; `nil` for none.
  open var sound: UNNotificationSound? { values.sound }
  /// The app's own values.
  open var userInfo: [AnyHashable: Any] { information }

  /// A copy that does not change.
  open func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(self) }

  /// A copy that can change.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(self) }
}

/// The content of a notification that an app makes.
open class UNMutableNotificationContent: UNNotificationContent {
  /// An empty content.
  public override init() { super.init() }

  fileprivate override init(_ other: UNNotificationContent) { super.init(other) }

  open override var title: String {
    get { values.title }
    set { values.title = newValue }
  }
  open override var subtitle: String {
    get { values.subtitle }
    set { values.subtitle = newValue }
  }
  open override var body: String {
    get { values.body }
    set { values.body = newValue }
  }
  open override var categoryIdentifier: String {
    get { values.categoryIdentifier }
    set { values.categoryIdentifier = newValue }
  }
  open override var threadIdentifier: String {
    get { values.threadIdentifier }
    set { values.threadIdentifier = newValue }
  }
  open override var badge: NSNumber? {
    get { values.badge }
    set { values.badge = newValue }
  }
  open override var sound: UNNotificationSound? {
    get { values.sound }
    set { values.sound = newValue }
  }
  open override var userInfo: [AnyHashable: Any] {
    get { information }
    set { information = newValue }
  }
}

/// The sound of a notification.
public final class UNNotificationSound: NSObject, Sendable {
  /// The system's sound.
  public static let `default` = UNNotificationSound(name: nil)

  /// The name of a file of the app; `nil` for the system's sound.
  let name: String?

  private init(name: String?) { self.name = name }

  /// The sound of a file of the app.
  public convenience init(named name: UNNotificationSoundName) { self.init(name: name.rawValue) }
}

/// The name of a file with a sound.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String

  /// The file with this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The file with this name.
  public init(_ name: String) { rawValue = name }
}
