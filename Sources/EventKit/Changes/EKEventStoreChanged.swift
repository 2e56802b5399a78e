public import Foundation

extension NSNotification.Name {
  /// Something in the store changed: through this `EKEventStore`, another one, or another process. Posted on the
  /// main actor with the `EKEventStore` as its object.
  ///
  /// It does not say what changed. Take all events for out of date: fetch them again, and `refresh()` those that
  /// are being edited.
  public static let EKEventStoreChanged = NSNotification.Name("EKEventStoreChangedNotification")
}

extension EKEventStore {
  /// ``Foundation/NSNotification/Name/EKEventStoreChanged`` as a message with a type.
  public struct EventStoreChanged: NotificationCenter.MainActorMessage {
    /// What it is about.
    public typealias Subject = EKEventStore

    /// The name of the notification.
    public static var name: Notification.Name { .EKEventStoreChanged }

    /// A message.
    public init() {}

    /// The message that a notification is.
    public static func makeMessage(_ notification: Notification) -> EventStoreChanged? {
      EventStoreChanged()
    }

    /// The notification that a message is.
    public static func makeNotification(_ message: EventStoreChanged) -> Notification {
      Notification(name: name)
    }
  }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<EKEventStore.EventStoreChanged> {
  /// Names the message in `addObserver(of:for:)`.
  public static var changed: NotificationCenter.BaseMessageIdentifier<EKEventStore.EventStoreChanged> {
    .init()
  }
}
