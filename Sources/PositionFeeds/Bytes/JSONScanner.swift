/// Walks over one JSON text (RFC 8259), value by value, without building anything.
///
/// The caller asks for what it expects and passes over the rest; where the text is not JSON, ``isBroken`` turns
/// true and nothing more comes. Values nest up to 64 deep.
struct JSONScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position: Int
  private var isFirstMember = false
  /// True once the text turned out to be no JSON.
  private(set) var isBroken = false

  /// A scanner at `start` of `bytes`.
  init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) {
    self.bytes = bytes
    position = start
  }

  // MARK: Structure

  /// Enters an object. False, and in place, where something else stands there.
  mutating func beginObject() -> Bool {
    skipBlanks()
    guard take(0x7B) else { return false }
    isFirstMember = true
    return true
  }

  /// The next key of the object, with the scanner at its value. `nil` at the end of the object, which is passed.
  mutating func nextKey() -> JSONText? {
    if isBroken { return nil }
    skipBlanks()
    if take(0x7D) {
      isFirstMember = false
      return nil
    }
    if !isFirstMember {
      guard take(0x2C) else { return fail() }
      skipBlanks()
    }
    isFirstMember = false
    guard let key = quoted() else { return fail() }
    skipBlanks()
    guard take(0x3A) else { return fail() }
    skipBlanks()
    return key
  }

  /// Enters an object; where something else stands there, passes over it and says false.
  mutating func enterObject() -> Bool {
    if beginObject() { return true }
    skipValue()
    return false
  }

  /// Enters an array; where something else stands there, passes over it and says false.
  mutating func enterArray() -> Bool {
    skipBlanks()
    guard take(0x5B) else {
      skipValue()
      return false
    }
    isFirstMember = true
    return true
  }

  /// Whether another element of the array comes, with the scanner at it. At the end of the array, that is passed.
  mutating func nextElement() -> Bool {
    if isBroken { return false }
    skipBlanks()
    if take(0x5D) {
      isFirstMember = false
      return false
    }
    if !isFirstMember {
      guard take(0x2C) else {
        isBroken = true
        return false
      }
      skipBlanks()
    }
    isFirstMember = false
    return true
  }

  /// Whether nothing but blanks is left.
  mutating func isAtEnd() -> Bool {
    skipBlanks()
    return position == bytes.count
  }

  // MARK: Values

  /// The number that comes, also where it stands in quotes; `nil`, and passed over, where it is something else.
  mutating func number() -> Double? {
    if position < bytes.count, bytes[position] == ASCII.quote {
      return quoted()?.withBytes { DecimalNumber.parse($0.span) }
    }
    let start = position
    skipValue()
    return DecimalNumber.parse(UnsafeBufferPointer(rebasing: bytes[start..<position]).span)
  }

  /// The text that comes; `nil`, and passed over, where it is something else.
  mutating func string() -> JSONText? {
    guard position < bytes.count, bytes[position] == ASCII.quote else {
      skipValue()
      return nil
    }
    return quoted()
  }

  /// The text that comes, as ``string()``, or what else it is, as written, unless it is an object or an array.
  mutating func scalar() -> JSONText? {
    guard position < bytes.count else {
      skipValue()
      return nil
    }
    switch bytes[position] {
    case ASCII.quote: return quoted()
    case 0x7B, 0x5B:
      skipValue()
      return nil
    default:
      let start = position
      skipValue()
      let text = JSONText(UnsafeBufferPointer(rebasing: bytes[start..<min(position, bytes.count)]))
      return text == "null" ? nil : text
    }
  }

  /// Passes over the value that comes, whatever is in it.
  mutating func skipValue() {
    // One bit a level: 1 within an object.
    var levels: UInt64 = 0
    var depth = 0
    repeat {
      skipBlanks()
      guard position < bytes.count else { return isBroken = true }
      switch bytes[position] {
      case 0x7B, 0x5B:
        guard depth < 64 else { return isBroken = true }
        levels = levels << 1 | (bytes[position] == 0x7B ? 1 : 0)
        depth += 1
        position += 1
        if closes(levels) {
          levels >>= 1
          depth -= 1
        } else {
          if levels & 1 == 1 && !skipKey() { return isBroken = true }
          continue
        }
      case ASCII.quote: if quoted() == nil { return isBroken = true }
      default: if !skipScalar() { return isBroken = true }
      }
      // After a value: the ends of what it was the last of, or a comma.
      while depth > 0 {
        if closes(levels) {
          levels >>= 1
          depth -= 1
        } else {
          guard take(0x2C), levels & 1 == 0 || skipKey() else { return isBroken = true }
          break
        }
      }
    } while depth > 0
  }

  // MARK: Bytes

  private mutating func fail() -> JSONText? {
    isBroken = true
    return nil
  }

  @inline(__always)
  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  @inline(__always)
  private mutating func skipBlanks() {
    while position < bytes.count, ASCII.isBlank(bytes[position]) { position += 1 }
  }

  /// Passes over the bracket that closes the innermost level of `levels`, where it comes.
  private mutating func closes(_ levels: UInt64) -> Bool {
    skipBlanks()
    return take(levels & 1 == 1 ? 0x7D : 0x5D)
  }

  private mutating func skipKey() -> Bool {
    skipBlanks()
    guard quoted() != nil else { return false }
    skipBlanks()
    return take(0x3A)
  }

  /// The text between the quotes that come.
  private mutating func quoted() -> JSONText? {
    guard take(ASCII.quote) else { return nil }
    let start = position
    var hasEscapes = false
    while position < bytes.count {
      switch bytes[position] {
      case ASCII.quote:
        position += 1
        return JSONText(
          UnsafeBufferPointer(rebasing: bytes[start..<position - 1]), hasEscapes: hasEscapes)
      case ASCII.backslash:
        hasEscapes = true
        position += 2
      default: position += 1
      }
    }
    position = bytes.count
    return fail()
  }

  /// Passes over a number, `true`, `false` or `null`.
  private mutating func skipScalar() -> Bool {
    let start = position
    while position < bytes.count, !ASCII.isBlank(bytes[position]) {
      switch bytes[position] {
      case 0x2C, 0x5D, 0x7D: return isScalar(start..<position)
      default: position += 1
      }
    }
    return isScalar(start..<position)
  }

  private func isScalar(_ range: Range<Int>) -> Bool {
    let value = UnsafeBufferPointer(rebasing: bytes[range])
    return DecimalNumber.parse(value.span) != nil || value.elementsEqual("true".utf8)
      || value.elementsEqual("false".utf8) || value.elementsEqual("null".utf8)
  }
}
