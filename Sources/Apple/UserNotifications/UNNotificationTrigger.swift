public import CoreLocation
public import Foundation

/// When a notification is shown. Use one of the kinds.
open class UNNotificationTrigger: NSObject {
  /// Whether it is shown each time.
  public let repeats: Bool

  init(repeats: Bool) { self.repeats = repeats }
}

/// Shows a notification after a time.
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
  /// Seconds.
  public let timeInterval: TimeInterval

  /// A trigger after some seconds.
  public init(timeInterval: TimeInterval, repeats: Bool) {
    self.timeInterval = timeInterval
    super.init(repeats: repeats)
  }
}

/// Shows a notification at a date.
public final class UNCalendarNotificationTrigger: UNNotificationTrigger {
  /// The parts of the date that must match.
  public let dateComponents: DateComponents

  /// A trigger at dates with these components.
  public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
    self.dateComponents = dateComponents
    super.init(repeats: repeats)
  }
}

/// Shows a notification when the device enters or leaves a region.
public final class UNLocationNotificationTrigger: UNNotificationTrigger {
  /// The region. Its `notifyOnEntry` and `notifyOnExit` say when.
  public let region: CLRegion

  /// A trigger at a region.
  public init(region: CLRegion, repeats: Bool) {
    self.region = region
    super.init(repeats: repeats)
  }
}
