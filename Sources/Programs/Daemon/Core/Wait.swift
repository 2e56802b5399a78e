import FencepostCalendarModel

/// A wait on the wall clock. It is also over if the clock is set back to before its start: otherwise it would
/// last for as long as the clock jumped.
struct Wait: Hashable, Sendable {
  /// The start.
  let start: Instant
  /// The end, unless the clock is set back.
  let end: Instant

  /// A wait of `seconds` from `now`.
  init(seconds: Double, from now: Instant) {
    start = now
    end = now.adding(seconds: seconds)
  }

  /// Whether it is over at `now`.
  func isOver(at now: Instant) -> Bool { now >= end || now < start }
}
