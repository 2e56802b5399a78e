import CalendarModel
import CalendarStore
import Synchronization
import Synchronizer
import System

/// Synchronizes accounts when they are due, and at once after a change here. Each run has its own thread,
/// because a server may be slow.
///
/// The watch's thread sleeps until the next account is due, a run has ended, or the daemon reports a change
/// of the store.
final class AccountWatch: Sendable {
  private let store: CalendarStore
  private let keeper: AccountKeeper
  private let log: Log
  private let sleeper = Sleeper()
  /// Does the work of a run in a thread of its own.
  private let startWork: @Sendable (@escaping @Sendable () -> Void) -> Void
  private struct State {
    var running: Set<Int64> = []
    /// The place in the log of changes after a run that could not send everything: the same changes must not start another.
    var stuck: [Int64: Int64] = [:]
    /// When an account may be tried again after an error that its state does not show, for example if another program
    /// synchronizes it.
    var resting: [Int64: Instant] = [:]
  }
  private let state = Mutex(State())

  /// Seconds before a retry after an error of the store.
  private static let pause = 60.0

  /// - Parameters:
  ///   - keeper: Synchronizes; `nil` for one with the session's keyring.
  ///   - startWork: Starts the work of a run.
  init(
    store: CalendarStore, keeper: AccountKeeper? = nil, log: Log,
    startWork: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
      // If the system has no more threads, use this one.
      do { try SystemThread.start("account", work) } catch { work() }
    }
  ) {
    self.store = store
    self.keeper = keeper ?? AccountKeeper(store: store, keyring: .ofSession())
    self.log = log
    self.startWork = startWork
  }

  /// Starts the thread.
  func start() throws(SystemFailure) { try SystemThread.start("accounts") { self.run() } }

  /// Wakes the thread, for changes.
  func wake() { sleeper.wake() }

  /// Starts no more runs. Does not wait for one that is under way: it can be ended at any point.
  func stop() { sleeper.stop() }

  private func run() { while sleeper.sleep(until: look(at: .wallClock())) {} }

  /// Starts what is due.
  ///
  /// - Returns: When to look again; `nil` for never.
  func look(at now: Instant) -> Instant? {
    do {
      var next: Instant?
      for account in try store.read({ try $0.syncAccounts() }) where account.kind == .calDAV {
        let isRunning = state.withLock { $0.running.contains(account.number) }
        if isRunning { continue }
        // After a failure, changes wait for the next attempt too.
        let rest = max(account.next, state.withLock { $0.resting[account.number] } ?? account.next)
        let isDue =
          try rest <= now || rest == account.next && account.failures == 0 && hasNews(account, at: now)
        if isDue { begin(account, at: now) } else { next = min(next ?? rest, rest) }
      }
      return next
    } catch {
      log(.warning, "accounts: \(error)")
      return now.adding(seconds: Self.pause)
    }
  }

  private func hasNews(_ account: SyncAccount, at now: Instant) throws -> Bool {
    if let place = state.withLock({ $0.stuck[account.number] }),
      try store.read({ try $0.lastChange() }) == place
    {
      return false
    }
    return try keeper.hasLocalChanges(account, at: now)
  }

  private func begin(_ account: SyncAccount, at now: Instant) {
    state.withLock { _ = $0.running.insert(account.number) }
    startWork { [self] in
      do {
        let counts = try keeper.synchronize(account, at: now)
        let words = "\(counts.pulled) pulled, \(counts.pushed) pushed, \(counts.conflicts) conflicts"
        log(counts.isIdle ? .debug : .info, "account \(account.number): \(words)")
        let place = try store.read { try $0.lastChange() }
        state.withLock { $0.stuck[account.number] = counts.failed > 0 ? place : nil }
        if counts.failed > 0 {
          log(.warning, "account \(account.number): \(counts.failed) objects are not taken")
        }
        if account.failures > 0 { log(.notice, "account \(account.number): works again") }
      } catch {
        // Said once, not at every attempt.
        log(account.failures == 0 ? .warning : .debug, "account \(account.number): \(error)")
        state.withLock { $0.resting[account.number] = now.adding(seconds: Self.pause) }
      }
      state.withLock { _ = $0.running.remove(account.number) }
      sleeper.wake()
    }
  }
}
