import Glibc

/// An open file that is read from start to end.
final class InputFile {
  /// What messages call it.
  let name: String
  private let descriptor: Int32
  private let isStandardInput: Bool

  /// Opens the file at `path`; `-` is standard input, whatever that is: a socket can't be opened by a path.
  ///
  /// - Throws: ``ICalendarError`` where there is no such file, it may not be read, or it is a directory.
  init(path: String) throws {
    isStandardInput = path == "-"
    name = isStandardInput ? "standard input" : path
    descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw InputFile.error(name, errno) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw ICalendarError(file: name, message: "is a directory; name an .ics file in it")
    }
  }

  deinit { if !isStandardInput { close(descriptor) } }

  /// Fills `buffer` as far as one read goes and says how far; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw InputFile.error(name, errno) }
    }
  }

  private static func error(_ name: String, _ code: Int32) -> ICalendarError {
    ICalendarError(file: name, message: "can't be read: \(String(cString: strerror(code)))")
  }
}
