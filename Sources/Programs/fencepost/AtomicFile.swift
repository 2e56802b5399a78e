import FencepostCalendarStore
import FencepostSystem
import Glibc

/// A file that appears completely or not at all: written beside its place, then moved there.
///
/// Its initializer fails early if the file can't be written, before the work on its contents.
final class AtomicFile {
  private let path: String
  private let descriptor: Int32
  /// The temporary path; `nil` for a pipe or a device.
  private var temporaryPath: String?

  /// Creates a file that will replace the one at `path`.
  ///
  /// - Parameter inputs: Files that the same command reads, which it must not replace. It never replaces a
  ///   database either.
  init(path: String, sparing inputs: [String] = []) throws(CommandError) {
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists && status.st_mode & S_IFMT == S_IFDIR {
      throw CommandError("can't write '\(path)': it is a directory")
    }
    if exists && status.st_mode & S_IFMT != S_IFREG {
      self.path = path
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw AtomicFile.error(path) }
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
    var template = Array((self.path + ".XXXXXX").utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw AtomicFile.error(path) }
    temporaryPath = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    // mkstemp creates private files; use the umask for a new file, and the old mode for an existing one.
    let mask = umask(0)
    umask(mask)
    fchmod(descriptor, exists ? status.st_mode & 0o777 : 0o666 & ~mask)
  }

  deinit {
    close(descriptor)
    if let temporaryPath { unlink(temporaryPath) }
  }

  /// Writes `text` and moves the file to its place.
  func finish(_ text: String) throws(CommandError) {
    do throws(SystemFailure) {
      try DescriptorIO.write(text.utf8Span.span.bytes, to: descriptor)
    } catch {
      throw AtomicFile.error(path, error.code)
    }
    guard let temporaryPath else { return }
    guard rename(temporaryPath, path) == 0 else { throw AtomicFile.error(path) }
    self.temporaryPath = nil
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
