public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostGeofencing

/// What came of a trial.
public struct TrialOutcome: Sendable {
  /// The alarms that went off.
  public var firings: [LedgerEntry] = []
  /// What the channels made of each firing, by its key.
  public var answers: [String: [DeliveryOutcome]] = [:]

  /// Whether an alarm went off, and a channel took each, and none refused.
  public var isSuccess: Bool {
    !firings.isEmpty
      && firings.allSatisfy { entry in
        let answers = answers[entry.firing.key] ?? []
        return !answers.isEmpty && answers.allSatisfy { $0.state == .delivered }
      }
  }
}

extension AlarmTrial {
  /// Walks to the place until an alarm goes off, and waits for what the channels say, for at most ten seconds.
  ///
  /// - Parameters:
  ///   - store: The store of the daemon.
  ///   - now: The current time.
  ///   - send: Sends a position of the pretended phone, and returns once it is stored.
  ///   - pause: Waits for a number of seconds.
  ///   - shouldEnd: Whether to stop, because the user wants it.
  ///   - progress: Called with the metres to the boundary before each position; negative inside.
  public func walk(
    in store: CalendarStore, from now: Instant, send: (Fix) throws -> Void, pause: (Double) -> Void,
    shouldEnd: () -> Bool = { false }, progress: (Double) -> Void = { _ in }
  ) throws -> TrialOutcome {
    var outcome = TrialOutcome()
    for (fix, step) in zip(fixes(from: now), approach.steps) where !shouldEnd() {
      progress(step.distance)
      try send(fix)
      outcome.firings = try store.read { try $0.firings(ofTrial: device) }
      if !outcome.firings.isEmpty { break }
      pause(0.2)
    }
    guard !outcome.firings.isEmpty else { return outcome }
    let firings = outcome.firings
    for _ in 0..<100 where !shouldEnd() {
      outcome.answers = try store.read { reader in
        var answers: [String: [DeliveryOutcome]] = [:]
        for entry in firings { answers[entry.firing.key] = try reader.deliveries(ofFiring: entry.firing.key) }
        return answers
      }
      if outcome.answers.values.joined().allSatisfy({ $0.attempts > 0 }) { break }
      pause(0.1)
    }
    return outcome
  }
}
