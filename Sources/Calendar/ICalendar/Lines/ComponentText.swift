/// The unfolded content lines of one component in a reusable buffer.
///
/// A zero byte follows each line, so that C functions can read a value in place. There is no other zero byte, and
/// everything is valid UTF-8: `LineScanner` ensures both.
struct ComponentText {
  /// The position of a content line.
  struct Line {
    /// The bytes of the line in ``ComponentText/bytes``.
    var range: Range<Int>
    /// The line number in the file, counted from 1.
    var number: Int
  }

  var bytes: [UInt8] = []
  var lines: [Line] = []

  /// Clears the buffer for the next component.
  mutating func clear() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
    lines.removeAll(keepingCapacity: lines.capacity <= 1 << 16)
  }

  /// The text in `range`.
  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The lines at `indices`, joined by newlines.
  func joined(_ indices: Range<Int>) -> String {
    indices.map { string(lines[$0].range) }.joined(separator: "\n")
  }
}

/// A component, as lines of a ``ComponentText``.
struct RawComponent {
  /// Its name in upper case, for example `VEVENT`.
  var name: String
  /// Its lines, from BEGIN to END.
  var lines: Range<Int>
  /// The indices of the lines of its own properties.
  var properties: [Int] = []
  /// The components inside it.
  var children: [RawComponent] = []
}
