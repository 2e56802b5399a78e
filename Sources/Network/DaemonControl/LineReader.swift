import FencepostSystem

/// Reads lines from a socket.
struct LineReader {
  private let descriptor: Int32
  /// The most bytes of a line.
  private let limit: Int
  /// Bytes that were read but not returned yet.
  private var rest: [UInt8] = []
  /// Whether the last line was too long.
  private(set) var isOverLimit = false

  init(_ descriptor: Int32, limit: Int) {
    self.descriptor = descriptor
    self.limit = limit
  }

  /// The next line without its end. Waits for it.
  ///
  /// - Returns: `nil` if the line is too long, the other end is closed, or nothing comes within the timeout.
  mutating func next() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var searched = 0
    while true {
      if let end = rest[searched...].firstIndex(of: 0x0A) {
        defer { rest.removeFirst(end + 1) }
        return Array(rest[..<end])
      }
      searched = rest.count
      isOverLimit = searched >= limit
      guard !isOverLimit, let count = try? DescriptorIO.read(descriptor, into: &buffer), count > 0 else {
        return nil
      }
      rest += buffer[..<count]
    }
  }
}
