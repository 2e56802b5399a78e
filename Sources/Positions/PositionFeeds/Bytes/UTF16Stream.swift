import FencepostAlgorithms

/// Converts a UTF-16 stream with a byte order mark to UTF-8. Invalid units become U+FFFD.
final class UTF16Stream: ByteStream {
  private let source: any ByteStream
  private let isBigEndian: Bool
  private let input: UnsafeMutableRawBufferPointer
  /// The first byte of a unit, until its second byte comes.
  private var half: UInt8?
  /// The first unit of a surrogate pair.
  private var lead: UInt16?
  private var output: [UInt8] = []
  private var returned = 0
  private var hasEnded = false

  /// Whether `head`, of four bytes or more, begins as UTF-16 text. Not for XML, which declares its own
  /// encoding.
  static func recognises(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
    guard head.count >= 4 else { return false }
    switch (head[0], head[1]) {
    case (0xFF, 0xFE): return !(head[2] == ASCII.lessThan && head[3] == 0)
    case (0xFE, 0xFF): return !(head[2] == 0 && head[3] == ASCII.lessThan)
    default: return false
    }
  }

  /// The text of `head`, which was already read from `source`, and of the rest of `source`.
  init(head: UnsafeBufferPointer<UInt8>, source: any ByteStream) {
    self.source = source
    isBigEndian = head[0] == 0xFE
    input = .allocate(byteCount: 16_384, alignment: 16)
    decode(head.dropFirst(2))
  }

  deinit { input.deallocate() }

  var name: String { source.name }

  var isInterrupted: Bool { source.isInterrupted }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
    while returned == output.count && !hasEnded {
      output.removeAll(keepingCapacity: true)
      returned = 0
      let count = try source.read(into: input)
      decode(input[..<count])
      if count == 0 { end() }
    }
    let count = min(buffer.count, output.count - returned)
    output.withUnsafeBytes { bytes in
      buffer.copyBytes(from: UnsafeRawBufferPointer(rebasing: bytes[returned..<returned + count]))
    }
    returned += count
    return count
  }

  private func decode(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      guard let first = half else {
        half = byte
        continue
      }
      half = nil
      append(isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first))
    }
  }

  private func append(_ unit: UInt16) {
    if let first = lead {
      lead = nil
      if UTF16.isTrailSurrogate(unit) {
        let pair = UInt32(first & 0x3FF) << 10 | UInt32(unit & 0x3FF)
        append(Unicode.Scalar(0x10000 + pair))
        return
      }
      append(nil)
    }
    if UTF16.isLeadSurrogate(unit) {
      lead = unit
    } else {
      append(Unicode.Scalar(unit))
    }
  }

  /// Ends the text. An incomplete unit or pair at the end becomes U+FFFD.
  private func end() {
    hasEnded = true
    if half != nil || lead != nil { append(nil) }
  }

  private func append(_ scalar: Unicode.Scalar?) {
    output.append(contentsOf: UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
  }
}
