import FencepostAlgorithms

/// The fields of one line of separated values, in order (RFC 4180, line by line).
///
/// A field in quotes may hold the separator. A quote that is still open ends with the line, so a line break within
/// quotes breaks one row, not the rest of the file.
struct CSVFields {
  private let line: UnsafeBufferPointer<UInt8>
  private let separator: UInt8
  private var position = 0

  init(line: UnsafeBufferPointer<UInt8>, separator: UInt8) {
    self.line = line
    self.separator = separator
  }

  /// The next field, without its outer quotes and with doubled quotes still doubled; `nil` after the last.
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

  /// The field with its opening quote before `start`.
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

  /// The range of `field` without the blanks, and the zero bytes that loggers pad with, at either end.
  @inline(__always)
  static func trimmed(_ field: Span<UInt8>) -> Range<Int> {
    var start = 0
    var end = field.count
    while start < end, isPadding(field[start]) { start += 1 }
    while end > start, isPadding(field[end - 1]) { end -= 1 }
    return start..<end
  }

  /// Whether `byte` is a blank or a zero byte.
  @inline(__always)
  static func isPadding(_ byte: UInt8) -> Bool { ASCII.isBlank(byte) || byte == 0 }

  /// The text of a field, without blanks at its ends and with doubled quotes made single.
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
