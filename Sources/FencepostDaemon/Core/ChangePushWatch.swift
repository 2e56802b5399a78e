import CalDAVServer
import CalendarModel
import CalendarStore
import System
import WebPush

/// Tells CalDAV clients that lists have changed (WebDAV-Push), on a thread of its own, because push services may be slow.
///
/// The thread sleeps until the store changes, a subscription ends or a push service is asked again.
final class ChangePushWatch: Sendable {
  private let store: CalendarStore
  private let push: WebPushAddress
  private let log: Log
  private struct Orders {
    var isWoken = false
    var isStopped = false
    /// The last error of the store; `nil` if there is none.
    var failure: String?
  }
  private let orders = Monitor(Orders())

  /// Seconds before a retry after an error of the store.
  private static let pause = 60.0

  init(store: CalendarStore, push: WebPushAddress, log: Log) {
    self.store = store
    self.push = push
    self.log = log
  }

  /// Starts the thread.
  func start() throws(SystemFailure) { try SystemThread.start("changes") { self.run() } }

  /// Wakes the thread, for changes.
  func wake() { orders.update { $0.isWoken = true } }

  /// Ends the thread, after a running message.
  func stop() { orders.update { $0.isStopped = true } }

  private func run() {
    var pusher: ChangePusher?
    var next: Instant?
    repeat {
      do {
        let current =
          try pusher
          ?? ChangePusher(store: store, contact: push.contact, reach: push.reach, clock: { .wallClock() })
        pusher = current
        next = try current.push()
        note(nil)
      } catch {
        note("\(error)")
        next = Instant.wallClock().adding(seconds: Self.pause)
      }
    } while sleep(until: next)
  }

  /// Logs an error of the store once, and its end.
  private func note(_ failure: String?) {
    let before = orders.withLock { orders in
      defer { orders.failure = failure }
      return orders.failure
    }
    guard failure != before else { return }
    if let failure {
      log(.warning, "pushes of changes: \(failure)")
    } else {
      log(.notice, "pushes of changes: working again")
    }
  }

  /// Sleeps until `next` or an event.
  ///
  /// - Returns: False if the thread should end.
  private func sleep(until next: Instant?) -> Bool {
    func order(_ orders: inout Orders) -> Bool? {
      guard orders.isWoken || orders.isStopped else { return nil }
      orders.isWoken = false
      return !orders.isStopped
    }
    guard let next else { return orders.wait(for: order) }
    return orders.wait(until: next, for: order) ?? true
  }
}
