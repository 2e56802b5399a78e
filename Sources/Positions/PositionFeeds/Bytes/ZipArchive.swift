import FencepostArchives
internal import Glibc

/// The members of a ZIP archive that comes from a stream. Each byte is unpacked once and not kept.
final class ZipArchive: ByteStream {
  /// The header of a member.
  struct Member {
    /// Its path in the archive.
    var name: String
    /// Why it can't be read; `nil` if it can.
    var obstacle: FeedError.Problem?
  }

  let name: String
  private let pieces: Pieces
  private let zip: ZipReader
  /// Unpacked bytes that were not read yet.
  private var block = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Whether `head` begins with an archive that has a member.
  static func recognises(_ head: some Collection<UInt8>) -> Bool { head.starts(with: [0x50, 0x4B, 3, 4]) }

  /// The archive in `head`, which was already read from `source`, and in the rest of `source`.
  init(head: [UInt8], source: any ByteStream) throws(FeedError) {
    name = source.name
    let pieces = Pieces(head: head, source: source)
    self.pieces = pieces
    do throws(ZipReader.Failure) {
      zip = try ZipReader(pieces: { pieces.next() })
    } catch {
      throw Self.error(error, pieces)
    }
  }

  var isInterrupted: Bool { pieces.source.isInterrupted }

  /// Moves to the next member; returns `nil` after the last.
  func nextMember() throws(FeedError) -> Member? {
    block = UnsafeRawBufferPointer(start: nil, count: 0)
    do throws(ZipReader.Failure) {
      return try zip.next().map {
        Member(name: $0.name, obstacle: $0.isEncrypted ? .cannotUnpack("encrypted") : nil)
      }
    } catch {
      throw Self.error(error, pieces)
    }
  }

  /// Reads bytes of the member's content. Returns their number, 0 at its end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
    while block.isEmpty {
      do throws(ZipReader.Failure) {
        guard let next = try zip.content() else { return 0 }
        block = next
      } catch {
        throw Self.error(error, pieces)
      }
    }
    let count = min(block.count, buffer.count)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<count]))
    block = UnsafeRawBufferPointer(rebasing: block[count...])
    return count
  }

  /// Why the source can't be read, otherwise what is wrong with the archive.
  private static func error(_ failure: ZipReader.Failure, _ pieces: Pieces) -> FeedError {
    if let failure = pieces.failure { return failure }
    let problem: FeedError.Problem =
      switch failure {
      case .noMemory: .cannotRead(ENOMEM)
      case .damaged: .damagedCompression
      case .truncated: .truncatedCompression
      case .unknownPacking: .cannotUnpack("packed in a way that is not known")
      }
    return FeedError(trace: pieces.source.name, problem: problem)
  }
}

/// The bytes of an archive, in pieces.
private final class Pieces {
  let source: any ByteStream
  /// Bytes that were already read from the source.
  private var head: [UInt8]
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
  /// Why reading the source failed. libarchive does not pass it on.
  private(set) var failure: FeedError?

  init(head: [UInt8], source: any ByteStream) {
    self.head = head
    self.source = source
  }

  deinit { input.deallocate() }

  func next() -> UnsafeRawBufferPointer? {
    let count: Int
    if head.isEmpty {
      do throws(FeedError) {
        // Skipped content may unpack to a thousand times its packed size.
        if source.isInterrupted { throw FeedError(trace: source.name, problem: .interrupted) }
        count = try source.read(into: input)
      } catch {
        failure = error
        return nil
      }
    } else {
      count = min(head.count, input.count)
      input.copyBytes(from: head[..<count])
      head.removeFirst(count)
    }
    return UnsafeRawBufferPointer(rebasing: input[..<count])
  }
}
