import Glibc

/// A file that is open for reading, and needs no name: it may have been removed already.
public final class OpenFile: Sendable {
  /// The descriptor, which this object closes.
  public let descriptor: Int32
  /// Its size in bytes when it was opened.
  public let size: Int64

  /// Opens the file at `path`.
  public init(_ path: String) throws(SystemFailure) {
    descriptor = try SystemFailure.check(open(path, O_RDONLY | O_CLOEXEC), "read \(path)")
    var status = stat()
    size = fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
  }

  deinit { close(descriptor) }
}
