import Glibc

/// Reads files for time zone data.
enum SystemFiles {
  /// The first `limit` bytes of a regular file; `nil` if it can't be read. The default is many times the size of the
  /// largest zone.
  static func contents(_ path: String, limit: Int = 1 << 20) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= 0 else {
      return nil
    }
    let size = min(limit, Int(status.st_size))
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = 0
      while count < size {
        let got = read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if got <= 0 { break }
        count += got
      }
    }
  }

  /// The target of a symbolic link; `nil` if `path` is not a link.
  static func target(ofLink path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      let count = readlink(path, base, buffer.count)
      guard count > 0 else { return nil }
      return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// An environment variable.
  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
