import CLinux
import Glibc

/// A lock on a file, held as long as this object lives: flock(2). The system ends it whichever way the process ends.
public final class FileLock: Sendable {
  private let descriptor: Int32

  /// Locks the file at `path`, which is made if need be; `nil` where another one holds the lock.
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
