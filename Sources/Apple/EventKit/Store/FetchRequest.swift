import Synchronization

/// A running fetch of reminders.
final class FetchRequest: Sendable {
  private let isOver = Atomic(false)

  /// Ends it; true for the first caller.
  func end() -> Bool { !isOver.exchange(true, ordering: .acquiringAndReleasing) }
}

/// Carries a value that is not `Sendable` into a queue.
///
/// `@unchecked Sendable`: the sender does not use the value afterwards.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
}
