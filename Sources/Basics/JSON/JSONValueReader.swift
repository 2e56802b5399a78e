import FencepostAlgorithms

extension JSONValue {
  /// Parses all of `text`. This is strict, unlike the lenient reading of traces: numbers and escapes follow
  /// RFC 8259, and keys are unique.
  ///
  /// - Parameters:
  ///   - text: JSON in UTF-8, with `/* … */` and `// …` as comments. A comma may follow the last value of a list or
  ///     an object.
  ///   - maxDepth: The maximum depth of nested arrays and objects.
  public init(readingCommented text: [UInt8], maxDepth: Int) throws(JSONFailure) {
    try self.init(reading: try JSONValueReader.withoutComments(text), maxDepth: maxDepth)
  }

  /// Parses all of `text`, as strictly and without comments.
  ///
  /// - Parameters:
  ///   - text: JSON in UTF-8.
  ///   - maxDepth: The maximum depth of nested arrays and objects.
  public init(reading text: [UInt8], maxDepth: Int) throws(JSONFailure) {
    self = try text.withUnsafeBufferPointer { bytes throws(JSONFailure) in
      var reader = JSONValueReader(bytes, maxDepth: maxDepth)
      return try reader.document()
    }
  }

  /// The values in careless JSON, which web pages and mails often have.
  ///
  /// Accepts comments, missing and surplus commas, raw control characters in strings, single quotes, words
  /// without quotes, unclosed brackets, duplicate keys (all are kept), and several values in sequence.
  /// Invalid UTF-8 is replaced.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - maxDepth: The maximum depth of nested arrays and objects.
  /// - Returns: The top-level values, in order.
  public static func values(inCareless text: [UInt8], maxDepth: Int) throws(JSONFailure) -> [JSONValue] {
    var repair = JSONRepair(text, maxDepth: maxDepth + 1)
    let json = try repair.list()
    let list = try json.withUnsafeBufferPointer { bytes throws(JSONFailure) in
      var reader = JSONValueReader(bytes, maxDepth: maxDepth + 1, allowsRepeatedKeys: true)
      return try reader.document()
    }
    guard case .list(let values) = list.content else { return [] }
    return values
  }
}

/// Builds values with a scanner, and counts lines.
private struct JSONValueReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let maxDepth: Int
  private let allowsRepeatedKeys: Bool
  private var scanner: JSONScanner
  /// The offset up to which lines were counted, and the line there.
  private var counted = (offset: 0, line: 1)

  init(_ bytes: UnsafeBufferPointer<UInt8>, maxDepth: Int, allowsRepeatedKeys: Bool = false) {
    self.bytes = bytes
    self.maxDepth = maxDepth
    self.allowsRepeatedKeys = allowsRepeatedKeys
    scanner = JSONScanner(bytes)
  }

  mutating func document() throws(JSONFailure) -> JSONValue {
    if let offset = Self.endOfUTF8(bytes) {
      throw JSONFailure(line: 1 + bytes[..<offset].count { $0 == 0x0A }, complaint: "this is not UTF-8")
    }
    let value = try value(depth: 0)
    guard scanner.isAtEnd() else { throw broken("nothing may follow the value") }
    return value
  }

  private mutating func value(depth: Int) throws(JSONFailure) -> JSONValue {
    let first = scanner.firstByte()
    let line = line()
    guard depth < maxDepth || (first != 0x7B && first != 0x5B) else {
      throw JSONFailure(line: line, complaint: "lists and objects are nested too deeply")
    }
    let content: JSONValue.Content
    switch first {
    case 0x7B: content = .object(try members(depth: depth))
    case 0x5B: content = .list(try elements(depth: depth))
    case 0x22: content = .text(try string(scanner.string()))
    case nil: throw broken("it ends too early")
    default: content = try scalar()
    }
    return JSONValue(line: line, content: content)
  }

  private mutating func members(depth: Int) throws(JSONFailure) -> [JSONMember] {
    var members: [JSONMember] = []
    var keys: Set<String> = []
    _ = scanner.enterObject()
    while let key = scanner.nextKey() {
      let line = line()
      let name = try string(key)
      guard keys.insert(name).inserted || allowsRepeatedKeys else {
        throw JSONFailure(line: line, complaint: "'\(name)' is given twice")
      }
      members.append(JSONMember(key: name, line: line, value: try value(depth: depth + 1)))
    }
    if scanner.isBroken { throw broken("here belongs a key in quotes, a colon, a comma or '}'") }
    return members
  }

  private mutating func elements(depth: Int) throws(JSONFailure) -> [JSONValue] {
    var elements: [JSONValue] = []
    _ = scanner.enterArray()
    while scanner.nextElement() { elements.append(try value(depth: depth + 1)) }
    if scanner.isBroken { throw broken("here belongs a value, a comma or ']'") }
    return elements
  }

  private mutating func string(_ text: JSONText?) throws(JSONFailure) -> String {
    guard let text else { throw broken("a text has no closing quote") }
    guard text.written.allSatisfy({ $0 >= 0x20 }) else {
      throw broken("a text has a line end or another control character in it")
    }
    guard text.hasKnownEscapes else {
      throw broken("a text has a backslash with nothing behind it that JSON knows")
    }
    guard allowsRepeatedKeys || !text.hasLoneSurrogate else {
      throw broken("a text has half of a surrogate pair")
    }
    return text.string
  }

  private mutating func scalar() throws(JSONFailure) -> JSONValue.Content {
    let start = scanner.position
    scanner.skipValue()
    if scanner.isBroken { throw broken("here belongs a value") }
    let written = bytes[start..<scanner.position]
    switch String(decoding: written, as: UTF8.self) {
    case "true": return .flag(true)
    case "false": return .flag(false)
    case "null": return .null
    case let number where Self.isStrict(written): return .number(number)
    case let number: throw broken("'\(number)' is not how JSON writes a number")
    }
  }

  /// Whether a number has no `+`, no leading zeros, and digits on both sides of its point.
  private static func isStrict(_ number: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let digits = number.first == ASCII.minus ? number.dropFirst() : number
    guard let first = digits.first, ASCII.isDigit(first) else { return false }
    if first == 0x30, let second = digits.dropFirst().first, ASCII.isDigit(second) { return false }
    guard let point = digits.firstIndex(of: ASCII.point) else { return true }
    return digits[(point + 1)...].first.map(ASCII.isDigit) ?? false
  }

  // MARK: Lines

  /// The scanner's line.
  private mutating func line() -> Int {
    let end = min(scanner.position, bytes.count)
    if end > counted.offset {
      counted.line += bytes[counted.offset..<end].count { $0 == 0x0A }
      counted.offset = end
    }
    return counted.line
  }

  private mutating func broken(_ reason: String) -> JSONFailure {
    JSONFailure(line: line(), column: column(), complaint: "invalid JSON: \(reason)")
  }

  /// The scanner's column in its line, in letters.
  private func column() -> Int {
    let end = min(scanner.position, bytes.count)
    let start = bytes[..<end].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return String(decoding: bytes[start..<end], as: UTF8.self).count + 1
  }

  /// The index of the first invalid UTF-8; `nil` if all is valid.
  private static func endOfUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    do {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }

  /// `text` with blanks in place of comments, and of a comma after the last value of a list or an object. Line
  /// ends stay.
  static func withoutComments(_ text: [UInt8]) throws(JSONFailure) -> [UInt8] {
    var json = text
    var index = 0
    // The last comma if only blanks and comments came after it, and whether a value is before it.
    var comma: Int?
    var followsValue = false
    while index < json.count {
      switch (json[index], index + 1 < json.count ? json[index + 1] : 0) {
      case (ASCII.quote, _):
        (comma, followsValue) = (nil, true)
        index += 1
        while index < json.count, json[index] != ASCII.quote {
          index += json[index] == ASCII.backslash ? 2 : 1
        }
        index += 1
      case (ASCII.slash, ASCII.slash):
        while index < json.count, json[index] != 0x0A {
          json[index] = ASCII.space
          index += 1
        }
      case (ASCII.slash, ASCII.asterisk):
        let line = 1 + json[..<index].count { $0 == 0x0A }
        var last: UInt8 = 0
        var end = index + 2
        while end < json.count, !(last == ASCII.asterisk && json[end] == ASCII.slash) {
          last = json[end]
          end += 1
        }
        guard end < json.count else { throw JSONFailure(line: line, complaint: "a comment has no end") }
        for place in index...end where json[place] != 0x0A { json[place] = ASCII.space }
        index = end + 1
      case (ASCII.comma, _):
        (comma, followsValue) = (followsValue ? index : nil, false)
        index += 1
      case (0x7D, _), (0x5D, _):
        if let comma { json[comma] = ASCII.space }
        (comma, followsValue) = (nil, true)
        index += 1
      case (0x09, _), (0x0A, _), (0x0D, _), (ASCII.space, _): index += 1
      case (0x7B, _), (0x5B, _), (0x3A, _):
        (comma, followsValue) = (nil, false)
        index += 1
      default:
        (comma, followsValue) = (nil, true)
        index += 1
      }
    }
    return json
  }
}
