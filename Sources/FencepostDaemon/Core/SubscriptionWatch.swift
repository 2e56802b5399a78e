import CalendarModel
import CalendarStore
import Interchange
import Synchronization

/// Looks at subscriptions as they become due, beside the daemon's own thread: an address may take its time. What it
/// brings is written to the store, where the daemon notices it as it does anybody's changes.
final class SubscriptionWatch: Sendable {
  private let subscriber: Subscriber
  private let log: Log
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// The longest sleep in seconds: a subscription that somebody makes meanwhile is noticed after that.
  private static let longestSleep = 60.0

  init(store: CalendarStore, log: Log) {
    subscriber = Subscriber(store: store)
    self.log = log
  }

  /// Begins to look.
  func start() {
    task.withLock { task in
      if task == nil { task = Task { [self] in await run() } }
    }
  }

  /// Looks no more; a look that is under way changes nothing more.
  func stop() {
    task.withLock { task in
      task?.cancel()
      task = nil
    }
  }

  private func run() async {
    while !Task.isCancelled {
      var wait = Self.longestSleep
      do {
        for (subscription, outcome) in try await subscriber.refreshDue(at: .wallClock()) {
          say(outcome, of: subscription)
        }
        if let next = try subscriber.nextRefresh() {
          wait = min(wait, max(1, next.seconds(since: .wallClock())))
        }
      } catch {
        log(.warning, "subscriptions: \(error)")
      }
      try? await Task.sleep(for: .seconds(wait))
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
