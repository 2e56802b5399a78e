import FencepostCalendarStore
import FencepostSystem
import Glibc

/// A file that appears completely or not at all: written beside its place, then moved there.
///
/// Its initializer fails early if the file can't be written, before the work on its contents.
final class AtomicFile {
  private let path: String
  /// The file that will replace the one at the path.
  private let part: PartFile?
  /// A pipe or a device, which is written to as it is.
  private let stream: Int32

  /// Creates a file that will replace the one at `path`.
  ///
  /// - Parameters:
  ///   - inputs: Files that the same command reads, which it must not replace. It never replaces a database
  ///     either.
  ///   - isPrivate: Whether only the owner may read a new file, whatever the umask.
  init(path: String, sparing inputs: [String] = [], isPrivate: Bool = false) throws(CommandError) {
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists && status.st_mode & S_IFMT == S_IFDIR {
      throw CommandError("can't write '\(path)': it is a directory")
    }
    if exists && status.st_mode & S_IFMT != S_IFREG {
      self.path = path
      part = nil
      stream = open(path, O_WRONLY | O_CLOEXEC)
      guard stream >= 0 else { throw AtomicFile.error(path) }
      return
    }
    if exists {
      let file = FileIdentity(status)
      guard !inputs.contains(where: { FileIdentity(at: $0)?.isSame(as: file) ?? false }) else {
        throw CommandError("can't write '\(path)': this command reads it; name another file")
      }
      guard !CalendarStore.isDatabase(at: path) else {
        throw CommandError("can't write '\(path)': it is a store or other database; name another file")
      }
    }
    // Keep a symbolic link, and replace its target.
    self.path = exists ? AtomicFile.resolved(path) : path
    if exists && access(self.path, W_OK) != 0 { throw AtomicFile.error(path) }
    stream = -1
    do throws(SystemFailure) {
      part = try PartFile(for: self.path)
    } catch {
      throw AtomicFile.error(path, error.code)
    }
    guard let part, exists || !isPrivate else { return }
    // A part is private; use the umask for a new file, and the old mode for an existing one.
    fchmod(part.descriptor, exists ? status.st_mode & 0o777 : 0o666 & ~FileModeMask.current)
  }

  deinit { if part == nil { close(stream) } }

  /// Writes `text` and moves the file to its place.
  func finish(_ text: String) throws(CommandError) { try finish(text.utf8Span.span.bytes) }

  /// Writes `bytes` and moves the file to its place.
  func finish(_ bytes: [UInt8]) throws(CommandError) { try finish(bytes.span.bytes) }

  private func finish(_ bytes: RawSpan) throws(CommandError) {
    do throws(SystemFailure) {
      try DescriptorIO.write(bytes, to: part?.descriptor ?? stream)
      try part?.replace()
    } catch {
      throw AtomicFile.error(path, error.code)
    }
  }

  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func error(_ path: String, _ code: Int32 = errno) -> CommandError {
    CommandError("can't write '\(path)': \(String(cString: strerror(code)))")
  }
}
