package import FencepostActions
package import FencepostCalendarModel
package import FencepostCalendarStore
package import FencepostRecurrence
package import FencepostSystem

/// A thread for one channel, so that a slow or dead channel does not delay others.
///
/// It sleeps until there is something to deliver, or until a retry is due.
///
/// `@unchecked Sendable`: only the thread uses the loop.
package final class ChannelWorker: @unchecked Sendable {
  /// The state of a channel.
  package struct Status: Sendable {
    /// The last error, if it failed.
    package var lastError: String?
    /// The time of the next retry, if it failed.
    package var nextAttempt: Instant?
  }

  /// The channel's name in the ledger.
  package let name: String
  private var loop: DeliveryLoop
  private struct State {
    var isWanted = true
    var isPaused = false
    /// The deadline for its end; `nil` for none.
    var deadline: Instant?
    var hasEnded = false
    var status = Status()
    /// The replacement channel.
    var replacement:
      (
        channel: any Channel, resolver: TimeResolver, joinHosts: JoinHosts, nag: (Notice) -> Nag?,
        quietHours: QuietHours?
      )?
    /// The channel that delivers now.
    var channel: (any Channel)?

    /// Whether another delivery may begin.
    var goesOn: Bool { !isPaused && replacement == nil && deadline.map { .wallClock() < $0 } ?? true }
  }
  private let state = Monitor(State())
  private let log: Log

  package init(_ loop: DeliveryLoop, log: Log) {
    name = loop.name
    self.loop = loop
    self.log = log
    state.withLock { $0.channel = loop.channel }
  }

  /// The state of the channel.
  package var status: Status { state.withLock { $0.status } }

  /// Whether it is to be woken after each position.
  package var followsDevices: Bool {
    state.withLock { ($0.replacement?.channel ?? $0.channel)?.followsDevices ?? false }
  }

  /// True after it has ended.
  package var hasGone: Bool { state.withLock { $0.hasEnded } }

  /// Starts the thread.
  package func start() throws(SystemFailure) { try SystemThread.start("channel") { self.run() } }

  /// Wakes it, because there may be something to deliver.
  package func wake() { state.update { $0.isWanted = true } }

  /// Pauses after the current delivery, or resumes.
  package func setPaused(_ isPaused: Bool) { state.update { $0.isPaused = isPaused } }

  /// Replaces the channel after the current delivery.
  ///
  /// - Returns: False if it has ended.
  package func replace(
    _ channel: any Channel, resolver: TimeResolver, joinHosts: JoinHosts = JoinHosts(),
    nag: @escaping (Notice) -> Nag? = { _ in nil }, quietHours: QuietHours? = nil
  ) -> Bool {
    state.update {
      guard !$0.hasEnded else { return false }
      $0.replacement = (channel, resolver, joinHosts, nag, quietHours)
      $0.deadline = nil
      $0.isWanted = true
      return true
    }
  }

  /// Ends it after the current delivery. The rest stays in the ledger.
  package func retire() {
    state.update {
      $0.deadline = .distantPast
      $0.isWanted = false
    }
  }

  /// Lets it deliver until `deadline`, then ends it and waits for the end, and a little longer for its last
  /// write. Then it abandons the current delivery.
  package func stop(until deadline: Instant) {
    state.update { $0.deadline = min($0.deadline ?? deadline, deadline) }
    let end: Void? = state.wait(until: deadline.adding(seconds: 0.5)) { $0.hasEnded ? () : nil }
    if end == nil { state.withLock { $0.channel }?.abandon() }
  }

  private func run() {
    var next: Instant?
    while waitForWork(until: next) {
      if let new = state.withLock({ $0.replacement.take() }) {
        loop.replace(
          new.channel, resolver: new.resolver, joinHosts: new.joinHosts, nag: new.nag,
          quietHours: new.quietHours)
        state.withLock {
          $0.channel = new.channel
          // An error of the former settings ends without a delivery.
          $0.status.lastError = nil
        }
      }
      let failure: String?
      do {
        next = try loop.run { state.withLock { $0.goesOn } }
        failure = loop.lastError
      } catch {
        // An error of the store, so retry soon.
        next = Instant.wallClock().adding(seconds: 5)
        failure = "\(error)"
      }
      state.withLock {
        if let failure, failure != $0.status.lastError { log(.warning, "\(name): \(failure)") }
        if failure == nil, $0.status.lastError != nil { log(.notice, "\(name): delivering again") }
        $0.status = Status(lastError: failure, nextAttempt: next)
      }
    }
  }

  /// Waits for something to do; false if it should end.
  private func waitForWork(until next: Instant?) -> Bool {
    func order(_ state: inout State) -> Bool? {
      if state.isWanted, !state.isPaused {
        state.isWanted = false
        return true
      }
      guard state.deadline != nil else { return nil }
      state.hasEnded = true
      return false
    }
    if let next {
      if let order = state.wait(until: next, for: order) { return order }
      // Retry after failures, except during a pause.
      wake()
    }
    return state.wait(for: order)
  }
}
