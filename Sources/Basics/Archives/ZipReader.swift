internal import CFencepostArchive
internal import Glibc

/// The members of a ZIP archive, in order, unpacked with libarchive.
///
/// Uses the memory of libarchive's buffers, whatever size the archive claims. Confined to one thread.
public final class ZipReader {
  /// The header of a member.
  public struct Member: Hashable, Sendable {
    /// Its path in the archive.
    public var name: String
    /// True if it needs a password, so it can't be read.
    public var isEncrypted: Bool
  }

  /// Why an archive or a member can't be read.
  public enum Failure: Error {
    case noMemory, damaged
    /// The archive ends too early, or its source gave no further piece.
    case truncated
    /// libarchive does not know how it is packed.
    case unknownPacking
  }

  private let archive: OpaquePointer
  /// The locale in which names are UTF-8.
  private let locale = carchive_utf8()
  private let pieces: () -> UnsafeRawBufferPointer?
  /// What is wrong with the member; thrown after its last bytes.
  private var damage: Failure?
  private var hasEnded = true

  /// An archive that comes in pieces. Finds members by the headers before them, so a pipe works as well as a
  /// file.
  ///
  /// - Parameter pieces: Returns the next piece, which stays valid until the next call; an empty one at the
  ///   end; `nil` if it can't be read.
  public init(pieces: @escaping () -> UnsafeRawBufferPointer?) throws(Failure) {
    archive = try Self.make()
    self.pieces = pieces
    archive_read_support_format_zip_streamable(archive)
    let code = archive_read_open(
      archive, Unmanaged.passUnretained(self).toOpaque(), nil,
      { _, context, bytes in
        guard let context, let piece = Unmanaged<ZipReader>.fromOpaque(context).takeUnretainedValue().pieces()
        else {
          return -1
        }
        bytes?.pointee = piece.baseAddress
        return piece.count
      }, nil)
    guard code == ARCHIVE_OK else { throw .damaged }
  }

  /// An archive in memory. Also finds members by the directory at the end.
  ///
  /// - Parameter bytes: They must stay valid as long as the reader is used.
  public init(_ bytes: UnsafeBufferPointer<UInt8>) throws(Failure) {
    archive = try Self.make()
    pieces = { nil }
    archive_read_support_format_zip(archive)
    guard archive_read_open_memory(archive, bytes.baseAddress, bytes.count) == ARCHIVE_OK else {
      throw .damaged
    }
  }

  private static func make() throws(Failure) -> OpaquePointer {
    guard let archive = archive_read_new() else { throw .noMemory }
    return archive
  }

  deinit {
    archive_read_free(archive)
    if let locale { freelocale(locale) }
  }

  /// Moves to the next member; returns `nil` after the last.
  public func next() throws(Failure) -> Member? {
    damage = nil
    var entry: OpaquePointer?
    var path: UnsafePointer<CChar>?
    let code = carchive_next(archive, locale, &entry, &path)
    switch code {
    case ARCHIVE_EOF: return nil
    case ARCHIVE_OK, ARCHIVE_WARN:
      hasEnded = false
      return Member(
        name: path.map { String(cString: $0) } ?? "", isEncrypted: archive_entry_is_data_encrypted(entry) == 1
      )
    // libarchive gives no message if no further header comes.
    default: throw archive_error_string(archive) == nil ? .truncated : failure(code)
    }
  }

  /// The next bytes of the member's content, valid until the next call; `nil` at its end.
  public func content() throws(Failure) -> UnsafeRawBufferPointer? {
    if let damage {
      self.damage = nil
      throw damage
    }
    if hasEnded { return nil }
    var start: UnsafeRawPointer?
    var count = 0
    var offset: la_int64_t = 0
    let code = archive_read_data_block(archive, &start, &count, &offset)
    hasEnded = code != ARCHIVE_OK
    if code == ARCHIVE_EOF { return nil }
    if hasEnded { damage = failure(code) }
    // A warning, such as a wrong checksum, comes together with unpacked bytes.
    return UnsafeRawBufferPointer(start: start, count: code == ARCHIVE_OK || code == ARCHIVE_WARN ? count : 0)
  }

  private func failure(_ code: Int32) -> Failure {
    if code == ARCHIVE_FAILED { return .unknownPacking }
    let message = archive_error_string(archive).map { String(cString: $0) } ?? ""
    // -5 is zlib's code for input that ends early.
    return message.contains("runcated") || message.hasSuffix("(-5)") ? .truncated : .damaged
  }
}
