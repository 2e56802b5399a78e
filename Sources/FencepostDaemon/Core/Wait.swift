import CalendarModel

/// A wait on the wall clock. It is over once its end has come, and also where the clock was set back to before it began:
/// else it would last for as long as the clock jumped.
struct Wait: Hashable, Sendable {
  /// When it began.
  let start: Instant
  /// When it is over, unless the clock is set.
  let end: Instant

  /// A wait of so many seconds from `now` on.
  init(seconds: Double, from now: Instant) {
    start = now
    end = now.adding(seconds: seconds)
  }

  /// Whether it is over at `now`.
  func isOver(at now: Instant) -> Bool { now >= end || now < start }
}
