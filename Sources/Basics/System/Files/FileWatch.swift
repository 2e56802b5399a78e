import CFencepostLinux
import Glibc

/// Reports when a file is written, created, replaced or removed. It watches the file's directory: inotify(7).
public final class FileWatch: Sendable {
  /// The changes to report.
  public enum Scope: Sendable {
    /// The file's creation and removal.
    case existence
    /// The file's creation, and writes to it.
    case contents
    /// The contents of each file with this one's name as a prefix, such as the files that SQLite keeps beside
    /// a database.
    case family
  }

  /// Readable after a change.
  public let descriptor: Int32
  private let name: [UInt8]
  private let scope: Scope

  /// Watches the file at `path`. The file need not exist; its directory must.
  public init(path: String, _ scope: Scope = .contents) throws(SystemFailure) {
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    name = Array((slash.map { path[path.index(after: $0)...] } ?? path[...]).utf8)
    self.scope = scope
    descriptor = try SystemFailure.check(
      inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)), "watch \(path)")
    var events = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)
    switch scope {
    case .existence: events |= UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)
    case .contents: events |= UInt32(IN_MODIFY)
    case .family: events |= UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE)
    }
    guard inotify_add_watch(descriptor, directory, events) >= 0 else {
      let failure = SystemFailure("watch \(directory)")
      close(descriptor)
      throw failure
    }
  }

  deinit { close(descriptor) }

  /// Reads all pending events, and returns whether one of them was for the file.
  public func drain() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    var concerns = false
    let header = MemoryLayout<inotify_event>.size
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return concerns }
      var offset = 0
      while offset + header <= count {
        let event = buffer.withUnsafeBytes {
          $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        }
        let start = offset + header
        let end = min(start + Int(event.len), count)
        // If events were lost, one of them may have been for this file.
        if isOurs(buffer[start..<end].prefix { $0 != 0 }) || event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
          concerns = true
        }
        offset = end
      }
    }
  }

  private func isOurs(_ name: ArraySlice<UInt8>) -> Bool {
    if case .family = scope { name.starts(with: self.name) } else { name.elementsEqual(self.name) }
  }
}
