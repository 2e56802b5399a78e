public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostSystem
import FoundationEssentials

/// Refreshes several subscriptions at a time, each on its own thread, so that a slow server does not delay
/// others.
public final class RefreshPool: Sendable {
  /// The most refreshes at the same time.
  public struct Limits: Sendable {
    /// In total. Each holds its content in memory until it is merged.
    public var all = 6
    /// From one host, so that a slow one does not take all places.
    public var perHost = 2

    /// Limits for a machine at home.
    public init() {}
  }

  /// The result of a refresh; the error is the store's.
  public typealias Result = Swift.Result<Subscriber.Outcome, any Error>

  private struct State {
    /// The hosts of the running refreshes.
    var hosts: [Identifier<ItemCalendar>: String] = [:]
    /// The number of finished refreshes.
    var ended = 0

    func hasRoom(for host: String, _ limits: Limits) -> Bool {
      hosts.count < limits.all && hosts.values.count { $0 == host } < limits.perHost
    }
  }

  private let subscriber: Subscriber
  private let limits: Limits
  private let state = Monitor(State())

  /// A pool that uses `subscriber`.
  public init(_ subscriber: Subscriber, limits: Limits = Limits()) {
    self.subscriber = subscriber
    self.limits = limits
  }

  /// Starts to refresh those of `subscriptions` that the limits allow and that are not running. Skips a
  /// subscription that was refreshed or removed after it was read.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - onEnd: Called with each result, on its thread. There is a free place by then.
  /// - Returns: The subscriptions that have to wait for a free place.
  @discardableResult
  public func begin(
    _ subscriptions: [Subscription], at now: Instant,
    onEnd: @escaping @Sendable (Subscription, Result) -> Void
  ) -> [Subscription] {
    subscriptions.filter { subscription in
      let host = (try? SubscriptionAddress(subscription.address))?.url.host ?? ""
      let (isRunning, begins) = state.withLock { state in
        guard state.hosts[subscription.calendar] == nil else { return (true, false) }
        guard state.hasRoom(for: host, limits) else { return (false, false) }
        state.hosts[subscription.calendar] = host
        return (true, true)
      }
      if begins {
        let look: @Sendable () -> Void = { [self] in
          let result = Result {
            // Another refresh may have finished in the meantime.
            guard try subscriber.isCurrent(subscription) else { return Subscriber.Outcome.unchanged }
            return try subscriber.refresh(subscription, at: now)
          }
          state.update {
            $0.hosts[subscription.calendar] = nil
            $0.ended += 1
          }
          onEnd(subscription, result)
        }
        // If the system has no more threads, use the caller's.
        do { try SystemThread.start("refresh", look) } catch { look() }
      }
      return !isRunning
    }
  }

  /// Refreshes all of `subscriptions` and waits for the results.
  ///
  /// - Returns: The results, in the order of the subscriptions.
  public func refresh(_ subscriptions: [Subscription], at now: Instant) -> [Result] {
    let results = Monitor<[Identifier<ItemCalendar>: Result]>([:])
    var seen: Set<Identifier<ItemCalendar>> = []
    var waiting = subscriptions.filter { seen.insert($0.calendar).inserted }
    while true {
      let ended = state.withLock(\.ended)
      waiting = begin(waiting, at: now) { subscription, result in
        results.update { $0[subscription.calendar] = result }
      }
      if waiting.isEmpty { break }
      state.wait { $0.ended != ended ? () : nil }
    }
    let all = results.wait { $0.count == seen.count ? $0 : nil }
    return subscriptions.compactMap { all[$0.calendar] }
  }
}
