internal import CZlib

/// Inflates gzip (RFC 1952) as it streams: one member or several, one after the other.
///
/// Memory is zlib's window and the input buffer, whatever the data claims to unpack to.
final class GzipInflater: ByteStream {
  private let source: any ByteStream
  private let input: UnsafeMutableRawBufferPointer
  // On the heap: zlib keeps the address of the stream.
  private let stream: UnsafeMutablePointer<z_stream>
  /// True within a member, where an end of the input is too early.
  private var isInsideMember = false
  /// True after a member, before it is known whether another one comes.
  private var isAfterMember = false
  private var hasEnded = false

  /// Whether `head` begins as gzip does.
  static func recognises(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
    head.count >= 3 && head[0] == 0x1F && head[1] == 0x8B && head[2] == 8
  }

  /// Inflates what `head`, which was read from `source` already, and the rest of `source` hold.
  init(head: UnsafeBufferPointer<UInt8>, source: any ByteStream) throws(FeedError) {
    self.source = source
    input = .allocate(byteCount: max(65_536, head.count), alignment: 16)
    input.copyMemory(from: UnsafeRawBufferPointer(head))
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(head.count)
    // 15 bits of window, and 16 more to ask for gzip's header and check sum.
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else {
      throw FeedError(trace: source.name, problem: .damagedCompression)
    }
  }

  var name: String { source.name }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  var isInterrupted: Bool { source.isInterrupted }

  /// Inflates some bytes. Returns how many, 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
    stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: buffer.count)
    let room = Int(stream.pointee.avail_out)
    while !hasEnded {
      if stream.pointee.avail_in == 0 { try refill() }
      if isAfterMember { beginNextMember() }
      if hasEnded { break }
      isInsideMember = true
      let status = inflate(stream, Z_NO_FLUSH)
      let produced = room - Int(stream.pointee.avail_out)
      switch status {
      case Z_STREAM_END: (isInsideMember, isAfterMember) = (false, true)
      case Z_OK, Z_BUF_ERROR: break
      default:
        hasEnded = true
        // What was inflated before the damage is good; the next read tells of it.
        damage = .damagedCompression
      }
      if produced > 0 { return produced }
      // Members without content, of which there may be any number.
      if isAfterMember, stream.pointee.avail_in == 0, isInterrupted {
        throw FeedError(trace: source.name, problem: .interrupted)
      }
    }
    if let damage {
      self.damage = nil
      throw FeedError(trace: source.name, problem: damage)
    }
    return 0
  }

  private var damage: FeedError.Problem?

  private func refill() throws(FeedError) {
    let count = try source.read(into: input)
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(count)
    if count == 0 {
      hasEnded = true
      if isInsideMember { damage = .truncatedCompression }
    }
  }

  /// After a member: another one, or else padding, which gzip too passes over.
  private func beginNextMember() {
    isAfterMember = false
    guard !hasEnded, let next = stream.pointee.next_in, next.pointee == 0x1F else {
      hasEnded = true
      return
    }
    inflateReset(stream)
  }
}
