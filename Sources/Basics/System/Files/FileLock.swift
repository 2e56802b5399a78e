import CFencepostLinux
import Glibc

/// A lock on a file, held until this object is released: flock(2). The system releases it however the process
/// ends.
public final class FileLock: Sendable {
  private let descriptor: Int32

  /// Locks the file at `path` and creates it if needed; `nil` if another process or object holds the lock.
  public init?(path: String) throws(SystemFailure) {
    let descriptor = try SystemFailure.check(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600), "lock \(path)")
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let failure = SystemFailure("lock \(path)")
      close(descriptor)
      if failure.code == EWOULDBLOCK { return nil }
      throw failure
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
