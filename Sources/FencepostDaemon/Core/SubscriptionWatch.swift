import CalendarModel
import CalendarStore
import Foundation
import Interchange

/// Looks at subscriptions as they become due, in a thread of its own: an address may take its time. What it brings is
/// written to the store, where the daemon notices it as it does anybody's changes.
///
/// It sleeps until the next one is due, or the daemon says that the store has changed: somebody may have subscribed.
///
/// `@unchecked Sendable`: `isWoken` and `isStopped` are reached only under `condition`.
final class SubscriptionWatch: @unchecked Sendable {
  private let subscriber: Subscriber
  private let log: Log
  private let condition = NSCondition()
  private var isWoken = false
  private var isStopped = false

  /// Seconds until the store is asked again when it could not be.
  private static let patience = 60.0

  init(store: CalendarStore, log: Log) {
    subscriber = Subscriber(store: store)
    self.log = log
  }

  /// Begins to look.
  func start() {
    let thread = Thread { self.run() }
    thread.name = "subscriptions"
    thread.start()
  }

  /// Looks again when the next one is due.
  func wake() {
    condition.withLock {
      isWoken = true
      condition.signal()
    }
  }

  /// Looks no more, once a look that is under way has ended. Does not wait for it: what it brings is kept whole or not
  /// at all.
  func stop() {
    condition.withLock {
      isStopped = true
      condition.signal()
    }
  }

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
      return try subscriber.nextRefresh()
    } catch {
      log(.warning, "subscriptions: \(error)")
      return Instant.wallClock().adding(seconds: Self.patience)
    }
  }

  /// - Returns: False once it is to end.
  private func sleep(until next: Instant?) -> Bool {
    condition.withLock {
      if let next {
        let deadline = Date(timeIntervalSince1970: Double(next.microseconds) / 1e6)
        while !isWoken, !isStopped, condition.wait(until: deadline) {}
      } else {
        // Not until the distant future, at which Foundation's condition fails.
        while !isWoken, !isStopped { condition.wait() }
      }
      isWoken = false
      return !isStopped
    }
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
      log(subscription.failures == 0 ? .warning : .debug, "subscription: \(reason)")
    }
  }
}
