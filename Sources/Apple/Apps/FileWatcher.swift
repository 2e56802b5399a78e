import Dispatch
import FencepostSystem
import Foundation
import Synchronization

/// Calls back when a process writes to a database.
///
/// A writer's last write comes shortly before its transaction becomes visible: SQLite flushes the log, then
/// updates the log's index. So a check is repeated a few times with growing delays, and then stops. One that
/// finds a change is repeated too: that may be the change of an earlier transaction. Nothing runs while there
/// are no writes.
///
/// `@unchecked Sendable`: `source` is set once, and may be cancelled from any thread.
package final class FileWatcher: @unchecked Sendable {
  private let source: any DispatchSourceRead
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "fencepost.changes", qos: .utility)
  private let onWrite: @Sendable () -> Void

  private struct State {
    /// The number of checks since the latest write, and the number of that write.
    var attempt = 0
    var write = 0
  }

  /// The delays after a write, in milliseconds.
  private static let delays = [2, 10, 40, 150, 400, 1_000, 3_000]

  /// Watches the database at `path`; `nil` if the system can't.
  ///
  /// - Parameter onWrite: Checks for changes. Called on the watcher's queue, several times after a write, so a
  ///   check should be cheap.
  package init?(path: String, onWrite: @escaping @Sendable () -> Void) {
    // SQLite creates and removes other files beside the database.
    guard let watch = try? FileWatch(path: path, .family) else { return nil }
    let source = DispatchSource.makeReadSource(fileDescriptor: watch.descriptor, queue: queue)
    self.source = source
    self.onWrite = onWrite
    state = Mutex(State())
    source.setEventHandler { [weak self] in
      if watch.drain() { self?.checkAfterWrite() }
    }
    // The descriptor stays open until the source is done with it.
    source.setCancelHandler { withExtendedLifetime(watch) {} }
    source.activate()
  }

  deinit { source.cancel() }

  private func checkAfterWrite() {
    let write = state.withLock { state in
      state.write += 1
      state.attempt = 0
      return state.write
    }
    look(after: write)
  }

  /// Checks after a delay, unless there was another write in between.
  private func look(after write: Int) {
    let delay: Int? = state.withLock { state in
      guard state.write == write, state.attempt < Self.delays.count else { return nil }
      defer { state.attempt += 1 }
      return Self.delays[state.attempt]
    }
    guard let delay else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
      guard let self else { return }
      self.onWrite()
      self.look(after: write)
    }
  }
}
