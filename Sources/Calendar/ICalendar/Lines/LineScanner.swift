import Glibc

/// Splits a byte stream into content lines (RFC 5545, section 3.1): joins folded lines, accepts CRLF, LF or,
/// in a whole file, CR alone, skips blank lines and a byte order mark, repairs broken text.
///
/// `lineLimit` limits its memory: it reads and drops the rest of a longer line.
struct LineScanner {
  /// The reason why a line differs from the file.
  enum Flaw {
    case tooLong, brokenText
  }

  typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

  private let lineLimit: Int
  private var buffer: [UInt8]
  private var position = 0
  private var filled = 0
  private var atEnd = false
  /// The last byte of a line end: LF, or CR in a file that has no other.
  private var lineEnd = UInt8(ascii: "\n")
  /// The number of lines read, including blank and folded ones.
  private(set) var lineNumber = 0
  /// A problem with the file's encoding, if its first bytes show one.
  private(set) var encodingFlaw: String?
  /// The number of bytes read.
  private(set) var bytesRead = 0

  /// The bytes to read at a time.
  static let chunk = 1 << 16

  /// A scanner for a file of `size` bytes, if known.
  init(lineLimit: Int, size: Int? = nil) {
    self.lineLimit = lineLimit
    // A byte order mark has three bytes and must be in the first piece.
    buffer = [UInt8](repeating: 0, count: max(4, min(size ?? LineScanner.chunk, LineScanner.chunk)))
  }

  /// Appends the next content line to `text`; `false` at the end of the file. A line that is too long becomes
  /// empty.
  mutating func next(into text: inout ComponentText, flaw: inout Flaw?, from source: Source) throws -> Bool {
    flaw = nil
    let start = text.bytes.count
    var number = 0
    while true {
      guard try fill(from: source) else { break }
      let first = buffer[position]
      let continues = first == UInt8(ascii: " ") || first == UInt8(ascii: "\t")
      if number != 0 {
        guard continues else { break }
        position += 1
      } else if continues {
        // White space before a line that does not continue another.
        position += 1
        continue
      } else {
        number = lineNumber + 1
      }
      try appendPhysicalLine(to: &text.bytes, from: start, flaw: &flaw, source)
      // Skip a blank line. A content line may follow, folded or not.
      if text.bytes.count == start && flaw == nil { number = 0 }
    }
    guard number != 0 else { return false }
    if flaw == .tooLong {
      text.bytes.removeSubrange(start...)
    } else if LineScanner.repair(&text.bytes, from: start) {
      flaw = .brokenText
    }
    text.lines.append(.init(range: start..<text.bytes.count, number: number))
    text.bytes.append(0)
    return true
  }

  /// Appends the rest of the physical line at `position`, without its line end.
  private mutating func appendPhysicalLine(
    to bytes: inout [UInt8], from start: Int, flaw: inout Flaw?, _ source: Source
  ) throws {
    lineNumber += 1
    var isWhole = false
    while !isWhole, try fill(from: source) {
      let found = buffer.withUnsafeBytes { raw -> Int? in
        guard let base = raw.baseAddress,
          let hit = memchr(base + position, Int32(lineEnd), filled - position)
        else { return nil }
        return UnsafeRawPointer(hit) - base
      }
      let end = found ?? filled
      isWhole = found != nil
      if flaw != .tooLong {
        if end - position > lineLimit - (bytes.count - start) {
          flaw = .tooLong
          bytes.removeSubrange(start...)
        } else {
          bytes.append(contentsOf: buffer[position..<end])
        }
      }
      position = isWhole ? end + 1 : end
    }
    if flaw != .tooLong, bytes.count > start, bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
  }

  /// Ensures that there are bytes at `position`; `false` at the end of the file.
  private mutating func fill(from source: Source) throws -> Bool {
    if position < filled { return true }
    guard !atEnd else { return false }
    let isFirst = bytesRead == 0
    position = 0
    filled = 0
    // Read the first chunk until it can contain a byte order mark. A pipe may deliver single bytes.
    repeat {
      let count = try buffer.withUnsafeMutableBytes {
        try source(UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
      }
      if count <= 0 { atEnd = true }
      filled += max(0, count)
    } while !atEnd && isFirst && filled < 3
    bytesRead += filled
    if isFirst {
      encodingFlaw = LineScanner.encodingFlaw(buffer[..<filled])
      // A CR at the end may be half of a CRLF.
      let isOld =
        !buffer[..<filled].contains(lineEnd) && buffer[..<max(0, filled - 1)].contains(UInt8(ascii: "\r"))
      if isOld { lineEnd = UInt8(ascii: "\r") }
    }
    if isFirst, filled >= 3, buffer[0] == 0xEF, buffer[1] == 0xBB, buffer[2] == 0xBF { position = 3 }
    return try position < filled || fill(from: source)
  }

  private static func encodingFlaw(_ start: ArraySlice<UInt8>) -> String? {
    switch (start.first, start.dropFirst().first) {
    case (0xFE, 0xFF), (0xFF, 0xFE), (0, UInt8(ascii: "B")), (UInt8(ascii: "B"), 0):
      "is in UTF-16, but iCalendar needs UTF-8; convert it with iconv"
    case (0x1F, 0x8B): "is compressed with gzip; decompress it first"
    case (UInt8(ascii: "P"), UInt8(ascii: "K")): "is a ZIP archive; unpack it first"
    default: nil
    }
  }

  /// Replaces control characters and invalid UTF-8 from `start` on by U+FFFD; `false` if there were none.
  private static func repair(_ bytes: inout [UInt8], from start: Int) -> Bool {
    let (isASCII, hasControls) = bytes[start...].withUnsafeBufferPointer { line in
      // Without a branch, so that it checks many bytes at once.
      var union: UInt8 = 0
      var controls: UInt8 = 0
      for byte in line {
        union |= byte
        controls |= (byte < 0x20 ? 1 : 0) & (byte == UInt8(ascii: "\t") ? 0 : 1) | (byte == 0x7F ? 1 : 0)
      }
      return (union < 0x80, controls != 0)
    }
    if isASCII && !hasControls { return false }
    let line = bytes[start...]
    if !hasControls && String(validating: line, as: UTF8.self) != nil { return false }
    let repaired = String(decoding: line, as: UTF8.self).utf8.flatMap { byte -> [UInt8] in
      isControl(byte) ? [0xEF, 0xBF, 0xBD] : [byte]
    }
    bytes.replaceSubrange(start..., with: repaired)
    return true
  }

  /// True for bytes that RFC 5545 forbids in a line.
  private static func isControl(_ byte: UInt8) -> Bool {
    (byte < 0x20 && byte != UInt8(ascii: "\t")) || byte == 0x7F
  }
}

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

/// An open file for sequential reading.
final class InputFile {
  /// Its name in messages.
  let name: String
  private let descriptor: Int32
  private let isStandardInput: Bool

  /// Opens the file at `path`; `-` is standard input, which may be a socket, and sockets can't be opened by
  /// path.
  ///
  /// - Throws: ``ICalendarError`` if the file is missing, not readable, a directory or a device, which may
  ///   have no end.
  init(path: String) throws {
    isStandardInput = path == "-"
    name = isStandardInput ? "standard input" : path
    descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw InputFile.error(name, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, !isStandardInput else { return }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw ICalendarError(file: name, message: "is a directory; name an .ics file in it")
    case S_IFCHR, S_IFBLK: throw ICalendarError(file: name, message: "is a device, not a file")
    default: break
    }
  }

  deinit { if !isStandardInput { close(descriptor) } }

  /// Fills `buffer` with one read and returns the number of bytes, 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw InputFile.error(name, errno) }
    }
  }

  private static func error(_ name: String, _ code: Int32) -> ICalendarError {
    ICalendarError(file: name, message: "can't be read: \(String(cString: strerror(code)))")
  }
}
