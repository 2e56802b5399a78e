import CalendarModel
import Recurrence
import System

/// A thread that delivers over one channel, so that one that is slow or dead delays nobody else.
///
/// It sleeps until it is told that there is something to deliver, or until a failed delivery may be tried again.
///
/// `@unchecked Sendable`: the loop is reached only by the thread.
final class ChannelWorker: @unchecked Sendable {
  /// How a channel is doing.
  struct Status: Sendable {
    /// What it said last, where it failed.
    var lastError: String?
    /// When it will be tried again, where it failed.
    var nextAttempt: Instant?
  }

  /// The channel's name in the ledger.
  let name: String
  private var loop: DeliveryLoop
  private struct State {
    var isWanted = true
    var isPaused = false
    /// When it is to end at the latest; `nil` for never.
    var deadline: Instant?
    var hasEnded = false
    var status = Status()
    /// The channel to go on with.
    var replacement: (channel: any Channel, resolver: TimeResolver)?

    /// Whether another delivery may begin.
    var goesOn: Bool { !isPaused && replacement == nil && deadline.map { .wallClock() < $0 } ?? true }
  }
  private let state = Monitor(State())
  private let log: Log

  init(_ loop: DeliveryLoop, log: Log) {
    name = loop.name
    self.loop = loop
    self.log = log
  }

  /// How the channel is doing.
  var status: Status { state.withLock { $0.status } }

  /// True once it delivers nothing any more.
  var hasGone: Bool { state.withLock { $0.hasEnded } }

  /// Begins to deliver.
  func start() throws(SystemFailure) { try SystemThread.start("channel") { self.run() } }

  /// Says that there may be something to deliver.
  func wake() { state.update { $0.isWanted = true } }

  /// Delivers nothing once it is done with the delivery at hand, or goes on to deliver.
  func setPaused(_ isPaused: Bool) { state.update { $0.isPaused = isPaused } }

  /// Goes on over another channel of the same name once it is done with the delivery at hand.
  ///
  /// - Returns: False where it has ended.
  func replace(_ channel: any Channel, resolver: TimeResolver) -> Bool {
    state.update {
      guard !$0.hasEnded else { return false }
      $0.replacement = (channel, resolver)
      $0.deadline = nil
      $0.isWanted = true
      return true
    }
  }

  /// Ends it once it is done with the delivery at hand. What is left stays in the ledger.
  func retire() {
    state.update {
      $0.deadline = .distantPast
      $0.isWanted = false
    }
  }

  /// Lets it deliver what there is until `deadline`, and ends it; waits for that, and a little longer for what was told
  /// last to be kept.
  func stop(until deadline: Instant) {
    state.update { $0.deadline = min($0.deadline ?? deadline, deadline) }
    state.wait(until: deadline.adding(seconds: 0.5)) { $0.hasEnded ? () : nil }
  }

  private func run() {
    var next: Instant?
    while waitForWork(until: next) {
      if let (channel, resolver) = state.withLock({ $0.replacement.take() }) {
        loop.replace(channel, resolver: resolver)
      }
      let failure: String?
      do {
        next = try loop.run { state.withLock { $0.goesOn } }
        failure = loop.lastError
      } catch {
        // The store, which is looked at again soon.
        next = Instant.wallClock().adding(seconds: 5)
        failure = "\(error)"
      }
      state.withLock {
        if let failure, failure != $0.status.lastError { log(.warning, "\(name): \(failure)") }
        if failure == nil, $0.status.lastError != nil { log(.notice, "\(name): delivers again") }
        $0.status = Status(lastError: failure, nextAttempt: next)
      }
    }
  }

  /// Waits until there is something to do; false where that is to end.
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
      // What failed is tried again, unless nothing is to be delivered for now.
      wake()
    }
    return state.wait(for: order)
  }
}
