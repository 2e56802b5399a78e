import Algorithms

/// Turns UTF-16, which begins with a byte order mark, into UTF-8 as it streams. What is no character becomes U+FFFD.
final class UTF16Stream: ByteStream {
  private let source: any ByteStream
  private let isBigEndian: Bool
  private let input: UnsafeMutableRawBufferPointer
  /// The first byte of a unit whose second has not come yet.
  private var half: UInt8?
  /// The first unit of a pair.
  private var lead: UInt16?
  private var output: [UInt8] = []
  private var handedOut = 0
  private var hasEnded = false

  /// Whether `head`, of four bytes or more, begins as such a text does; XML, which says itself what it is written in, is
  /// left alone.
  static func recognises(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
    guard head.count >= 4 else { return false }
    switch (head[0], head[1]) {
    case (0xFF, 0xFE): return !(head[2] == ASCII.lessThan && head[3] == 0)
    case (0xFE, 0xFF): return !(head[2] == 0 && head[3] == ASCII.lessThan)
    default: return false
    }
  }

  /// The text that `head`, which was read from `source` already, and the rest of `source` hold.
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
    while handedOut == output.count && !hasEnded {
      output.removeAll(keepingCapacity: true)
      handedOut = 0
      let count = try source.read(into: input)
      decode(input[..<count])
      if count == 0 { end() }
    }
    let count = min(buffer.count, output.count - handedOut)
    output.withUnsafeBytes { bytes in
      buffer.copyBytes(from: UnsafeRawBufferPointer(rebasing: bytes[handedOut..<handedOut + count]))
    }
    handedOut += count
    return count
  }

  private func decode(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      guard let first = half else {
        half = byte
        continue
      }
      half = nil
      take(isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first))
    }
  }

  private func take(_ unit: UInt16) {
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

  /// The text breaks off where a unit or a pair is not whole.
  private func end() {
    hasEnded = true
    if half != nil || lead != nil { append(nil) }
  }

  private func append(_ scalar: Unicode.Scalar?) {
    output.append(contentsOf: UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
  }
}
