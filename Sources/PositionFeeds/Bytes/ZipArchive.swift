internal import CZlib

/// The members of a ZIP archive, one after the other as it streams. (PKWARE's APPNOTE.TXT, 4.3)
///
/// Members are found by the headers before them, not by the directory at the end, so that a pipe does as well as a file,
/// and each byte is inflated once, to a thousand bytes at most, and not kept. (What is packed in gzip once more within may
/// be a thousand times larger again.)
/// What is stored or deflated can be read; other methods and encrypted members can't.
final class ZipArchive: ByteStream {
  /// What stands before a member.
  struct Member {
    /// Its path in the archive.
    var name: String
    /// Why it can't be read; `nil` where it can.
    var obstacle: ForeignContent?
  }

  private enum Content {
    /// Bytes that are still to come.
    case stored(UInt64)
    /// A deflate stream tells its own end; how many compressed bytes of it are still to come, where that is known.
    case deflated(UInt64?)
    /// The member has ended.
    case none
  }

  private static let localHeader: UInt32 = 0x0403_4B50
  private static let dataDescriptor: UInt32 = 0x0807_4B50

  let name: String
  private let source: any ByteStream
  // Holds a header with the longest name and extra field, which have 65,535 bytes each.
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
  private var start = 0
  private var end: Int
  // On the heap: zlib keeps the address of the stream.
  private let stream: UnsafeMutablePointer<z_stream>
  private var content = Content.none
  private var hasDescriptor = false
  private var sum: UInt = 0
  private var expectedSum: UInt32 = 0

  /// Whether `head` begins as an archive does that has a member.
  static func recognises(_ head: some Collection<UInt8>) -> Bool { head.starts(with: [0x50, 0x4B, 3, 4]) }

  /// The archive of `head`, which was read from `source` already, and the rest of `source`.
  init(head: [UInt8], source: any ByteStream) throws(FeedError) {
    self.source = source
    name = source.name
    input.copyBytes(from: head)
    end = head.count
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // Minus 15 bits of window: deflate without a header of its own.
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(stream, -15, ZLIB_VERSION, size) == Z_OK else {
      throw FeedError(trace: name, problem: .damagedCompression)
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  // MARK: Members

  /// Passes to the next member; `nil` after the last.
  func nextMember() throws(FeedError) -> Member? {
    try skipContent()
    guard try fill(4) else { throw failure(.truncatedCompression) }
    guard number(4, at: 0) == UInt64(ZipArchive.localHeader) else {
      // The directory, or what else may follow the members.
      guard input[start] == 0x50, input[start + 1] == 0x4B else { throw failure(.damagedCompression) }
      return nil
    }
    guard try fill(30) else { throw failure(.truncatedCompression) }
    let nameLength = Int(number(2, at: 26))
    let length = 30 + nameLength + Int(number(2, at: 28))
    guard try fill(length) else { throw failure(.truncatedCompression) }
    let flags = number(2, at: 6)
    let method = number(2, at: 8)
    hasDescriptor = flags & 8 != 0
    expectedSum = UInt32(truncatingIfNeeded: number(4, at: 14))
    let size = compressedSize(extra: 30 + nameLength, end: length)
    let memberName = String(decoding: input[(start + 30)..<(start + 30 + nameLength)], as: UTF8.self)
    start += length
    sum = crc32(0, nil, 0)

    let isSizeKnown = !hasDescriptor || size > 0
    switch method {
    case 8 where flags & 1 == 0:
      inflateReset(stream)
      content = .deflated(isSizeKnown ? size : nil)
      return Member(name: memberName)
    case 0 where flags & 1 == 0 && isSizeKnown:
      content = .stored(size)
      return Member(name: memberName)
    default:
      guard isSizeKnown else {
        let content = ForeignContent(
          what: "stored with its size after it, so that nobody can tell where it ends",
          advice: "unpack the archive first")
        throw FeedError(trace: "\(name)/\(memberName)", problem: .foreign(content))
      }
      content = .stored(size)
      expectedSum = 0
      let obstacle = ForeignContent(
        what: flags & 1 == 0 ? "packed in a way that is not known" : "encrypted", advice: "unpack it first")
      return Member(name: memberName, obstacle: obstacle)
    }
  }

  /// The compressed size, from the header or from its ZIP64 field.
  private func compressedSize(extra: Int, end: Int) -> UInt64 {
    let size = number(4, at: 18)
    guard size == 0xFFFF_FFFF else { return size }
    var at = extra
    while at + 4 <= end {
      let length = Int(number(2, at: at + 2))
      // Both sizes: the one before packing, then the one after.
      if number(2, at: at) == 1, length >= 16, at + 20 <= end { return number(8, at: at + 12) }
      at += 4 + length
    }
    return size
  }

  // MARK: Content

  var isInterrupted: Bool { source.isInterrupted }

  /// Reads some of the member's content. Returns how much, 0 at its end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
    let count: Int
    switch content {
    case .none: return 0
    case .stored(let remaining): count = try copy(into: buffer, remaining)
    case .deflated(let remaining): count = try inflate(into: buffer, remaining)
    }
    let bytes = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    sum = crc32(sum, bytes, UInt32(count))
    if count == 0 {
      content = .none
      if hasDescriptor { try readDescriptor() }
      // A sum of 0 is what nobody wrote.
      if expectedSum != 0 && sum != UInt(expectedSum) { throw failure(.damagedCompression) }
    }
    return count
  }

  private func copy(
    into buffer: UnsafeMutableRawBufferPointer, _ remaining: UInt64
  ) throws(FeedError) -> Int {
    if remaining == 0 { return 0 }
    guard try fill(1) else { throw failure(.truncatedCompression) }
    let count = min(buffer.count, end - start, Int(clamping: remaining))
    buffer.copyMemory(from: .init(rebasing: input[start..<start + count]))
    start += count
    content = .stored(remaining - UInt64(count))
    return count
  }

  private func inflate(
    into buffer: UnsafeMutableRawBufferPointer, _ remaining: UInt64?
  ) throws(FeedError) -> Int {
    var remaining = remaining
    stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: buffer.count)
    let room = Int(stream.pointee.avail_out)
    while true {
      guard try fill(1) else { throw failure(.truncatedCompression) }
      let available = min(end - start, Int(clamping: remaining ?? .max))
      stream.pointee.next_in = input.baseAddress.map { ($0 + start).assumingMemoryBound(to: UInt8.self) }
      stream.pointee.avail_in = UInt32(available)
      let status = CZlib.inflate(stream, Z_NO_FLUSH)
      let used = available - Int(stream.pointee.avail_in)
      start += used
      remaining = remaining.map { $0 - UInt64(used) }
      content = .deflated(remaining)
      let produced = room - Int(stream.pointee.avail_out)
      switch status {
      case Z_STREAM_END:
        // What is left of it, if anything, is passed over.
        content = .stored(0)
        if let remaining { try skip(remaining) }
        return produced
      case Z_OK where produced > 0 || used > 0:
        if produced > 0 { return produced }
      default:
        content = .stored(remaining ?? 0)
        throw failure(.damagedCompression)
      }
    }
  }

  /// Passes over what is left of the member.
  private func skipContent() throws(FeedError) {
    switch content {
    case .none: return
    case .stored(let remaining):
      try skip(remaining)
      content = .none
      if hasDescriptor { try readDescriptor() }
    case .deflated(let remaining?):
      try skip(remaining)
      content = .none
      if hasDescriptor { try readDescriptor() }
    case .deflated(nil):
      let waste = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
      defer { waste.deallocate() }
      while try read(into: waste) > 0 { if isInterrupted { throw failure(.interrupted) } }
    }
  }

  /// Passes over check sum and sizes after a member: with a signature or without, and sizes of 4 or of 8 bytes.
  private func readDescriptor() throws(FeedError) {
    hasDescriptor = false
    _ = try fill(28)
    var at = 0
    if end - start >= 4, number(4, at: 0) == UInt64(ZipArchive.dataDescriptor) { at = 4 }
    guard end - start >= at + 12 else { throw failure(.truncatedCompression) }
    expectedSum = UInt32(truncatingIfNeeded: number(4, at: at))
    // Whatever follows a member begins with PK.
    let isLong =
      end - start >= at + 22 && (input[start + at + 20] == 0x50 && input[start + at + 21] == 0x4B)
      && !(input[start + at + 12] == 0x50 && input[start + at + 13] == 0x4B)
    start += at + (isLong ? 20 : 12)
  }

  // MARK: Bytes

  private func failure(_ problem: FeedError.Problem) -> FeedError { FeedError(trace: name, problem: problem) }

  /// The number of `size` bytes at `offset` from where the archive is.
  private func number(_ size: Int, at offset: Int) -> UInt64 {
    (0..<size).reduce(0) { $0 | UInt64(input[start + offset + $1]) << UInt64(8 * $1) }
  }

  /// Reads on until `count` bytes are there. False where there are fewer.
  private func fill(_ count: Int) throws(FeedError) -> Bool {
    if end - start >= count { return true }
    if start > 0 {
      input.copyMemory(from: .init(rebasing: input[start..<end]))
      end -= start
      start = 0
    }
    while end < count {
      // No more than a piece, so that what a pipe has written is not waited for in vain.
      let added = try source.read(into: .init(rebasing: input[end..<min(end + 65_536, input.count)]))
      if added == 0 { return false }
      end += added
    }
    return true
  }

  private func skip(_ count: UInt64) throws(FeedError) {
    var count = count
    while count > 0 {
      guard try fill(1) else { throw failure(.truncatedCompression) }
      let skipped = min(end - start, Int(clamping: count))
      start += skipped
      count -= UInt64(skipped)
    }
  }
}
