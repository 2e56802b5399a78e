public import Algorithms

/// Walks over one JSON text (RFC 8259), value by value, without building anything.
///
/// The caller asks for what it expects and passes over the rest; where the text is not JSON, ``isBroken`` turns
/// true and nothing more comes. Values nest up to 64 deep.
public struct JSONScanner {
  @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
  /// The index of the byte that is read next.
  @inlinable public var position: Int { offset }
  @usableFromInline var offset: Int
  @usableFromInline var isFirstMember = false
  /// True once the text turned out to be no JSON.
  @inlinable public var isBroken: Bool { hasFailed }
  @usableFromInline var hasFailed = false

  /// A scanner at `start` of `bytes`.
  @inlinable
  public init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) {
    self.bytes = bytes
    offset = start
  }

  // MARK: Structure

  /// Enters an object. False, and in place, where something else stands there.
  @inlinable
  public mutating func beginObject() -> Bool {
    skipBlanks()
    guard take(0x7B) else { return false }
    isFirstMember = true
    return true
  }

  /// The next key of the object, with the scanner at its value. `nil` at the end of the object, which is passed.
  @inlinable
  public mutating func nextKey() -> JSONText? {
    if hasFailed { return nil }
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
  @inlinable
  public mutating func enterObject() -> Bool {
    if beginObject() { return true }
    skipValue()
    return false
  }

  /// Enters an array; where something else stands there, passes over it and says false.
  @inlinable
  public mutating func enterArray() -> Bool {
    skipBlanks()
    guard take(0x5B) else {
      skipValue()
      return false
    }
    isFirstMember = true
    return true
  }

  /// Whether another element of the array comes, with the scanner at it. At the end of the array, that is passed.
  @inlinable
  public mutating func nextElement() -> Bool {
    if hasFailed { return false }
    skipBlanks()
    if take(0x5D) {
      isFirstMember = false
      return false
    }
    if !isFirstMember {
      guard take(0x2C) else {
        hasFailed = true
        return false
      }
      skipBlanks()
    }
    isFirstMember = false
    return true
  }

  /// Whether nothing but blanks is left.
  @inlinable
  public mutating func isAtEnd() -> Bool {
    skipBlanks()
    return offset == bytes.count
  }

  // MARK: Values

  /// The byte with which the next value begins; `nil` at the end.
  @inlinable
  public mutating func firstByte() -> UInt8? {
    skipBlanks()
    return offset < bytes.count ? bytes[offset] : nil
  }

  /// The number that comes, also where it stands in quotes; `nil`, and passed over, where it is something else.
  @inlinable
  public mutating func number() -> Double? {
    if offset < bytes.count, bytes[offset] == ASCII.quote {
      return quoted()?.withBytes { DecimalNumber.parse($0.span) }
    }
    let start = offset
    skipValue()
    return DecimalNumber.parse(UnsafeBufferPointer(rebasing: bytes[start..<offset]).span)
  }

  /// The text that comes; `nil`, and passed over, where it is something else.
  @inlinable
  public mutating func string() -> JSONText? {
    guard offset < bytes.count, bytes[offset] == ASCII.quote else {
      skipValue()
      return nil
    }
    return quoted()
  }

  /// The text that comes, as ``string()``, or what else it is, as written, unless it is an object or an array.
  public mutating func scalar() -> JSONText? {
    guard offset < bytes.count else {
      skipValue()
      return nil
    }
    switch bytes[offset] {
    case ASCII.quote: return quoted()
    case 0x7B, 0x5B:
      skipValue()
      return nil
    default:
      let start = offset
      skipValue()
      let text = JSONText(UnsafeBufferPointer(rebasing: bytes[start..<min(offset, bytes.count)]))
      return text == "null" ? nil : text
    }
  }

  /// Passes over the value that comes, whatever is in it.
  public mutating func skipValue() {
    // One bit a level: 1 within an object.
    var levels: UInt64 = 0
    var depth = 0
    repeat {
      skipBlanks()
      guard offset < bytes.count else { return hasFailed = true }
      switch bytes[offset] {
      case 0x7B, 0x5B:
        guard depth < 64 else { return hasFailed = true }
        levels = levels << 1 | (bytes[offset] == 0x7B ? 1 : 0)
        depth += 1
        offset += 1
        if closes(levels) {
          levels >>= 1
          depth -= 1
        } else {
          if levels & 1 == 1 && !skipKey() { return hasFailed = true }
          continue
        }
      case ASCII.quote: if quoted() == nil { return hasFailed = true }
      default: if !skipScalar() { return hasFailed = true }
      }
      // After a value: the ends of what it was the last of, or a comma.
      while depth > 0 {
        if closes(levels) {
          levels >>= 1
          depth -= 1
        } else {
          guard take(0x2C), levels & 1 == 0 || skipKey() else { return hasFailed = true }
          break
        }
      }
    } while depth > 0
  }

  // MARK: Bytes

  @inlinable
  mutating func fail() -> JSONText? {
    hasFailed = true
    return nil
  }

  @inlinable @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  @inlinable @inline(__always)
  mutating func skipBlanks() {
    while offset < bytes.count, ASCII.isBlank(bytes[offset]) { offset += 1 }
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
  @usableFromInline
  mutating func quoted() -> JSONText? {
    guard take(ASCII.quote) else { return nil }
    let start = offset
    var hasEscapes = false
    while offset < bytes.count {
      switch bytes[offset] {
      case ASCII.quote:
        offset += 1
        return JSONText(
          UnsafeBufferPointer(rebasing: bytes[start..<offset - 1]), hasEscapes: hasEscapes)
      case ASCII.backslash:
        hasEscapes = true
        offset += 2
      default: offset += 1
      }
    }
    offset = bytes.count
    return fail()
  }

  /// Passes over a number, `true`, `false` or `null`.
  private mutating func skipScalar() -> Bool {
    let start = offset
    while offset < bytes.count, !ASCII.isBlank(bytes[offset]) {
      switch bytes[offset] {
      case 0x2C, 0x5D, 0x7D: return isScalar(start..<offset)
      default: offset += 1
      }
    }
    return isScalar(start..<offset)
  }

  private func isScalar(_ range: Range<Int>) -> Bool {
    let value = UnsafeBufferPointer(rebasing: bytes[range])
    return DecimalNumber.parse(value.span) != nil || value.elementsEqual("true".utf8)
      || value.elementsEqual("false".utf8) || value.elementsEqual("null".utf8)
  }
}
