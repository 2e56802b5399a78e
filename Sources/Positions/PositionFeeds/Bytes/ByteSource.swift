internal import FencepostSystem
internal import Glibc

/// Bytes from a file descriptor or from memory. Counts them.
///
/// Closes a file at its end, and a file that fits into one buffer as soon as it is read. So thousands of
/// small open traces hold no descriptors.
final class ByteSource: ByteStream {
  private enum Origin {
    case descriptor(Int32, closes: Bool)
    case memory([UInt8])
    case ended
  }

  /// The path, or `stdin`.
  let name: String
  /// The total number of bytes; `nil` if unknown, as for a pipe.
  let totalBytes: Int64?
  /// The number of bytes read so far.
  private(set) var bytesRead: Int64 = 0
  private var origin: Origin
  /// Becomes readable to interrupt reading; -1 for none, which poll(2) ignores.
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
      // Opening a named pipe waits for its writer, and nothing could interrupt that. So open it without
      // waiting.
      descriptor = open(path, O_RDONLY | O_CLOEXEC | (interrupter >= 0 ? O_NONBLOCK : 0))
      guard descriptor >= 0 else { throw FeedError(trace: path, problem: .cannotOpen(errno)) }
    }
    origin = .descriptor(descriptor, closes: path != "-")
    totalBytes = try ByteSource.remainingBytes(of: descriptor, closesOnFailure: path != "-", name: name)
  }

  /// The bytes of the open `descriptor`, which is closed at the end if `closes`.
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

  /// Whether the interrupter is readable.
  var isInterrupted: Bool {
    interrupter >= 0 && !Readiness.now(interrupter).isEmpty
  }

  /// Whether there are bytes, the end or an interruption; waits for them until `deadline`.
  func hasMore(until deadline: ContinuousClock.Instant) -> Bool {
    guard case .descriptor(let descriptor, _) = origin, totalBytes == nil else { return true }
    return Readiness.wait(for: descriptor, until: deadline, interruptedBy: interrupter) != .timedOut
  }

  /// Reads bytes as soon as there are some. Returns their number, 0 at the end.
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
      // Reading a file does not wait.
      if interrupter >= 0 && totalBytes == nil { try wait(for: descriptor) }
      var count = try read(descriptor, into: buffer)
      if closes, let totalBytes {
        if count > 0 && count < buffer.count && bytesRead >= totalBytes {
          // This should be all. Bytes that were appended since the file was opened belong to it.
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

  /// Waits until there are bytes to read, or the end.
  private func wait(for descriptor: Int32) throws(FeedError) {
    guard Readiness.wait(for: descriptor, interruptedBy: interrupter) != .interrupted else {
      throw FeedError(trace: name, problem: .interrupted)
    }
  }

  /// The number of bytes from a regular file's position to its end; `nil` for pipes and devices.
  private static func remainingBytes(
    of descriptor: Int32, closesOnFailure: Bool, name: String
  ) throws(FeedError) -> Int64? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw FeedError(trace: name, problem: .cannotRead(errno))
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      // The initializer fails, so `deinit` will not close it.
      if closesOnFailure { close(descriptor) }
      throw FeedError(trace: name, problem: .directory)
    case S_IFREG: return max(0, Int64(status.st_size) - max(0, Int64(lseek(descriptor, 0, SEEK_CUR))))
    default: return nil
    }
  }
}

/// Bytes that a reader pulls.
protocol ByteStream: AnyObject {
  /// The name for error messages.
  var name: String { get }

  /// Whether reading should stop.
  var isInterrupted: Bool { get }

  /// Reads bytes as soon as there are some. Returns their number, 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int
}

extension ByteStream {
  /// `false`: this stream cannot be interrupted.
  var isInterrupted: Bool { false }
}
