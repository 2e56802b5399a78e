public import Foundation

extension NSNotification.Name {
  /// The store changed: through this `EKEventStore`, another one, or another process. Posted on the main actor with the
  /// `EKEventStore` as its object.
  ///
  /// It does not contain the change. Treat all events as outdated: fetch them again, and call `refresh()` on those in
  /// an editor.
  public static let EKEventStoreChanged = NSNotification.Name("EKEventStoreChangedNotification")
}

extension EKEventStore {
  /// `Notification.Name.EKEventStoreChanged` as a typed message.
  public struct EventStoreChanged: NotificationCenter.MainActorMessage {
    /// The subject of the message.
    public typealias Subject = EKEventStore

    /// The name of the notification.
    public static var name: Notification.Name { .EKEventStoreChanged }

    /// Creates a message.
    public init() {}

    /// Converts a notification to the message.
    public static func makeMessage(_ notification: Notification) -> EventStoreChanged? {
      EventStoreChanged()
    }

    /// Converts a message to the notification.
    public static func makeNotification(_ message: EventStoreChanged) -> Notification {
      Notification(name: name)
    }
  }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<EKEventStore.EventStoreChanged> {
  /// The identifier of the message for `addObserver(of:for:)`.
  public static var changed: NotificationCenter.BaseMessageIdentifier<EKEventStore.EventStoreChanged> {
    .init()
  }
}
