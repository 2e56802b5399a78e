internal import Glibc

/// Bytes from a file descriptor or from memory, counted.
final class ByteSource: ByteStream {
  private enum Origin {
    case descriptor(Int32, closes: Bool)
    case memory([UInt8])
  }

  /// The path, or `stdin`.
  let name: String
  /// How many there are; `nil` where nobody knows.
  let totalBytes: Int64?
  /// How many were read.
  private(set) var bytesRead: Int64 = 0
  private let origin: Origin
  /// Becomes readable when nobody wants to read on; -1 for none, which poll(2) passes over.
  private let interrupter: Int32

  /// The file at `path`, or standard input for `-`.
  init(path: String, interruptedBy interrupter: Int32 = -1) throws(FeedError) {
    self.interrupter = interrupter
    let descriptor: Int32
    if path == "-" {
      name = "stdin"
      descriptor = STDIN_FILENO
    } else {
      name = path
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FeedError(trace: path, problem: .cannotOpen(errno)) }
    }
    origin = .descriptor(descriptor, closes: path != "-")
    totalBytes = try ByteSource.remainingBytes(of: descriptor, closesOnFailure: path != "-", name: name)
  }

  /// An open `descriptor`, closed in the end where `closes`.
  init(
    descriptor: Int32, closes: Bool, name: String, interruptedBy interrupter: Int32 = -1
  ) throws(FeedError) {
    self.name = name
    self.interrupter = interrupter
    origin = .descriptor(descriptor, closes: closes)
    totalBytes = try ByteSource.remainingBytes(of: descriptor, closesOnFailure: closes, name: name)
  }

  /// The bytes of `memory`.
  init(memory: [UInt8], name: String) {
    self.name = name
    interrupter = -1
    origin = .memory(memory)
    totalBytes = Int64(memory.count)
  }

  deinit {
    if case .descriptor(let descriptor, closes: true) = origin { close(descriptor) }
  }

  /// Reads some bytes, as soon as there are any. Returns how many, 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
    switch origin {
    case .memory(let bytes):
      let start = Int(bytesRead)
      let count = min(buffer.count, bytes.count - start)
      bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[start..<start + count])) }
      bytesRead += Int64(count)
      return count
    case .descriptor(let descriptor, _):
      // A file does not keep anybody waiting.
      if interrupter >= 0 && totalBytes == nil { try wait(for: descriptor) }
      while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count >= 0 {
          bytesRead += Int64(count)
          return count
        }
        switch errno {
        case EINTR: continue
        case EAGAIN: try wait(for: descriptor)
        case let code: throw FeedError(trace: name, problem: .cannotRead(code))
        }
      }
    }
  }

  /// Waits until there is something to read, or the end.
  private func wait(for descriptor: Int32) throws(FeedError) {
    var waiting = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: interrupter, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&waiting, 2, -1) < 0 && errno == EINTR {}
    if waiting[1].revents != 0 { throw FeedError(trace: name, problem: .interrupted) }
  }

  /// The bytes from a regular file's position to its end; `nil` for pipes and devices.
  private static func remainingBytes(
    of descriptor: Int32, closesOnFailure: Bool, name: String
  ) throws(FeedError) -> Int64? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw FeedError(trace: name, problem: .cannotRead(errno))
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      // No instance comes of this, so nothing else would.
      if closesOnFailure { close(descriptor) }
      throw FeedError(trace: name, problem: .directory)
    case S_IFREG: return max(0, Int64(status.st_size) - max(0, Int64(lseek(descriptor, 0, SEEK_CUR))))
    default: return nil
    }
  }
}
