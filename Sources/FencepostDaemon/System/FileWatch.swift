import CLinux
import Glibc

/// Tells when a file is written, made, replaced or removed, by watching its directory: inotify(7).
final class FileWatch {
  /// Ready for reading when something happened.
  let descriptor: Int32
  private let name: String

  /// Watches the file at `path`, which need not be there yet; its directory must.
  ///
  /// - Parameter contents: Whether to tell of what is written to it, besides its coming and going.
  init(path: String, contents: Bool = true) throws(SystemFailure) {
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    descriptor = try SystemFailure.check(
      inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)), "watch \(path)")
    let goings = contents ? UInt32(IN_MODIFY) : UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)
    let events = goings | UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)
    guard inotify_add_watch(descriptor, directory, events) >= 0 else {
      let failure = SystemFailure("watch \(directory)")
      close(descriptor)
      throw failure
    }
  }

  deinit { close(descriptor) }

  /// Takes what happened, and says whether it happened to the file.
  func drain() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    var concerns = false
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return concerns }
      var offset = 0
      while offset + MemoryLayout<inotify_event>.size <= count {
        let event = buffer.withUnsafeBytes {
          $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        }
        let start = offset + MemoryLayout<inotify_event>.size
        let end = min(start + Int(event.len), count)
        let name = buffer[start..<end].prefix { $0 != 0 }
        // Where events were lost, this one may have been among them.
        if name.elementsEqual(self.name.utf8) || event.mask & UInt32(IN_Q_OVERFLOW) != 0 { concerns = true }
        offset = end
      }
    }
  }
}
