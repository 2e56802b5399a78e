public import Foundation

extension NSNotification.Name {
  /// The store changed: through this `EKEventStore`, another one, or another process. Posted on the main
  /// actor with the `EKEventStore` as its object.
  ///
  /// It does not contain the change. Treat all events as outdated: fetch them again, and call `refresh()` on
  /// those in an editor.
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

/// Apple's asynchronous sequence of notifications, which Foundation lacks on Linux: apps wait for
/// `Notification.Name.EKEventStoreChanged` with it.
extension NotificationCenter {
  /// The notifications with a name.
  ///
  /// Each iterator observes until it or its task ends. A slow one skips all but the last seven notifications.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - object: The sender; `nil` for any.
  @_disfavoredOverload  // Foundation's own comes first once it exists.
  public func notifications(
    named name: Notification.Name, object: AnyObject? = nil
  ) -> Notifications {
    Notifications(center: self, name: name, object: object)
  }

  /// Notifications as they are posted.
  public final class Notifications: AsyncSequence, Sendable {
    /// A notification.
    public typealias Element = Notification
    /// Waiting does not fail.
    public typealias Failure = Never

    private let center: NotificationCenter
    private let name: Notification.Name
    // Compared only. Apple's must be Sendable, but apps give their event store, which is not.
    nonisolated(unsafe) private let object: AnyObject?

    fileprivate init(center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
      self.center = center
      self.name = name
      self.object = object
    }

    /// Begins to observe.
    public func makeAsyncIterator() -> Iterator {
      let center = center
      let stream = AsyncStream(Posted.self, bufferingPolicy: .bufferingNewest(7)) { continuation in
        let observer = Observer(
          token: center.addObserver(forName: name, object: object, queue: nil) {
            continuation.yield(Posted(notification: $0))
          })
        continuation.onTermination = { _ in center.removeObserver(observer.token) }
      }
      return Iterator(iterator: stream.makeAsyncIterator())
    }

    /// The state of an iteration.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var iterator: AsyncStream<Posted>.Iterator

      /// Waits for the next notification; `nil` if the task was cancelled.
      public mutating func next() async -> Notification? { await iterator.next()?.notification }

      /// Waits for the next notification; `nil` if the task was cancelled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
        await iterator.next(isolation: actor)?.notification
      }
    }
  }
}

/// A notification, which its sender hands to observers on any thread.
private struct Posted: @unchecked Sendable {
  let notification: Notification
}

/// The token of an observer, used only to remove it.
private struct Observer: @unchecked Sendable {
  let token: any NSObjectProtocol
}
