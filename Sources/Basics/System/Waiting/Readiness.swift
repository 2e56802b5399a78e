import Glibc

/// The events that a descriptor is ready for, and waiting for them: the one place with poll(2), so that a
/// signal never ends a wait early.
public struct Readiness: OptionSet, Hashable, Sendable {
  /// The bits of poll(2).
  public let rawValue: Int16

  /// The events with the bits of poll(2).
  public init(rawValue: Int16) { self.rawValue = rawValue }

  /// Bytes can be read, or the peer is closed.
  public static let readable = Readiness(rawValue: Int16(POLLIN))
  /// Bytes can be written.
  public static let writable = Readiness(rawValue: Int16(POLLOUT))

  /// The peer has closed its side (POLLRDHUP, which glibc shows to GNU sources alone).
  public static let hungUp = Readiness(rawValue: 0x2000)

  /// The result of a wait.
  public enum Outcome: Hashable, Sendable {
    /// The descriptor is ready for these events. Errors and hang-ups count too, with their own bits.
    case ready(Readiness)
    /// The deadline came.
    case timedOut
    /// The interrupter is ready.
    case interrupted
  }

  /// The events that `descriptor` is ready for now, without waiting. A closed peer counts as readable.
  public static func now(_ descriptor: Int32) -> Readiness {
    var waiting = pollfd(fd: descriptor, events: readable.rawValue, revents: 0)
    return poll(&waiting, 1, milliseconds: 0) > 0 ? Readiness(rawValue: waiting.revents) : []
  }

  /// Waits until `descriptor` is ready.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor to wait for.
  ///   - events: The events to wait for; errors and hang-ups always count.
  ///   - deadline: The end of the wait; `nil` for no limit.
  ///   - interrupter: A descriptor that ends the wait when it is ready; -1 for none. It takes precedence over
  ///     `descriptor`.
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

  /// Waits until the peer of a connection has closed it.
  ///
  /// - Parameters:
  ///   - descriptors: The connections. Bytes that arrive do not end the wait.
  ///   - deadline: The end of the wait; `nil` for no limit.
  ///   - interrupter: A descriptor that ends the wait when it is ready.
  /// - Returns: The indices of closed connections, and whether the interrupter is ready.
  public static func waitForHangUp(
    of descriptors: [Int32], until deadline: ContinuousClock.Instant? = nil, interruptedBy interrupter: Int32
  ) -> (closed: [Int], isInterrupted: Bool) {
    var waiting = descriptors.map { pollfd(fd: $0, events: hungUp.rawValue, revents: 0) }
    waiting.append(pollfd(fd: interrupter, events: readable.rawValue, revents: 0))
    while true {
      let count = poll(&waiting, nfds_t(waiting.count), milliseconds: deadline.map(millisecondsLeft) ?? -1)
      if count == 0, deadline.map({ $0 <= .now }) ?? true { return ([], false) }
      if count > 0 {
        let closed = descriptors.indices.filter { waiting[$0].revents != 0 }
        return (closed, waiting[descriptors.count].revents != 0)
      }
    }
  }

  /// Whether the peer of a connection has closed it. Does not wait.
  public static func hasHungUp(_ descriptor: Int32) -> Bool {
    var connection = pollfd(fd: descriptor, events: hungUp.rawValue, revents: 0)
    while true {
      let count = poll(&connection, 1, milliseconds: 0)
      if count >= 0 { return count > 0 }
    }
  }

  /// poll(2). Returns less than 0 only after a signal.
  private static func poll(_ waiting: UnsafeMutablePointer<pollfd>, _ count: nfds_t, milliseconds: Int32)
    -> Int32
  {
    let count = Glibc.poll(waiting, count, milliseconds)
    // Its other errors are wrong arguments.
    precondition(count >= 0 || errno == EINTR, "poll(2) failed")
    return count
  }

  /// Rounded up, so that the deadline is over after them; 1 if it has passed.
  private static func millisecondsLeft(until deadline: ContinuousClock.Instant) -> Int32 {
    let (seconds, attoseconds) = max(deadline - .now, .zero).components
    // Some 24 days, the limit of poll(2).
    return Int32(min(seconds, 2_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
  }
}
