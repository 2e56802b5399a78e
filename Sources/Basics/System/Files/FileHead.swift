import Glibc

/// Reads the start of a file.
public enum FileHead {
  /// At most `count` bytes; `nil` if reading fails, with the reason in `errno`.
  public static func read(_ path: String, upTo count: Int) -> [UInt8]? {
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

  /// The secret in the first line of a file, in UTF-8.
  ///
  /// - Throws: If the file can't be read, or the line is empty.
  public static func secret(_ path: String) throws(SystemFailure) -> String {
    let action = "read '\(path)'"
    guard let bytes = read(path, upTo: 4_096) else { throw SystemFailure(action) }
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty else { throw SystemFailure(action, reason: "its first line is empty") }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw SystemFailure(action, reason: "it is not UTF-8")
    }
    return text
  }
}
