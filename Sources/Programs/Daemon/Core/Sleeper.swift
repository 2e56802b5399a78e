import FencepostCalendarModel
import FencepostSystem

/// The sleep of a watch's thread, from which other threads can wake it.
final class Sleeper: Sendable {
  private struct Orders {
    var isWoken = false
    var isStopped = false
  }
  private let orders = Monitor(Orders())

  /// Wakes the thread. If it is awake, it does not sleep the next time.
  func wake() { orders.update { $0.isWoken = true } }

  /// Lets the thread end instead of sleeping.
  func stop() { orders.update { $0.isStopped = true } }

  /// Sleeps until an order, or until `next`; `nil` for an order only.
  ///
  /// - Returns: False if the thread should end.
  func sleep(until next: Instant?) -> Bool {
    func order(_ orders: inout Orders) -> Bool? {
      guard orders.isWoken || orders.isStopped else { return nil }
      orders.isWoken = false
      return !orders.isStopped
    }
    guard let next else { return orders.wait(for: order) }
    return orders.wait(until: next, for: order) ?? true
  }
}
