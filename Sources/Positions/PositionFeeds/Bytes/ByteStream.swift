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
