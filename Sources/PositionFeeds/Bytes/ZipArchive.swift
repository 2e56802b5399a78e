internal import CArchive
internal import Glibc

/// The members of a ZIP archive, streamed in order with libarchive.
///
/// Finds members by the headers before them, not by the directory at the end, so a pipe works as well as a file. Each
/// byte is unpacked once and not kept. Uses the memory of libarchive's buffers, whatever size the archive claims.
final class ZipArchive: ByteStream {
  /// The header of a member.
  struct Member {
    /// Its path in the archive.
    var name: String
    /// Why it can't be read; `nil` if it can.
    var obstacle: FeedError.Problem?
  }

  let name: String
  private let source: any ByteStream
  /// Bytes that were already read from the source.
  private var head: [UInt8]
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
  private let archive: OpaquePointer
  /// The locale in which names are UTF-8.
  private let locale = carchive_utf8()
  /// Why reading the source failed. libarchive does not pass it on.
  private var sourceFailure: FeedError?
  /// Unpacked bytes that were not read yet.
  private var block = UnsafeRawBufferPointer(start: nil, count: 0)
  /// What is wrong with the member; reported once the block is read.
  private var damage: FeedError.Problem?
  private var hasEnded = true

  /// Whether `head` begins with an archive that has a member.
  static func recognises(_ head: some Collection<UInt8>) -> Bool { head.starts(with: [0x50, 0x4B, 3, 4]) }

  /// The archive in `head`, which was already read from `source`, and in the rest of `source`.
  init(head: [UInt8], source: any ByteStream) throws(FeedError) {
    guard let archive = archive_read_new() else {
      throw FeedError(trace: source.name, problem: .cannotRead(ENOMEM))
    }
    self.head = head
    self.source = source
    self.archive = archive
    name = source.name
    archive_read_support_format_zip_streamable(archive)
    let code = archive_read_open(
      archive, Unmanaged.passUnretained(self).toOpaque(), nil,
      { _, context, bytes in
        guard let context else { return -1 }
        return Unmanaged<ZipArchive>.fromOpaque(context).takeUnretainedValue().refill(bytes)
      }, nil)
    if let sourceFailure { throw sourceFailure }
    guard code == ARCHIVE_OK else { throw FeedError(trace: name, problem: .damagedCompression) }
  }

  deinit {
    archive_read_free(archive)
    if let locale { freelocale(locale) }
    input.deallocate()
  }

  var isInterrupted: Bool { source.isInterrupted }

  /// Moves to the next member; returns `nil` after the last.
  func nextMember() throws(FeedError) -> Member? {
    block = UnsafeRawBufferPointer(start: nil, count: 0)
    damage = nil
    var entry: OpaquePointer?
    var path: UnsafePointer<CChar>?
    let code = carchive_next(archive, locale, &entry, &path)
    if let sourceFailure { throw sourceFailure }
    switch code {
    case ARCHIVE_EOF: return nil
    case ARCHIVE_OK, ARCHIVE_WARN:
      hasEnded = false
      return Member(
        name: path.map { String(cString: $0) } ?? "",
        obstacle: archive_entry_is_data_encrypted(entry) == 1 ? .cannotUnpack("encrypted") : nil)
    // libarchive gives no message if no further header comes.
    default:
      throw FeedError(
        trace: name, problem: archive_error_string(archive) == nil ? .truncatedCompression : problem(code))
    }
  }

  /// Reads bytes of the member's content. Returns their number, 0 at its end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
    while block.isEmpty {
      if let damage {
        self.damage = nil
        throw FeedError(trace: name, problem: damage)
      }
      if hasEnded { return 0 }
      try unpackBlock()
    }
    let count = min(block.count, buffer.count)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<count]))
    block = UnsafeRawBufferPointer(rebasing: block[count...])
    return count
  }

  private func unpackBlock() throws(FeedError) {
    var start: UnsafeRawPointer?
    var count = 0
    var offset: la_int64_t = 0
    let code = archive_read_data_block(archive, &start, &count, &offset)
    if let sourceFailure { throw sourceFailure }
    hasEnded = code != ARCHIVE_OK
    if hasEnded && code != ARCHIVE_EOF { damage = problem(code) }
    // A warning, such as a wrong checksum, comes together with unpacked bytes.
    if code == ARCHIVE_OK || code == ARCHIVE_WARN {
      block = UnsafeRawBufferPointer(start: start, count: count)
    }
  }

  /// The problem behind a failed call of libarchive.
  private func problem(_ code: Int32) -> FeedError.Problem {
    if code == ARCHIVE_FAILED { return .cannotUnpack("packed in a way that is not known") }
    let message = archive_error_string(archive).map { String(cString: $0) } ?? ""
    // -5 is zlib's code for input that ends early.
    return message.contains("runcated") || message.hasSuffix("(-5)")
      ? .truncatedCompression : .damagedCompression
  }

  /// Reads the next piece of the archive. Returns its length, 0 at the end, and less if reading fails.
  private func refill(_ bytes: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
    bytes?.pointee = UnsafeRawPointer(input.baseAddress)
    if !head.isEmpty {
      input.copyBytes(from: head)
      defer { head = [] }
      return head.count
    }
    do throws(FeedError) {
      // Skipped content may unpack to a thousand times its packed size.
      if isInterrupted { throw FeedError(trace: name, problem: .interrupted) }
      return try source.read(into: input)
    } catch {
      sourceFailure = error
      return -1
    }
  }
}
