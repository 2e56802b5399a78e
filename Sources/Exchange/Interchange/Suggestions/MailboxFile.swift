import FencepostSystem
import Glibc

/// A file with many mails: mbox, as Thunderbird's folders and exports are.
///
/// A mail begins with a line `From …` at the start of the file or after an empty line. Only as much as one mail
/// and a block is in memory.
struct MailboxFile {
  /// A longer mail is left out, in bytes.
  private static let maximumMail = 32 << 20
  private static let block = 1 << 20
  private static let start = Array("From ".utf8)

  /// True if these bytes begin like such a file.
  static func isMailbox(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: start) }

  /// True if the file at `path` begins like one.
  static func isMailbox(at path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: start.count)
    return pread(file, &bytes, bytes.count, 0) == bytes.count && bytes == start
  }

  /// Calls `body` with each mail of the file at `path`, in order, and with the part of the file that is read,
  /// in bytes.
  static func forEachMail(at path: String, _ body: ([UInt8], Int) throws -> Void) throws {
    let action = "read '\(path)'"
    let file = try SystemFailure.check(open(path, O_RDONLY | O_CLOEXEC), action)
    defer { close(file) }
    var mails = MailboxFile()
    var buffer = [UInt8](repeating: 0, count: block)
    var read = 0
    while true {
      let count = try DescriptorIO.read(file, into: &buffer)
      read += count
      if count == 0 { break }
      try mails.add(buffer[..<count]) { try body($0, read) }
    }
    try mails.finish { try body($0, read) }
  }

  /// Calls `body` with each mail in the bytes of such a file.
  static func forEachMail(in bytes: [UInt8], _ body: ([UInt8]) throws -> Void) throws {
    var mails = MailboxFile()
    try mails.add(bytes[...], body)
    try mails.finish(body)
  }

  private var pending: [UInt8] = []
  /// How far `pending` was searched for the next mail.
  private var searched = 0

  private mutating func add(_ bytes: ArraySlice<UInt8>, _ body: ([UInt8]) throws -> Void) throws {
    pending += bytes
    var first = 0
    while let next = Self.nextMail(in: pending, from: max(searched, first + 1)) {
      try Self.pass(pending[first..<next], body)
      (first, searched) = (next, next + 1)
    }
    if first > 0 { pending.removeFirst(first) }
    // A line that is cut here may begin a mail.
    searched = max(pending.count - 200, 0)
    if pending.count > Self.maximumMail + 2 * Self.block {
      pending.removeSubrange(Self.maximumMail + 1..<pending.count - 200)
      searched = Self.maximumMail
    }
  }

  private mutating func finish(_ body: ([UInt8]) throws -> Void) throws {
    if !pending.isEmpty { try Self.pass(pending[...], body) }
    pending = []
  }

  /// Passes a mail on without its first line, unless Thunderbird marks it as deleted.
  private static func pass(_ mail: ArraySlice<UInt8>, _ body: ([UInt8]) throws -> Void) throws {
    guard mail.count <= maximumMail, let end = mail.firstIndex(of: 0x0A) else { return }
    let content = mail[(end + 1)...]
    if !isDeleted(content.prefix(400)) { try body(Array(content)) }
  }

  /// Bit 3 of `X-Mozilla-Status`, which is among the first lines.
  private static func isDeleted(_ head: ArraySlice<UInt8>) -> Bool {
    let name = "X-Mozilla-Status: "
    for line in head.split(separator: 0x0A).prefix(4) where line.starts(with: name.utf8) {
      let digits = String(decoding: line.dropFirst(name.utf8.count).prefix(4), as: UTF8.self)
      return UInt16(digits, radix: 16).map { $0 & 8 != 0 } ?? false
    }
    return false
  }

  /// Where the next mail begins: at a line `From …` with a time of day or a year at its end, after an empty
  /// line.
  private static func nextMail(in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBytes { buffer -> Int? in
      guard let base = buffer.baseAddress else { return nil }
      var position = start
      while position < buffer.count,
        let found = memchr(base + position, 0x0A, buffer.count - position)
      {
        let line = base.distance(to: UnsafeRawPointer(found)) + 1
        position = line
        guard line + 5 <= buffer.count, memcmp(base + line, "From ", 5) == 0 else { continue }
        guard let end = buffer[line...].firstIndex(of: 0x0A) else { return nil }
        let isAfterEmptyLine =
          line >= 2
          && (buffer[line - 2] == 0x0A || line >= 3 && buffer[line - 2] == 0x0D && buffer[line - 3] == 0x0A)
        let text = buffer[line..<end].suffix(12)
        if isAfterEmptyLine, text.count(where: { (0x30...0x39).contains($0) }) >= 4 { return line }
      }
      return nil
    }
  }
}
