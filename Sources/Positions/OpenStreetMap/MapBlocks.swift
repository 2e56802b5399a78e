import CFencepostZlib
import FencepostSystem
import Glibc

/// The blocks of a file in OpenStreetMap's binary form (wiki.openstreetmap.org/wiki/PBF_Format): each has a
/// header of at most 64 KiB and a content of at most 32 MiB, usually compressed. One is in memory at a
/// time.
struct MapBlocks {
  private static let maximumHeader = 64 << 10
  private static let maximumContent = 32 << 20
  private static let features: Set<String> = ["OsmSchema-V0.6", "DenseNodes"]

  private let file: OpenFile

  /// Opens a file, and looks whether it begins with the header of one.
  init(_ path: String) throws(MapFileFailure) {
    do throws(SystemFailure) { file = try OpenFile(path) } catch {
      throw MapFileFailure(problem: .unreadable("\(error)"), offset: 0)
    }
    var offset: Int64 = 0
    guard let first = try next(at: &offset), first.type == "OSMHeader" else {
      throw MapFileFailure(problem: .otherFile, offset: 0)
    }
    try checkHeader(first.content)
  }

  /// Whether a file begins as one of these does. Cost: its first bytes are read.
  static func isLikely(_ head: [UInt8]) -> Bool {
    // The length of the header, then the type as its first field.
    head.count >= 15 && head[0] == 0 && head[4] == 0x0A && head[5] == 9
      && Array(head[6..<15]) == Array("OSMHeader".utf8)
  }

  /// Calls `body` with the content of each block of data.
  func forEach(_ body: (UnsafeRawBufferPointer) throws(MapFileFailure) -> Void) throws(MapFileFailure) {
    var offset: Int64 = 0
    while true {
      let start = offset
      guard let block = try next(at: &offset) else { return }
      // Other types are for other programs.
      guard block.type == "OSMData" else { continue }
      let result: Result<Void, MapFileFailure> = block.content.withUnsafeBytes { bytes in
        Result { () throws(MapFileFailure) in try body(bytes) }
      }
      if case .failure(var failure) = result {
        failure.offset = start
        throw failure
      }
    }
  }

  private func checkHeader(_ content: [UInt8]) throws(MapFileFailure) {
    var required: [String] = []
    let isRead = content.withUnsafeBytes { bytes in
      var reader = ProtobufReader(bytes)
      do throws(ProtobufReader.Damage) {
        while let (number, value) = try reader.next() {
          if number == 4, case .bytes(let name) = value {
            required.append(String(decoding: name, as: UTF8.self))
          }
        }
        return true
      } catch { return false }
    }
    guard isRead else { throw MapFileFailure(problem: .damaged, offset: 0) }
    if let unknown = required.first(where: { !Self.features.contains($0) }) {
      throw MapFileFailure(problem: .feature(String(unknown.prefix(60))), offset: 0)
    }
  }

  // MARK: One block

  /// The block at an offset, which then is that of the next one; `nil` at the end.
  private func next(at offset: inout Int64) throws(MapFileFailure) -> (type: String, content: [UInt8])? {
    let start = offset
    func failure(_ problem: MapFileFailure.Problem) -> MapFileFailure {
      MapFileFailure(problem: start == 0 && problem != .tooLarge ? .otherFile : problem, offset: start)
    }
    guard start < file.size else {
      if start == 0 { throw failure(.otherFile) }
      return nil
    }
    guard let four = try read(4, at: offset) else { throw failure(.damaged) }
    let length = four.reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.maximumHeader else { throw failure(start == 0 ? .otherFile : .tooLarge) }
    guard let header = try read(length, at: offset + 4) else { throw failure(.damaged) }
    var type = ""
    var size = 0
    let isRead = header.withUnsafeBytes { bytes in
      var reader = ProtobufReader(bytes)
      do throws(ProtobufReader.Damage) {
        while let (number, value) = try reader.next() {
          switch (number, value) {
          case (1, .bytes(let name)): type = String(decoding: name, as: UTF8.self)
          case (3, .number(let count)): size = Int(clamping: count)
          default: break
          }
        }
        return true
      } catch { return false }
    }
    guard isRead, !type.isEmpty else { throw failure(.damaged) }
    guard size <= Self.maximumContent else { throw failure(.tooLarge) }
    guard let blob = try read(size, at: offset + 4 + Int64(length)) else { throw failure(.damaged) }
    offset += 4 + Int64(length) + Int64(size)
    guard type == "OSMData" || type == "OSMHeader" else { return (type, []) }
    return (type, try content(of: blob, at: start))
  }

  /// The content of a blob: as it is, or inflated.
  private func content(of blob: [UInt8], at start: Int64) throws(MapFileFailure) -> [UInt8] {
    let result: Result<[UInt8], MapFileFailure> = blob.withUnsafeBytes { bytes in
      Result { () throws(MapFileFailure) in
        var reader = ProtobufReader(bytes)
        var (size, packed): (UInt64?, UnsafeRawBufferPointer?) = (nil, nil)
        var other: String?
        do throws(ProtobufReader.Damage) {
          while let (number, value) = try reader.next() {
            switch (number, value) {
            case (1, .bytes(let raw)): return Array(raw)
            case (2, .number(let count)): size = count
            case (3, .bytes(let data)): packed = data
            case (4...7, .bytes): other = Self.compressions[number]
            default: break
            }
          }
        } catch { throw MapFileFailure(problem: .damaged, offset: start) }
        if let other { throw MapFileFailure(problem: .compression(other), offset: start) }
        guard let size, let packed else { throw MapFileFailure(problem: .damaged, offset: start) }
        guard size <= UInt64(Self.maximumContent) else {
          throw MapFileFailure(problem: .tooLarge, offset: start)
        }
        guard let content = Self.inflated(packed, size: Int(size)) else {
          throw MapFileFailure(problem: .damaged, offset: start)
        }
        return content
      }
    }
    return try result.get()
  }

  /// Other ways to compress, by the fields of a blob.
  private static let compressions = [4: "lzma", 5: "bzip2", 6: "lz4", 7: "zstd"]

  /// Inflates a zlib stream of a known size (RFC 1950); `nil` if it is damaged or of another size.
  private static func inflated(_ packed: UnsafeRawBufferPointer, size: Int) -> [UInt8]? {
    var count = uLongf(size)
    let content = [UInt8](unsafeUninitializedCapacity: max(1, size)) { buffer, initialized in
      let isGood =
        uncompress(
          buffer.baseAddress, &count, packed.baseAddress?.assumingMemoryBound(to: UInt8.self),
          uLong(packed.count)) == Z_OK
      initialized = isGood ? Int(count) : 0
    }
    return content.count == size ? content : nil
  }

  /// Bytes of the file; `nil` if it ends before.
  private func read(_ count: Int, at offset: Int64) throws(MapFileFailure) -> [UInt8]? {
    do throws(SystemFailure) { return try file.bytes(count, at: offset) } catch {
      throw MapFileFailure(problem: .unreadable(String(cString: strerror(error.code))), offset: offset)
    }
  }
}
