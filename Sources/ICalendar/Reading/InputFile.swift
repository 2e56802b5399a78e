import Glibc

/// An open file that is read from start to end.
final class InputFile {
  private let path: String
  private let descriptor: Int32

  /// Opens the file at `path`.
  ///
  /// - Throws: ``ICalendarError`` where there is no such file, it may not be read, or it is a directory.
  init(path: String) throws {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw InputFile.error(path, errno) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      close(descriptor)
      throw ICalendarError(file: path, message: "is a directory; name an .ics file in it")
    }
  }

  deinit { close(descriptor) }

  /// Fills `buffer` as far as one read goes and says how far; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw InputFile.error(path, errno) }
    }
  }

  private static func error(_ path: String, _ code: Int32) -> ICalendarError {
    ICalendarError(file: path, message: "can't be read: \(String(cString: strerror(code)))")
  }
}
