public import FencepostAlgorithms

/// Walks over one JSON text (RFC 8259), value by value, without building anything.
///
/// The caller requests the values that it expects and skips the others. If the text is not JSON, ``isBroken``
/// becomes true and nothing more comes. Values nest up to 64 deep.
public struct JSONScanner {
  @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
  /// The index of the next byte.
  @inlinable public var position: Int { offset }
  @usableFromInline var offset: Int
  @usableFromInline var isFirstMember = false
  /// Whether the text turned out not to be JSON.
  @inlinable public var isBroken: Bool { hasFailed }
  @usableFromInline var hasFailed = false

  /// A scanner at `start` of `bytes`.
  @inlinable
  public init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) {
    self.bytes = bytes
    offset = start
  }

  // MARK: Structure

  /// Enters an object. Returns false, without moving, if the next value is not an object.
  @inlinable
  public mutating func beginObject() -> Bool {
    skipBlanks()
    guard take(0x7B) else { return false }
    isFirstMember = true
    return true
  }

  /// The next key of the object; the scanner moves to its value. `nil` at the end of the object; the scanner
  /// moves past it.
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

  /// Enters an object. If the next value is not one, skips it and returns false.
  @inlinable
  public mutating func enterObject() -> Bool {
    if beginObject() { return true }
    skipValue()
    return false
  }

  /// Enters an array. If the next value is not one, skips it and returns false.
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

  /// Whether the array has another element; the scanner moves to it, or past the end of the array.
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

  /// Whether only blanks are left.
  @inlinable
  public mutating func isAtEnd() -> Bool {
    skipBlanks()
    return offset == bytes.count
  }

  // MARK: Values

  /// The first byte of the next value; `nil` at the end.
  @inlinable
  public mutating func firstByte() -> UInt8? {
    skipBlanks()
    return offset < bytes.count ? bytes[offset] : nil
  }

  /// The next value if it is a number, also in quotes; `nil` for other values, which are skipped.
  @inlinable
  public mutating func number() -> Double? {
    if offset < bytes.count, bytes[offset] == ASCII.quote {
      return quoted()?.withBytes { DecimalNumber.parse($0.span) }
    }
    let start = offset
    skipValue()
    return DecimalNumber.parse(UnsafeBufferPointer(rebasing: bytes[start..<offset]).span)
  }

  /// The next value if it is a string; `nil` for other values, which are skipped.
  @inlinable
  public mutating func string() -> JSONText? {
    guard offset < bytes.count, bytes[offset] == ASCII.quote else {
      skipValue()
      return nil
    }
    return quoted()
  }

  /// The next value if it is a string, or another scalar as written; `nil` for objects and arrays.
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

  /// Skips the next value with its content.
  public mutating func skipValue() {
    // One bit per level: 1 for an object.
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
      // After a value: closing brackets, or a comma.
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

  /// Skips the next bracket if it closes the innermost level of `levels`.
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

  /// The text in the next quotes.
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

  /// Skips a number, `true`, `false` or `null`.
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
