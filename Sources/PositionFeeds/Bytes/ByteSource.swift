internal import Glibc
internal import System

/// Bytes from a file descriptor or from memory, counted.
///
/// A file is closed as soon as its end was read, and one that fits into a buffer when that is filled: of thousands of
/// small traces that are open at once, none holds a descriptor.
final class ByteSource: ByteStream {
  private enum Origin {
    case descriptor(Int32, closes: Bool)
    case memory([UInt8])
    case ended
  }

  /// The path, or `stdin`.
  let name: String
  /// How many there are; `nil` where nobody knows.
  let totalBytes: Int64?
  /// How many were read.
  private(set) var bytesRead: Int64 = 0
  private var origin: Origin
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
      // Opening a named pipe waits for its writer, which nothing could interrupt: so that waits in reading.
      descriptor = open(path, O_RDONLY | O_CLOEXEC | (interrupter >= 0 ? O_NONBLOCK : 0))
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

  /// Whether the interrupter can be read.
  var isInterrupted: Bool {
    interrupter >= 0 && !Readiness.now(interrupter).isEmpty
  }

  /// Reads some bytes, as soon as there are any. Returns how many, 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
    switch origin {
    case .ended: return 0
    case .memory(let bytes):
      let start = Int(bytesRead)
      let count = min(buffer.count, bytes.count - start)
      bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[start..<start + count])) }
      bytesRead += Int64(count)
      return count
    case .descriptor(let descriptor, let closes):
      // A file does not keep anybody waiting.
      if interrupter >= 0 && totalBytes == nil { try wait(for: descriptor) }
      var count = try read(descriptor, into: buffer)
      if closes, let totalBytes {
        if count > 0 && count < buffer.count && bytesRead >= totalBytes {
          // It should be all; what was appended since it was opened belongs to it.
          let more = try read(descriptor, into: .init(rebasing: buffer[count...]))
          if more == 0 { end(descriptor) }
          count += more
        } else if count == 0 {
          end(descriptor)
        }
      }
      return count
    }
  }

  private func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int
  {
    while true {
      do throws(SystemFailure) {
        let count = try DescriptorIO.read(descriptor, into: buffer)
        bytesRead += Int64(count)
        return count
      } catch  where error.code == EAGAIN {
        try wait(for: descriptor)
      } catch {
        throw FeedError(trace: name, problem: .cannotRead(error.code))
      }
    }
  }

  /// Closes a file that was read to its end.
  private func end(_ descriptor: Int32) {
    close(descriptor)
    origin = .ended
  }

  /// Waits until there is something to read, or the end.
  private func wait(for descriptor: Int32) throws(FeedError) {
    guard Readiness.wait(for: descriptor, interruptedBy: interrupter) != .interrupted else {
      throw FeedError(trace: name, problem: .interrupted)
    }
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
