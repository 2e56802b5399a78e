import CFencepostLinux
import Glibc

/// Reads whole files.
public enum WholeFile {
  /// The contents of the file at `path`. Waits for the writer of a named pipe.
  ///
  /// - Parameter limit: The maximum size in bytes.
  /// - Throws: If the file can't be read, is longer, or is a directory or a device, which may have no end.
  public static func read(_ path: String, upTo limit: Int = 64 << 20) throws(SystemFailure) -> [UInt8] {
    let action = "read '\(path)'"
    let file = try SystemFailure.check(open(path, O_RDONLY | O_CLOEXEC), action)
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw SystemFailure(action) }
    let kind = status.st_mode & S_IFMT
    guard kind != S_IFCHR, kind != S_IFBLK else {
      throw SystemFailure(action, reason: "it is a device, not a file")
    }
    var contents: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while contents.count <= limit {
      let count: Int
      do throws(SystemFailure) {
        count = try DescriptorIO.read(file, into: &buffer)
      } catch {
        throw SystemFailure(action, code: error.code)
      }
      if count == 0 { return contents }
      contents += buffer[..<count]
    }
    throw SystemFailure(action, reason: "it has more than \(limit) bytes")
  }
}
