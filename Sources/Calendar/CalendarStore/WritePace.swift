import Glibc

/// The duration of the steps of a large change, and of the pauses between them.
///
/// A program that waits for the write lock checks twice a millisecond if it is free: SQLite has no queue.
final class WritePace {
  /// The approximate time for which a step holds the lock. To undo a step takes up to four times as long,
  /// which should stay below 50 ms.
  static let step = Duration.milliseconds(10)
  /// The minimum time between two steps when the lock is free.
  private static let gap = Duration.milliseconds(1)

  /// Whether other programs may use the store.
  private let isShared: Bool
  private var end: ContinuousClock.Instant?

  init(_ store: CalendarStore) { isShared = store.bulkLockPath != nil }

  /// Records the end of a step.
  func noteEnd() { end = .now }

  /// Waits until others had a chance to write.
  func rest() {
    guard isShared, let end else { return }
    let left = Self.gap - (ContinuousClock.now - end)
    if left > .zero { usleep(UInt32(left.components.attoseconds / 1_000_000_000_000)) }
  }
}
