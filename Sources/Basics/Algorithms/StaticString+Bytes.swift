extension UnsafeBufferPointer<UInt8> {
  /// Whether these bytes spell `word`.
  @inlinable @inline(__always)
  public static func == (bytes: Self, word: StaticString) -> Bool {
    bytes.count == word.utf8CodeUnitCount
      && bytes.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }
}
