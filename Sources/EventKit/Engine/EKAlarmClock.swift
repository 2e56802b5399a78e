public import Foundation

/// What an ``EKAlarmEngine`` takes the time from. Fencepost's own: hand in another one in tests.
public protocol EKAlarmClock: Sendable {
  /// What time it is.
  var now: Date { get }

  /// Returns at a date or a little later, or throws when its task is cancelled. It may return earlier: the one who
  /// waits looks at ``now`` and waits again.
  func sleep(until date: Date) async throws
}

/// The clock on the wall.
public struct EKSystemAlarmClock: EKAlarmClock {
  /// A clock that was set, or a machine that slept, is noticed after this many seconds at the latest.
  private static let longestSleep: TimeInterval = 3_600

  /// The clock on the wall.
  public init() {}

  /// What time it is.
  public var now: Date { Date() }

  /// Returns at `date`, or after an hour.
  public func sleep(until date: Date) async throws {
    let seconds = max(0, min(date.timeIntervalSince(now), Self.longestSleep))
    try await Task.sleep(for: .seconds(seconds))
  }
}
