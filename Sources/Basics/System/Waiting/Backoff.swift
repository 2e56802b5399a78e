package import FencepostSpatiotemporal

/// A wait on the wall clock. It is also over if the clock is set back to before its start: otherwise it would
/// last for as long as the clock jumped.
package struct Wait: Hashable, Sendable {
  /// The start.
  package let start: Instant
  /// The end, unless the clock is set back.
  package let end: Instant

  /// A wait of `seconds` from `now`.
  package init(seconds: Double, from now: Instant) {
    start = now
    end = now.adding(seconds: seconds)
  }

  /// Whether it is over at `now`.
  package func isOver(at now: Instant) -> Bool { now >= end || now < start }
}

/// Delays between attempts: doubled each time, up to a limit.
public struct Backoff: Hashable, Sendable {
  /// The seconds before the second attempt.
  public var first: Double
  /// The longest delay in seconds.
  public var most: Double

  /// A backoff.
  public init(first: Double = 1, most: Double = 3_600) {
    self.first = first
    self.most = most
  }

  /// The delay in seconds after `count` consecutive failures.
  public func seconds(afterFailures count: Int) -> Double {
    // The limit of 40 prevents an overflow.
    min(most, first * Double(1 << min(max(count - 1, 0), 40)))
  }
}

/// The sleep of a watch's thread, from which other threads can wake it.
package final class Sleeper: Sendable {
  private struct Orders {
    var isWoken = false
    var isStopped = false
  }
  private let orders = Monitor(Orders())

  /// The sleep of a new thread.
  package init() {}

  /// Wakes the thread. If it is awake, it does not sleep the next time.
  package func wake() { orders.update { $0.isWoken = true } }

  /// Lets the thread end instead of sleeping.
  package func stop() { orders.update { $0.isStopped = true } }

  /// Sleeps until an order, or until `next`; `nil` for an order only.
  ///
  /// - Returns: False if the thread should end.
  package func sleep(until next: Instant?) -> Bool {
    func order(_ orders: inout Orders) -> Bool? {
      guard orders.isWoken || orders.isStopped else { return nil }
      orders.isWoken = false
      return !orders.isStopped
    }
    guard let next else { return orders.wait(for: order) }
    return orders.wait(until: next, for: order) ?? true
  }
}
