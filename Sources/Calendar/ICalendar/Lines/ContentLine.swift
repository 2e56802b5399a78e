/// A content line (RFC 5545, section 3.1): a name, parameters and a value.
///
/// libical's parser is not suitable: 3.0.16 reports no line numbers, drops PROXIMITY, VLOCATION and what it
/// can't read, and keeps no text to write again.
struct ContentLine {
  /// A parameter: its name in upper case and its raw value, with quotes.
  struct Parameter: Hashable {
    var name: String
    var rawValue: String

    /// The value, without quotes and RFC 6868's escapes.
    var value: String { ParameterText.decode(rawValue) }

    /// `NAME=value` unchanged, with quotes added if it would not be readable otherwise.
    var text: String {
      guard rawValue.utf8.contains(where: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":") }) else {
        return "\(name)=\(rawValue)"
      }
      let bytes = Array(rawValue.utf8)
      let isWhole = [UInt8(ascii: ";"), UInt8(ascii: ":")].allSatisfy {
        ContentLine.split(bytes, 0..<bytes.count, at: $0).count == 1
      }
      if isWhole { return "\(name)=\(rawValue)" }
      // Quotes within quotes have another spelling.
      return bytes.contains(UInt8(ascii: "\""))
        ? "\(name)=\(ParameterText.encode(value))" : "\(name)=\"\(rawValue)\""
    }
  }

  /// The bytes that the ranges refer to.
  let bytes: [UInt8]
  /// The line number in the file, counted from 1.
  let number: Int
  /// The whole line.
  let range: Range<Int>
  /// Its name.
  let nameRange: Range<Int>
  /// Its parameters, after the first semicolon; may be empty.
  let parameterRange: Range<Int>
  /// Its value.
  let valueRange: Range<Int>

  /// Parses a line; `nil` if it has no name or no colon.
  init?(_ line: ComponentText.Line, in text: ComponentText) {
    self.init(bytes: text.bytes, range: line.range, number: line.number)
  }

  /// Parses a single line.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(bytes: bytes + [0], range: 0..<bytes.count, number: 0)
  }

  private init?(bytes: [UInt8], range: Range<Int>, number: Int) {
    var nameEnd = range.lowerBound
    while nameEnd < range.upperBound, ContentLine.isNameByte(bytes[nameEnd]) { nameEnd += 1 }
    guard nameEnd > range.lowerBound, nameEnd < range.upperBound else { return nil }
    var colon = nameEnd
    if bytes[nameEnd] == UInt8(ascii: ";") {
      guard let found = ContentLine.firstColon(bytes, in: nameEnd..<range.upperBound) else { return nil }
      colon = found
    } else if bytes[nameEnd] != UInt8(ascii: ":") {
      return nil
    }
    self.init(
      bytes: bytes, number: number, range: range, nameRange: range.lowerBound..<nameEnd, colon: colon)
  }

  private init(bytes: [UInt8], number: Int, range: Range<Int>, nameRange: Range<Int>, colon: Int) {
    self.bytes = bytes
    self.number = number
    self.range = range
    self.nameRange = nameRange
    parameterRange = min(nameRange.upperBound + 1, colon)..<colon
    valueRange = colon + 1..<range.upperBound
  }

  /// The same line, with the value after the colon at `colon`.
  func splitting(at colon: Int) -> ContentLine {
    ContentLine(bytes: bytes, number: number, range: range, nameRange: nameRange, colon: colon)
  }

  /// The name in upper case.
  var name: String { ContentLine.capitals(bytes[nameRange]) }

  /// `name` in upper case. It nearly always is already.
  private static func capitals(_ name: ArraySlice<UInt8>) -> String {
    let text = String(decoding: name, as: UTF8.self)
    return name.contains { $0 >= UInt8(ascii: "a") } ? text.uppercased() : text
  }

  /// The raw value.
  var value: String { String(decoding: bytes[valueRange], as: UTF8.self) }

  /// The value without surrounding blanks. Some programs write blanks around dates, numbers and words, where
  /// they have no meaning. In a TEXT value they have one.
  var word: String { String(decoding: bytes[ContentLine.trimmed(bytes, valueRange)], as: UTF8.self) }

  /// True if there are surrounding blanks.
  var isPadded: Bool { ContentLine.trimmed(bytes, valueRange).count < valueRange.count }

  /// The raw line.
  var text: String { String(decoding: bytes[range], as: UTF8.self) }

  /// Its parameters, in order.
  ///
  /// Apple does not quote semicolons in titles: a part without `=` belongs to the parameter before it.
  var parameters: [Parameter] {
    guard !parameterRange.isEmpty else { return [] }
    var result: [Parameter] = []
    for part in ContentLine.split(bytes, parameterRange, at: UInt8(ascii: ";")) {
      if let equals = bytes[part].firstIndex(of: UInt8(ascii: "=")), equals > part.lowerBound,
        bytes[part.lowerBound..<equals].allSatisfy(ContentLine.isNameByte)
      {
        let name = ContentLine.capitals(bytes[part.lowerBound..<equals])
        let value = String(decoding: bytes[equals + 1..<part.upperBound], as: UTF8.self)
        result.append(Parameter(name: name, rawValue: value))
      } else if !result.isEmpty {
        result[result.count - 1].rawValue += ";" + String(decoding: bytes[part], as: UTF8.self)
      }
    }
    return result
  }

  /// The ranges of the values of a list, without surrounding blanks and empty values.
  var listRanges: [Range<Int>] {
    ContentLine.split(bytes, valueRange, at: UInt8(ascii: ",")).lazy
      .map { ContentLine.trimmed(bytes, $0) }.filter { !$0.isEmpty }
  }

  /// As ``listRanges`` for a list of times, in which some programs write semicolons.
  var timeRanges: [Range<Int>] {
    guard bytes[valueRange].contains(UInt8(ascii: ";")) else { return listRanges }
    return listRanges.flatMap { ContentLine.split(bytes, $0, at: UInt8(ascii: ";")) }
      .map { ContentLine.trimmed(bytes, $0) }.filter { !$0.isEmpty }
  }

  /// `range` without spaces and tabs at either end.
  static func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isBlank(bytes[start]) { start += 1 }
    while start < end, isBlank(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  /// The ranges between separators in `range`. A separator in quotes or after a backslash does not count.
  static func split(_ bytes: [UInt8], _ range: Range<Int>, at separator: UInt8) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    var index = start
    var isQuoted = false
    while index < range.upperBound {
      switch bytes[index] {
      case UInt8(ascii: "\\") where !isQuoted: index += 1
      case UInt8(ascii: "\""): isQuoted.toggle()
      case separator where !isQuoted:
        parts.append(start..<index)
        start = index + 1
      default: break
      }
      index += 1
    }
    parts.append(start..<range.upperBound)
    return parts
  }

  /// The first colon in `range` that is not in quotes and not escaped with a backslash (Apple does that). If
  /// a quote is never closed, the very first colon.
  private static func firstColon(_ bytes: [UInt8], in range: Range<Int>) -> Int? {
    var isQuoted = false
    var index = range.lowerBound
    while index < range.upperBound {
      switch bytes[index] {
      case UInt8(ascii: "\\") where !isQuoted: index += 1
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ":") where !isQuoted: return index
      default: break
      }
      index += 1
    }
    return bytes[range].firstIndex(of: UInt8(ascii: ":"))
  }

  /// True for bytes of names: letters, digits, the hyphen, and the underscore and dot of some programs.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

/// The unfolded content lines of one component in a reusable buffer.
///
/// A zero byte follows each line, so that C functions can read a value in place. There is no other zero byte,
/// and everything is valid UTF-8: `LineScanner` ensures both.
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
