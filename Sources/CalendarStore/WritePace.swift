import Glibc

/// How long the steps of a large change keep others waiting, and how long it waits for them between two.
///
/// Whoever waits for the lock to write looks every few milliseconds whether it is free: SQLite has no queue.
final class WritePace {
  /// For about so long a step has the lock.
  static let step = Duration.milliseconds(15)
  /// For so long at least nobody has it between two.
  private static let gap = Duration.milliseconds(3)

  /// Whether there may be others.
  private let isShared: Bool
  private var end: ContinuousClock.Instant?

  init(_ store: CalendarStore) { isShared = store.bulkLockPath != nil }

  /// Notes that a step is over.
  func noteEnd() { end = .now }

  /// Waits until others had a chance.
  func rest() {
    guard isShared, let end else { return }
    let left = Self.gap - (ContinuousClock.now - end)
    if left > .zero { usleep(UInt32(left.components.attoseconds / 1_000_000_000_000)) }
  }
}
