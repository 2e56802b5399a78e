import CalendarModel
import CalendarStore
import Interchange
import Threads

/// Looks at subscriptions as they become due, in a thread of its own: an address may take its time. What it brings is
/// written to the store, where the daemon notices it as it does anybody's changes.
///
/// It sleeps until the next one is due, or the daemon says that the store has changed: somebody may have subscribed.
final class SubscriptionWatch: Sendable {
  private let subscriber: Subscriber
  private let log: Log
  private struct Orders {
    var isWoken = false
    var isStopped = false
    /// Why the store could not be asked; `nil` where it could.
    var failure: String?
  }
  private let orders = Monitor(Orders())

  /// Seconds until the store is asked again when it could not be.
  private static let patience = 60.0

  init(store: CalendarStore, log: Log) {
    subscriber = Subscriber(store: store)
    self.log = log
  }

  /// Begins to look.
  func start() throws(ThreadFailure) { try SystemThread.start("subscriptions") { self.run() } }

  /// Looks again when the next one is due.
  func wake() { orders.update { $0.isWoken = true } }

  /// Looks no more, once a look that is under way has ended. Does not wait for it: what it brings is kept whole or not
  /// at all.
  func stop() { orders.update { $0.isStopped = true } }

  private func run() {
    while sleep(until: look()) {}
  }

  /// Looks at what is due.
  ///
  /// - Returns: When the next one is; `nil` where there is none.
  private func look() -> Instant? {
    do {
      for (subscription, outcome) in try subscriber.refreshDue(at: .wallClock()) {
        say(outcome, of: subscription)
      }
      let next = try subscriber.nextRefresh()
      note(nil)
      return next
    } catch {
      note("\(error)")
      return Instant.wallClock().adding(seconds: Self.patience)
    }
  }

  /// Says that the store can't be asked, once, and once more when it can be again.
  private func note(_ failure: String?) {
    let before = orders.withLock { orders in
      defer { orders.failure = failure }
      return orders.failure
    }
    guard failure != before else { return }
    if let failure {
      log(.warning, "subscriptions: \(failure)")
    } else {
      log(.notice, "subscriptions: go on")
    }
  }

  /// - Returns: False once it is to end.
  private func sleep(until next: Instant?) -> Bool {
    func order(_ orders: inout Orders) -> Bool? {
      guard orders.isWoken || orders.isStopped else { return nil }
      orders.isWoken = false
      return !orders.isStopped
    }
    guard let next else { return orders.wait(for: order) }
    return orders.wait(until: next, for: order) ?? true
  }

  private func say(_ outcome: Subscriber.Outcome, of subscription: Subscription) {
    switch outcome {
    case .unchanged: log(.debug, "subscription \(subscription.calendar): nothing new")
    case .merged(let counts):
      log(
        .info,
        "subscription \(subscription.calendar): \(counts[.added]) added, \(counts[.updated]) updated, "
          + "\(counts[.removed]) removed")
    case .failed(let reason):
      // Said once, not at every attempt.
      return log(
        subscription.failures == 0 ? .warning : .debug, "subscription \(subscription.calendar): \(reason)")
    }
    if subscription.failures > 0 {
      log(.notice, "subscription \(subscription.calendar): can be had again")
    }
  }
}
