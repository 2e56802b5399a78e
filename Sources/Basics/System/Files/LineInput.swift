/// Reads lines from a descriptor, and keeps at most a given number of bytes of each in memory.
///
/// Confined to one thread. Cost: a read of 64 KiB at a time.
package final class LineInput {
  private let descriptor: Int32
  private let maximum: Int
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  private var next = 0, end = 0

  /// Lines of an open descriptor.
  ///
  /// - Parameter maximum: The most bytes of a line without its end.
  package init(_ descriptor: Int32, maximum: Int) {
    self.descriptor = descriptor
    self.maximum = maximum
  }

  /// The next line without its end; `nil` at the end of the input, also if it can't be read. Of a longer line
  /// its first `maximum` bytes and one more, so that its reader sees that it is too long.
  package func line() -> String? {
    var line: [UInt8] = []
    var isThere = false
    while true {
      if next == end {
        guard let count = try? DescriptorIO.read(descriptor, into: &buffer), count > 0 else {
          return isThere ? String(decoding: line, as: UTF8.self) : nil
        }
        (next, end) = (0, count)
      }
      isThere = true
      let stop = buffer[next..<end].firstIndex(of: UInt8(ascii: "\n")) ?? end
      line += buffer[next..<stop].prefix(max(0, maximum + 1 - line.count))
      next = min(stop + 1, end)
      if stop < end { return String(decoding: line, as: UTF8.self) }
    }
  }
}
