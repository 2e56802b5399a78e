import Glibc

/// How a file begins.
enum FileHead {
  /// At most `count` bytes; `nil`, and `errno` says why, where they can't be read.
  static func read(_ path: String, upTo count: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    var length = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      length = Glibc.read(file, buffer.baseAddress, count)
      initialized = max(length, 0)
    }
    let code = errno
    close(file)
    errno = code
    return length < 0 ? nil : bytes
  }
}
