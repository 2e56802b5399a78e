/// The content lines of one component as they stand in the file, unfolded, in one buffer that is used again
/// for the next component.
///
/// Each line is followed by a zero byte, so that a value can be handed to C as it stands. There is no other
/// zero byte in it, and all of it is valid UTF-8: `LineScanner` sees to both.
struct ComponentText {
  /// Where one content line stands.
  struct Line {
    /// Its bytes in ``ComponentText/bytes``.
    var range: Range<Int>
    /// The line of the file on which it begins, counted from 1.
    var number: Int
  }

  var bytes: [UInt8] = []
  var lines: [Line] = []

  /// Makes room for the next component.
  mutating func clear() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
    lines.removeAll(keepingCapacity: lines.capacity <= 1 << 16)
  }

  /// The text of `range`.
  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The lines at `indices`, joined by newlines.
  func joined(_ indices: Range<Int>) -> String {
    indices.map { string(lines[$0].range) }.joined(separator: "\n")
  }
}

/// A component by where its lines stand in a ``ComponentText``.
struct RawComponent {
  /// Its name in upper case, such as `VEVENT`.
  var name: String
  /// Its lines, from BEGIN to END.
  var lines: Range<Int>
  /// The indices of its own properties' lines.
  var properties: [Int] = []
  /// The components in it.
  var children: [RawComponent] = []
}
