/// Bytes that are pulled.
protocol ByteStream: AnyObject {
  /// What errors call it.
  var name: String { get }

  /// Whether nobody wants to read on.
  var isInterrupted: Bool { get }

  /// Reads some bytes, as soon as there are any. Returns how many, 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int
}

extension ByteStream {
  /// False, for one that nobody interrupts.
  var isInterrupted: Bool { false }
}
