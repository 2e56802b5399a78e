import FencepostSystem
import Glibc

extension StoreError.Reason {
  /// The reason for an error number of the system, if it has a specific one.
  init?(systemError: Int32) {
    switch systemError {
    case EACCES, EPERM: self = .noPermission
    case EROFS: self = .readOnly
    case ENOSPC, EDQUOT: self = .diskFull
    case EISDIR: self = .isDirectory
    case ENOENT: self = .noStore
    default: return nil
    }
  }
}

extension StoreError {
  /// The error for `errno` after a system call about `path`.
  static func system(path: String) -> StoreError {
    system(errno, path: path)
  }

  private static func system(_ number: Int32, path: String) -> StoreError {
    StoreError(
      path: path,
      reason: Reason(systemError: number) ?? .inputOutput(String(cString: strerror(number))))
  }

  /// The lock on the file at `path`; `nil` if another process or object holds it.
  static func lock(_ path: String) throws(StoreError) -> FileLock? {
    do throws(SystemFailure) {
      return try FileLock(path: path)
    } catch {
      throw system(error.code, path: path)
    }
  }
}
