import CalendarModel
import CalendarStore
import Interchange
import System

/// Refreshes subscriptions when they are due, several at a time, because servers may be slow. The results are
/// written to the store, where the daemon detects them like other changes.
///
/// Its thread sleeps until the next refresh is due, a refresh has ended, or the store has changed, because
/// there may be a new subscription.
final class SubscriptionWatch: Sendable {
  private let store: CalendarStore
  private let subscriber: Subscriber
  private let pool: RefreshPool
  private let log: Log
  private struct Orders {
    var isWoken = false
    /// Whether a refresh has ended, so that another can begin.
    var hasEnded = false
    var isStopped = false
    /// The pause of all refreshes after the store could not be written.
    var rest: Wait?
    /// The last error of the store; `nil` if there is none.
    var failure: String?
  }
  private let orders = Monitor(Orders())

  /// Seconds before a retry after an error of the store.
  private static let pause = 60.0

  init(store: CalendarStore, log: Log) {
    self.store = store
    subscriber = Subscriber(store: store)
    pool = RefreshPool(subscriber)
    self.log = log
  }

  /// Starts the thread.
  func start() throws(SystemFailure) { try SystemThread.start("subscriptions") { self.run() } }

  /// Wakes the thread, for changes.
  func wake() { orders.update { $0.isWoken = true } }

  /// Ends the thread. It does not wait for a running refresh, whose result is stored completely or not at
  /// all.
  func stop() { orders.update { $0.isStopped = true } }

  private func run() {
    while sleep(until: look()) {}
  }

  /// Starts due refreshes.
  ///
  /// - Returns: When to check again; `nil` for never.
  private func look() -> Instant? {
    let now = Instant.wallClock()
    if let rest = orders.withLock(\.rest), !rest.isOver(at: now) { return rest.end }
    orders.withLock { $0.rest = nil }
    do {
      // Cleans up after a program that was killed.
      let isUnsettled = try store.settleBulkChanges()
      let (due, next) = try subscriber.due(at: now)
      pool.begin(due, at: now) { [weak self] subscription, result in self?.end(subscription, result) }
      if due.isEmpty { note(nil) }
      return isUnsettled ? now.adding(seconds: Self.pause) : next
    } catch {
      note("\(error)")
      return now.adding(seconds: Self.pause)
    }
  }

  /// Logs the result of a refresh, on the thread of that refresh.
  private func end(_ subscription: Subscription, _ result: RefreshPool.Result) {
    switch result {
    case .success(let outcome):
      note(nil)
      say(outcome, of: subscription)
    case .failure(let error):
      // It is still due, but must not be retried at once.
      note("\(error)")
      orders.withLock { $0.rest = Wait(seconds: Self.pause, from: .wallClock()) }
    }
    orders.update { $0.hasEnded = true }
  }

  /// Logs an error of the store once, and its end.
  private func note(_ failure: String?) {
    let before = orders.withLock { orders in
      defer { orders.failure = failure }
      return orders.failure
    }
    guard failure != before else { return }
    if let failure {
      log(.warning, "subscriptions: \(failure)")
    } else {
      log(.notice, "subscriptions: working again")
    }
  }

  /// Sleeps until `next` or an event.
  ///
  /// - Returns: False if the thread should end.
  private func sleep(until next: Instant?) -> Bool {
    func order(_ orders: inout Orders) -> Bool? {
      guard orders.isWoken || orders.hasEnded || orders.isStopped else { return nil }
      (orders.isWoken, orders.hasEnded) = (false, false)
      return !orders.isStopped
    }
    guard let next else { return orders.wait(for: order) }
    return orders.wait(until: next, for: order) ?? true
  }

  private func say(_ outcome: Subscriber.Outcome, of subscription: Subscription) {
    switch outcome {
    case .unchanged: log(.debug, "subscription \(subscription.calendar): up to date")
    case .merged(let counts):
      log(
        .info,
        "subscription \(subscription.calendar): \(counts[.added]) added, \(counts[.updated]) updated, "
          + "\(counts[.removed]) removed")
    case .failed(let reason):
      // Log the first failure only.
      return log(
        subscription.failures == 0 ? .warning : .debug, "subscription \(subscription.calendar): \(reason)")
    }
    if subscription.failures > 0 {
      log(.notice, "subscription \(subscription.calendar): reachable again")
    }
  }
}
