public import Foundation

/// The time source of an ``EKAlarmEngine``. Fencepost's own, so that tests can replace it.
public protocol EKAlarmClock: Sendable {
  /// The current time.
  var now: Date { get }

  /// Returns at a date or a little later, and throws when its task is cancelled. It may return earlier: the caller
  /// checks ``now`` and sleeps again.
  func sleep(until date: Date) async throws
}

/// The system clock.
public struct EKSystemAlarmClock: EKAlarmClock {
  /// The longest sleep in seconds. It limits the delay after somebody sets the clock, or the machine was suspended.
  private static let longestSleep: TimeInterval = 3_600

  /// Creates a system clock.
  public init() {}

  /// The current time.
  public var now: Date { Date() }

  /// Returns at `date`, or after an hour.
  public func sleep(until date: Date) async throws {
    let seconds = max(0, min(date.timeIntervalSince(now), Self.longestSleep))
    try await Task.sleep(for: .seconds(seconds))
  }
}
