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

  /// `count` bytes from an offset; `nil` if the file ends before.
  ///
  /// - Throws: If reading fails.
  public func bytes(_ count: Int, at offset: Int64) throws(SystemFailure) -> [UInt8]? {
    guard count >= 0, offset >= 0, offset <= size, Int64(count) <= size - offset else { return nil }
    var failure: SystemFailure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let got = pread(
          descriptor, buffer.baseAddress.map { $0 + initialized }, count - initialized,
          off_t(offset) + off_t(initialized))
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = SystemFailure("read") }
        guard got > 0 else { return }
        initialized += got
      }
    }
    if let failure { throw failure }
    return bytes.count == count ? bytes : nil
  }

  deinit { close(descriptor) }
}
