import Glibc

/// What a descriptor is ready for, and waiting for that: poll(2), in one place, so that a signal never ends a wait early.
public struct Readiness: OptionSet, Hashable, Sendable {
  /// The bits of poll(2).
  public let rawValue: Int16

  /// What the bits of poll(2) say.
  public init(rawValue: Int16) { self.rawValue = rawValue }

  /// Something can be read, or the other end is closed.
  public static let readable = Readiness(rawValue: Int16(POLLIN))
  /// Something can be written.
  public static let writable = Readiness(rawValue: Int16(POLLOUT))

  /// How a wait ended.
  public enum Outcome: Hashable, Sendable {
    /// The descriptor is ready: for what. Errors and hang-ups count too, with bits of their own.
    case ready(Readiness)
    /// The deadline came.
    case timedOut
    /// The interrupter is ready.
    case interrupted
  }

  /// What `descriptor` is ready for now, without waiting. For reading it says also where the other end is gone.
  public static func now(_ descriptor: Int32) -> Readiness {
    var waiting = pollfd(fd: descriptor, events: readable.rawValue, revents: 0)
    return poll(&waiting, 1, milliseconds: 0) > 0 ? Readiness(rawValue: waiting.revents) : []
  }

  /// Waits until `descriptor` is ready.
  ///
  /// - Parameters:
  ///   - descriptor: What to wait for.
  ///   - events: For what it is to be ready; errors and hang-ups always count.
  ///   - deadline: When to end; `nil` for never.
  ///   - interrupter: A descriptor that ends the wait once it is ready; -1 for none. It goes before `descriptor`.
  public static func wait(
    for descriptor: Int32, _ events: Readiness = .readable, until deadline: ContinuousClock.Instant? = nil,
    interruptedBy interrupter: Int32 = -1
  ) -> Outcome {
    var waiting = [
      pollfd(fd: descriptor, events: events.rawValue, revents: 0),
      pollfd(fd: interrupter, events: readable.rawValue, revents: 0),
    ]
    while true {
      let count = poll(&waiting, 2, milliseconds: deadline.map(millisecondsLeft) ?? -1)
      if count == 0, deadline.map({ $0 <= .now }) ?? true { return .timedOut }
      if count > 0 {
        return waiting[1].revents != 0 ? .interrupted : .ready(Readiness(rawValue: waiting[0].revents))
      }
    }
  }

  /// poll(2), which returns less than 0 only where a signal came.
  private static func poll(_ waiting: UnsafeMutablePointer<pollfd>, _ count: nfds_t, milliseconds: Int32)
    -> Int32
  {
    let count = Glibc.poll(waiting, count, milliseconds)
    // What else it knows are mistakes in its arguments.
    precondition(count >= 0 || errno == EINTR, "poll(2) failed")
    return count
  }

  /// Rounded up, so that the deadline has come when they have passed; 1 where it has.
  private static func millisecondsLeft(until deadline: ContinuousClock.Instant) -> Int32 {
    let (seconds, attoseconds) = max(deadline - .now, .zero).components
    // Some 24 days, which are as far as poll(2) goes.
    return Int32(min(seconds, 2_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
  }
}
