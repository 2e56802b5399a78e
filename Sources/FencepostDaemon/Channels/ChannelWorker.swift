import CalendarModel
import Foundation
import Recurrence

/// A thread that delivers over one channel, so that one that is slow or dead delays nobody else.
///
/// It sleeps until it is told that there is something to deliver, or until a failed delivery may be tried again.
///
/// `@unchecked Sendable`: `isWanted`, `isPaused`, `isStopped`, `hasEnded`, `replacement` and `state` are reached only
/// under `condition`; the courier only by the thread.
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
  private let condition = NSCondition()
  private var courier: Courier
  private var isWanted = true
  private var isPaused: Bool
  private var isStopped = false
  private var hasEnded = false
  private var state = Status()
  /// The channel to go on with.
  private var replacement: (channel: any Channel, resolver: TimeResolver)?
  private let log: Log

  init(_ courier: Courier, isPaused: Bool, log: Log) {
    name = courier.name
    self.courier = courier
    self.isPaused = isPaused
    self.log = log
  }

  /// How the channel is doing.
  var status: Status { condition.withLock { state } }

  /// True once it delivers nothing any more.
  var hasGone: Bool { condition.withLock { hasEnded } }

  /// Begins to deliver.
  func start() {
    let thread = Thread { self.run() }
    thread.name = "channel"
    thread.start()
  }

  /// Says that there may be something to deliver.
  func wake() {
    condition.withLock {
      isWanted = true
      condition.signal()
    }
  }

  /// Delivers nothing, or goes on to deliver.
  func setPaused(_ isPaused: Bool) {
    condition.withLock {
      self.isPaused = isPaused
      condition.signal()
    }
  }

  /// Goes on over another channel of the same name once it is done with the delivery at hand.
  ///
  /// - Returns: False where it has ended.
  func replace(_ channel: any Channel, resolver: TimeResolver) -> Bool {
    condition.withLock {
      guard !hasEnded else { return false }
      replacement = (channel, resolver)
      isStopped = false
      isWanted = true
      condition.signal()
      return true
    }
  }

  /// Ends it once it is done with the delivery at hand. What is left stays in the ledger.
  func retire() {
    condition.withLock {
      isStopped = true
      isWanted = false
      condition.signal()
    }
  }

  /// Lets it deliver what is at hand, and ends it; waits for that at most until `deadline`.
  func stop(until deadline: Date) {
    condition.withLock {
      isStopped = true
      condition.signal()
      while !hasEnded, condition.wait(until: deadline) {}
    }
  }

  private func run() {
    var next: Instant?
    while waitForWork(until: next) {
      if let (channel, resolver) = condition.withLock({ replacement.take() }) {
        courier.replace(channel, resolver: resolver)
      }
      do {
        next = try courier.run()
      } catch {
        log(.error, "\(name): \(error)")
        next = Instant.wallClock().adding(seconds: 5)
      }
      let failure = courier.lastError
      condition.withLock {
        if let failure, failure != state.lastError { log(.warning, "\(name): \(failure)") }
        if failure == nil, state.lastError != nil { log(.notice, "\(name): delivers again") }
        state = Status(lastError: failure, nextAttempt: next)
      }
    }
  }

  /// Waits until there is something to do; false where that is to end.
  private func waitForWork(until next: Instant?) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while !isWanted || isPaused {
      if isStopped {
        hasEnded = true
        condition.broadcast()
        return false
      }
      if let next, !isPaused {
        // The clock of the wall, so that a sleep of the machine counts.
        if !condition.wait(until: Date(timeIntervalSince1970: Double(next.microseconds) / 1e6)) { break }
      } else {
        condition.wait()
      }
    }
    isWanted = false
    return true
  }
}
