/// Writes content lines (RFC 5545, section 3.1), ended by CRLF and folded after 75 octets, never within a character.
struct LineWriter {
  private static let limit = 75
  private(set) var bytes: [UInt8] = []

  /// The written text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Writes a line without control characters, because they would break it.
  mutating func line(_ line: String) {
    var column = 0
    var line = line
    line.withUTF8 { utf8 in
      if utf8.count <= LineWriter.limit, utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
        bytes.append(contentsOf: utf8)
        return
      }
      // Copied in pieces, because a text can have megabytes.
      var (start, index) = (0, 0)
      func copy() { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index])) }
      while index < utf8.count {
        let byte = utf8[index]
        let width = LineWriter.width(byte)
        if (byte < 0x20 && byte != UInt8(ascii: "\t")) || byte == 0x7F {
          copy()
          index += 1
          start = index
          continue
        }
        if column + width > LineWriter.limit {
          copy()
          start = index
          bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: " ")]
          column = 1
        }
        index = min(index + width, utf8.count)
        column += width
      }
      copy()
    }
    bytes.append(UInt8(ascii: "\r"))
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes lines that are joined by newlines.
  mutating func lines(_ text: String) {
    for part in text.split(separator: "\n") { line(String(part)) }
  }

  /// Clears the buffer.
  mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  /// The number of bytes of the character that starts with `byte`.
  private static func width(_ byte: UInt8) -> Int {
    byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
  }
}
