public import CalendarModel
public import CalendarStore
import FoundationEssentials
import Threads

/// Looks at subscriptions, several at a time, each on a thread of its own: a server that is slow holds up nobody else.
public final class RefreshPool: Sendable {
  /// How many are looked at at the same time.
  public struct Limits: Sendable {
    /// All together. What each gets is held in memory until it is merged.
    public var all = 6
    /// Those of one host, so that a slow one does not take all places.
    public var perHost = 2

    /// The limits that suit a machine at home.
    public init() {}
  }

  /// What came of a look; the error is the store's.
  public typealias Result = Swift.Result<Subscriber.Outcome, any Error>

  private struct State {
    /// The hosts of those that are being looked at.
    var hosts: [Identifier<ItemCalendar>: String] = [:]
    /// How many looks have ended.
    var ended = 0

    func hasRoom(for host: String, _ limits: Limits) -> Bool {
      hosts.count < limits.all && hosts.values.count { $0 == host } < limits.perHost
    }
  }

  private let subscriber: Subscriber
  private let limits: Limits
  private let state = Monitor(State())

  /// A pool that looks as `subscriber` does.
  public init(_ subscriber: Subscriber, limits: Limits = Limits()) {
    self.subscriber = subscriber
    self.limits = limits
  }

  /// Begins to look at those of `subscriptions` for which there is room, and which are not being looked at. One that was
  /// looked at or ended since it was read is left as it is.
  ///
  /// - Parameters:
  ///   - now: What time it is.
  ///   - onEnd: Told what came of each, on its thread. There is room for another one by then.
  /// - Returns: Those for which there is no room yet.
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
            // A look may have ended between when it was read and now.
            guard try subscriber.isCurrent(subscription) else { return Subscriber.Outcome.unchanged }
            return try subscriber.refresh(subscription, at: now)
          }
          state.update {
            $0.hosts[subscription.calendar] = nil
            $0.ended += 1
          }
          onEnd(subscription, result)
        }
        // Where the system has no more threads, the caller's does it.
        do { try SystemThread.start("refresh", look) } catch { look() }
      }
      return !isRunning
    }
  }

  /// Looks at all of `subscriptions`, and waits for what comes of them.
  ///
  /// - Returns: What came of each, in their order.
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
