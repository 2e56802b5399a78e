import Synchronization

/// A fetch of reminders under way.
final class FetchRequest: Sendable {
  private let isOver = Atomic(false)

  /// Ends it; true for the first who does.
  func end() -> Bool { !isOver.exchange(true, ordering: .acquiringAndReleasing) }
}

/// Carries something into a queue that is not `Sendable`.
///
/// `@unchecked Sendable`: the one who hands it over does not touch it again.
struct Handover<Value>: @unchecked Sendable {
  let value: Value
}
