import Algorithms

/// The fields of one line of separated values, one after the other (RFC 4180, line by line).
///
/// A field in quotes may hold the separator. One that is not closed by the end of the line ends there: a line
/// break within quotes breaks the row, not the rest of the file.
struct CSVFields {
  private let line: UnsafeBufferPointer<UInt8>
  private let separator: UInt8
  private var position = 0

  init(line: UnsafeBufferPointer<UInt8>, separator: UInt8) {
    self.line = line
    self.separator = separator
  }

  /// The next field, without the quotes around it, doubled quotes still doubled; `nil` after the last.
  @inline(__always)
  mutating func next() -> UnsafeBufferPointer<UInt8>? {
    guard position <= line.count else { return nil }
    let start = position
    if start < line.count, line[start] == ASCII.quote { return quoted(from: start + 1) }
    var end = start
    while end < line.count, line[end] != separator { end += 1 }
    position = end + 1
    return UnsafeBufferPointer(rebasing: line[start..<end])
  }

  /// The field whose opening quote stands before `start`.
  private mutating func quoted(from start: Int) -> UnsafeBufferPointer<UInt8> {
    var end = start
    while end < line.count {
      if line[end] == ASCII.quote {
        guard end + 1 < line.count, line[end + 1] == ASCII.quote else { break }
        end += 1
      }
      end += 1
    }
    let field = UnsafeBufferPointer(rebasing: line[start..<min(end, line.count)])
    while end < line.count, line[end] != separator { end += 1 }
    position = end + 1
    return field
  }

  /// The indices of `field` without blanks at either end, and without the zeros that loggers pad fields with.
  @inline(__always)
  static func trimmed(_ field: Span<UInt8>) -> Range<Int> {
    var start = 0
    var end = field.count
    while start < end, isPadding(field[start]) { start += 1 }
    while end > start, isPadding(field[end - 1]) { end -= 1 }
    return start..<end
  }

  /// True for a blank and for zero.
  @inline(__always)
  static func isPadding(_ byte: UInt8) -> Bool { ASCII.isBlank(byte) || byte == 0 }

  /// The text of a field: blanks at its ends gone, doubled quotes single.
  static func text(of field: UnsafeBufferPointer<UInt8>) -> String {
    let range = trimmed(field.span)
    guard field[range].contains(ASCII.quote) else { return String(decoding: field[range], as: UTF8.self) }
    var text: [UInt8] = []
    var isDoubled = false
    for byte in field[range] {
      isDoubled = byte == ASCII.quote && !isDoubled
      if !isDoubled || byte != ASCII.quote { text.append(byte) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
