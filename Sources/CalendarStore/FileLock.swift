import Glibc

/// A file that is locked as long as somebody has this, and that the system unlocks whichever way the process ends.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// Locks the file at `path`, made if need be; `nil` where somebody else has locked it.
  init?(path: String) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(path: path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let number = errno
      close(descriptor)
      if number == EWOULDBLOCK { return nil }
      errno = number
      throw .system(path: path)
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
