import Glibc

/// An open file for sequential reading.
final class InputFile {
  /// Its name in messages.
  let name: String
  private let descriptor: Int32
  private let isStandardInput: Bool

  /// Opens the file at `path`; `-` is standard input, which may be a socket, and sockets can't be opened by path.
  ///
  /// - Throws: ``ICalendarError`` if the file is missing, not readable, a directory or a device, which may have no end.
  init(path: String) throws {
    isStandardInput = path == "-"
    name = isStandardInput ? "standard input" : path
    descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw InputFile.error(name, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, !isStandardInput else { return }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw ICalendarError(file: name, message: "is a directory; name an .ics file in it")
    case S_IFCHR, S_IFBLK: throw ICalendarError(file: name, message: "is a device, not a file")
    default: break
    }
  }

  deinit { if !isStandardInput { close(descriptor) } }

  /// Fills `buffer` with one read and returns the number of bytes, 0 at the end.
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
