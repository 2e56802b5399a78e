import FencepostAlgorithms

/// Rewrites careless JSON as one strict array of its values, so that one reader reads both.
///
/// One pass over the bytes. Line ends stay outside of strings, so that values keep their lines.
struct JSONRepair {
  private let text: [UInt8]
  private let maxDepth: Int
  private var position = 0
  private var json: [UInt8] = [0x5B]
  /// The closing brackets of the open ones, innermost last; and the number of open arrays.
  private var open: [UInt8] = [0x5D]
  private var openLists = 1
  private var awaited = Awaited.value

  /// What the grammar expects next.
  private enum Awaited {
    /// A value of an array or a key of an object, without a comma before it.
    case value
    /// The value of a key.
    case valueOfKey
    /// A comma or a closing bracket.
    case comma
  }

  init(_ text: [UInt8], maxDepth: Int) {
    self.text = Array(String(decoding: text, as: UTF8.self).utf8)
    self.maxDepth = maxDepth
    json.reserveCapacity(text.count + 16)
  }

  /// The values as an array in strict JSON.
  mutating func list() throws(JSONFailure) -> [UInt8] {
    while position < text.count {
      let byte = text[position]
      switch byte {
      case 0x0A:
        json.append(byte)
        position += 1
      case ASCII.lessThan where skipMark(), ASCII.minus where skipMark(), 0x5D where skipMark(): break
      case 0x7B: try begin(closing: 0x7D)
      case 0x5B: try begin(closing: 0x5D)
      case 0x7D, 0x5D: end(byte)
      case 0x2C where awaited == .valueOfKey: addNull()
      case 0x2C: position += 1
      case ASCII.quote, 0x27: addText(closing: byte)
      case ASCII.slash where skipComment(): break
      case 0...ASCII.space, 0x3A, 0x3B: position += 1
      default: addWord()
      }
    }
    while let last = open.last { close(last) }
    return json
  }

  // MARK: Structure

  private var isInObject: Bool { open.last == 0x7D }

  /// Writes the comma or colon before the next value.
  private mutating func beginValue() {
    if awaited == .comma { json.append(0x2C) }
  }

  /// Records that a key or a value was written.
  private mutating func endValue() {
    if isInObject && awaited != .valueOfKey {
      json.append(0x3A)
      awaited = .valueOfKey
    } else {
      awaited = .comma
    }
  }

  private mutating func begin(closing: UInt8) throws(JSONFailure) {
    guard open.count < maxDepth else {
      throw JSONFailure(
        line: 1 + text[..<position].count { $0 == 0x0A }, complaint: "lists and objects are nested too deeply"
      )
    }
    // In place of a key, an object lost its key, or the object around it was not closed.
    while isInObject && awaited != .valueOfKey { close(0x7D) }
    beginValue()
    json.append(closing == 0x7D ? 0x7B : 0x5B)
    open.append(closing)
    if closing == 0x5D { openLists += 1 }
    awaited = .value
    position += 1
  }

  /// Closes the bracket for `byte`, and open ones within it. Skips `byte` if it closes nothing.
  private mutating func end(_ byte: UInt8) {
    position += 1
    let count = byte == 0x5D ? openLists - 1 : open.count - openLists
    guard count > 0 else { return }
    while let last = open.last {
      close(last)
      if last == byte { return }
    }
  }

  private mutating func close(_ bracket: UInt8) {
    if awaited == .valueOfKey { json.append(contentsOf: "null".utf8) }
    json.append(bracket)
    open.removeLast()
    if bracket == 0x5D { openLists -= 1 }
    awaited = .comma
  }

  // MARK: Values

  private mutating func addNull() {
    json.append(contentsOf: "null".utf8)
    awaited = .comma
    position += 1
  }

  /// Adds a string, with JSON's required escapes.
  private mutating func addText(closing quote: UInt8) {
    beginValue()
    json.append(ASCII.quote)
    position += 1
    scan: while position < text.count {
      let byte = text[position]
      position += 1
      switch byte {
      case quote: break scan
      case ASCII.quote: json.append(contentsOf: "\\\"".utf8)
      case ASCII.backslash: addEscape()
      case 0..<ASCII.space: json.append(contentsOf: byte == 0x0A ? "\\n".utf8 : " ".utf8)
      default: json.append(byte)
      }
    }
    json.append(ASCII.quote)
    endValue()
  }

  /// Adds the escape after a backslash. An unknown one becomes its character.
  private mutating func addEscape() {
    guard position < text.count else { return }
    let escape = text[position]
    position += 1
    switch escape {
    case 0x75 where text[position...].prefix(4).count { ASCII.hexadecimal($0) != nil } == 4,
      ASCII.quote, ASCII.backslash, ASCII.slash, 0x62, 0x66, 0x6E, 0x72, 0x74:
      json.append(contentsOf: [ASCII.backslash, escape])
    case 0x0A: json.append(contentsOf: "\\n".utf8)
    case 0..<ASCII.space: json.append(ASCII.space)
    default: json.append(escape)
    }
  }

  /// Adds a number, `true`, `false`, `null`, or a word without quotes.
  private mutating func addWord() {
    beginValue()
    let start = position
    while position < text.count, !isEndOfWord(text[position]) { position += 1 }
    let word = text[start..<position]
    let isPlain = !(isInObject && awaited != .valueOfKey) && Self.isScalar(word)
    if isPlain {
      json.append(contentsOf: word)
    } else {
      json.append(ASCII.quote)
      for byte in word where byte != ASCII.quote && byte != ASCII.backslash { json.append(byte) }
      json.append(ASCII.quote)
    }
    endValue()
  }

  private func isEndOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...ASCII.space, 0x2C, 0x3A, 0x3B, 0x5B, 0x5D, 0x7B, 0x7D, ASCII.quote: true
    default: false
    }
  }

  /// Whether strict JSON allows `word` without quotes: its literals, and numbers without leading zeros or a
  /// plus sign.
  private static func isScalar(_ word: ArraySlice<UInt8>) -> Bool {
    if ["true", "false", "null"].contains(where: { word.elementsEqual($0.utf8) }) { return true }
    let digits = word.first == ASCII.minus ? word.dropFirst() : word
    guard let first = digits.first, ASCII.isDigit(first), ASCII.isDigit(digits.last ?? 0) else {
      return false
    }
    if first == 0x30, digits.count > 1, digits.dropFirst().first != ASCII.point { return false }
    let points = digits.count { $0 == ASCII.point }
    return points <= 1 && digits.allSatisfy { ASCII.isDigit($0) || $0 == ASCII.point }
  }

  // MARK: Not JSON

  /// Skips the next comment; returns false, without moving, if there is none.
  private mutating func skipComment() -> Bool {
    guard position + 1 < text.count else { return false }
    switch text[position + 1] {
    case ASCII.slash:
      while position < text.count, text[position] != 0x0A { position += 1 }
      return true
    case ASCII.asterisk:
      position += 2
      while position < text.count {
        if text[position] == 0x0A { json.append(0x0A) }
        position += 1
        if text[position - 1] == ASCII.asterisk, position < text.count, text[position] == ASCII.slash {
          break
        }
      }
      position = min(position + 1, text.count)
      return true
    default: return false
    }
  }

  /// Skips the marks that hide a script from old browsers: `<!--`, `-->` and those of CDATA.
  private mutating func skipMark() -> Bool {
    let marks = ["<!--", "-->", "<![CDATA[", "]]>"]
    guard let mark = marks.first(where: { text[position...].starts(with: $0.utf8) }) else { return false }
    position += mark.utf8.count
    return true
  }
}
