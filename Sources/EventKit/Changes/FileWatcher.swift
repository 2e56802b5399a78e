import Dispatch
import Foundation
import Glibc
import Synchronization

/// Calls back when a process writes to a database. It watches the directory with inotify, because SQLite creates and
/// removes other files beside the database.
///
/// A writer's last write comes shortly before its transaction becomes visible: SQLite flushes the log, then updates the
/// log's index. So a check that finds nothing is repeated a few times with growing delays, and then stops. Nothing runs
/// while there are no writes.
///
/// `@unchecked Sendable`: `source` is set once, and may be cancelled from any thread.
final class FileWatcher: @unchecked Sendable {
  private let source: any DispatchSourceRead
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "fencepost.changes", qos: .utility)
  private let onWrite: @Sendable () -> Bool

  private struct State {
    /// The number of checks since the latest write, and the number of that write.
    var attempt = 0
    var write = 0
  }

  /// The delays after a write, in milliseconds.
  private static let delays = [2, 10, 40, 150, 400, 1_000, 3_000]

  /// Watches the database at `path`; `nil` if the system can't.
  ///
  /// - Parameter onWrite: Checks for changes and returns true if there were any. Called on the watcher's queue.
  init?(path: String, onWrite: @escaping @Sendable () -> Bool) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    let file = URL(fileURLWithPath: path)
    let mask = UInt32(IN_MODIFY) | UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE)
    let directory = file.deletingLastPathComponent().path
    guard inotify_add_watch(descriptor, directory, mask) >= 0 else {
      close(descriptor)
      return nil
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    self.source = source
    self.onWrite = onWrite
    state = Mutex(State())
    let name = file.lastPathComponent
    source.setEventHandler { [weak self] in
      if Self.drain(descriptor, concerns: name) { self?.noteWrite() }
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }

  /// Reads all inotify events and returns true if one was about the database.
  private static func drain(_ descriptor: Int32, concerns name: String) -> Bool {
    let wanted = Array(name.utf8)
    var isConcerned = false
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return isConcerned }
      var offset = 0
      let header = MemoryLayout<inotify_event>.size
      while offset + header <= count {
        let (mask, length) = buffer.withUnsafeBytes { bytes in
          let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          return (event.mask, Int(event.len))
        }
        let start = offset + header
        let text = buffer[start..<min(start + length, count)]
        if text.starts(with: wanted) || mask & UInt32(IN_Q_OVERFLOW) != 0 { isConcerned = true }
        offset = start + length
      }
    }
  }

  private func noteWrite() {
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
      guard let self, !self.onWrite() else { return }
      self.look(after: write)
    }
  }
}
