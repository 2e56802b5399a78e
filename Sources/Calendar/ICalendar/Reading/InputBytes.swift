/// Bytes in memory that read like a file.
struct InputBytes {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Fills `buffer` and returns the number of bytes, 0 at the end.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let chunk = rest.prefix(buffer.count)
    buffer.copyBytes(from: chunk)
    rest = rest.dropFirst(chunk.count)
    return chunk.count
  }
}
