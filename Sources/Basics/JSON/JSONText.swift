public import FencepostAlgorithms

/// A text in JSON (RFC 8259, section 7): a key, a string, or an unquoted scalar.
///
/// It refers to the bytes of its record and is valid as long as they are. Decoding costs something only if it
/// has a backslash.
public struct JSONText {
  /// The number of bytes of a name to compare: enough for the longest name in use with each letter as an
  /// escape.
  public static let maximumNameLength = 192

  /// The bytes as written, without quotes.
  public let written: UnsafeBufferPointer<UInt8>
  /// Whether they contain escapes.
  public let hasEscapes: Bool

  /// The text of `written`. `hasEscapes` says whether to decode escapes.
  @inlinable
  public init(_ written: UnsafeBufferPointer<UInt8>, hasEscapes: Bool = false) {
    self.written = written
    self.hasEscapes = hasEscapes
  }

  /// Whether it is empty.
  @inlinable public var isEmpty: Bool { written.isEmpty }

  /// Calls `body` with the text in UTF-8, with its escapes decoded.
  @inlinable @inline(__always)
  public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    hasEscapes ? unescaped.withUnsafeBufferPointer(body) : body(written)
  }

  /// The bytes of the text in UTF-8, with its escapes decoded.
  @usableFromInline
  var unescaped: [UInt8] { Array(Unescaped(written)) }

  /// The text; invalid UTF-8 is replaced.
  public var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  /// Whether each backslash begins an escape of RFC 8259.
  public var hasKnownEscapes: Bool {
    guard hasEscapes else { return true }
    var rest = written[...]
    while let byte = rest.popFirst() {
      guard byte == ASCII.backslash else { continue }
      let escape = rest.popFirst() ?? 0
      let digits = rest.prefix(4)
      let isKnown =
        escape == 0x75
        ? digits.count == 4 && digits.allSatisfy { ASCII.hexadecimal($0) != nil }
        : "\"\\/bfnrt".utf8.contains(escape)
      guard isKnown else { return false }
    }
    return true
  }

  /// Whether an escape is half of a surrogate pair without the other half.
  public var hasLoneSurrogate: Bool {
    guard hasEscapes else { return false }
    var rest = written[...]
    var isHalf = false
    while let byte = rest.popFirst() {
      var unit: UInt16 = 0
      if byte == ASCII.backslash, rest.popFirst() == 0x75 {
        unit = UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0
        rest = rest.dropFirst(4)
      }
      let isLow = (0xDC00...0xDFFF).contains(unit)
      if isLow != isHalf { return true }
      isHalf = (0xD800...0xDBFF).contains(unit)
    }
    return isHalf
  }

  /// Whether the text is `word`.
  @inlinable @inline(__always)
  public static func == (text: JSONText, word: StaticString) -> Bool {
    text.withBytes { $0 == word }
  }

  /// The parts of the text from number `first` to number `last`, counted from 0, with the separators between
  /// them; `nil` if there are not enough parts. `separator` separates the parts.
  public func parts(_ first: Int, through last: Int, separator: UInt8) -> JSONText? {
    var bytes = Unescaped(written)
    var part = 0
    var start = first == 0 ? 0 : nil
    var end = written.count
    var position = 0
    while let byte = bytes.next() {
      if byte == separator {
        part += 1
        if part == first { start = bytes.position }
        if part == last + 1 {
          end = position
          break
        }
      }
      position = bytes.position
    }
    guard let start, part >= last else { return nil }
    return JSONText(UnsafeBufferPointer(rebasing: written[start..<end]), hasEscapes: hasEscapes)
  }

  /// The bytes of a text in UTF-8, with its escapes decoded. Half of a surrogate pair, and invalid digits,
  /// become U+FFFD. An unknown escape becomes its character.
  private struct Unescaped: Sequence, IteratorProtocol {
    private let written: UnsafeBufferPointer<UInt8>
    /// The start of the next character. All characters before it were read whole.
    private(set) var position = 0
    /// The remaining bytes of a decoded character, the first byte lowest.
    private var pending: UInt32 = 0

    /// The bytes of `written`.
    init(_ written: UnsafeBufferPointer<UInt8>) { self.written = written }

    mutating func next() -> UInt8? {
      if pending != 0 {
        defer { pending >>= 8 }
        return UInt8(truncatingIfNeeded: pending)
      }
      guard position < written.count else { return nil }
      let byte = written[position]
      position += 1
      guard byte == ASCII.backslash, position < written.count else { return byte }
      let escape = written[position]
      position += 1
      switch escape {
      case 0x62: return 0x08  // b
      case 0x66: return 0x0C  // f
      case 0x6E: return 0x0A  // n
      case 0x72: return 0x0D  // r
      case 0x74: return 0x09  // t
      case 0x75: return begin(scalar())  // u
      default: return escape
      }
    }

    /// Returns the first byte of `scalar` and stores the others.
    private mutating func begin(_ scalar: Unicode.Scalar) -> UInt8 {
      let bytes = scalar.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
      pending = bytes >> 8
      return UInt8(truncatingIfNeeded: bytes)
    }

    /// The character with the next four digits, together with the other half if it is half of a pair.
    private mutating func scalar() -> Unicode.Scalar {
      guard let unit = takeUnit() else { return "\u{FFFD}" }
      if let scalar = Unicode.Scalar(UInt32(unit)) { return scalar }
      let second = position
      guard unit < 0xDC00, position + 1 < written.count, written[position] == ASCII.backslash,
        written[position + 1] == 0x75
      else { return "\u{FFFD}" }
      position += 2
      guard let low = takeUnit(), 0xDC00...0xDFFF ~= low,
        let scalar = Unicode.Scalar(0x1_0000 + (UInt32(unit - 0xD800) << 10 | UInt32(low - 0xDC00)))
      else {
        position = second
        return "\u{FFFD}"
      }
      return scalar
    }

    /// The code unit in the next four digits; `nil`, without moving, if they are invalid.
    private mutating func takeUnit() -> UInt16? {
      guard written.count - position >= 4 else { return nil }
      var unit: UInt16 = 0
      for byte in written[position..<position + 4] {
        guard let digit = ASCII.hexadecimal(byte) else { return nil }
        unit = unit << 4 | UInt16(digit)
      }
      position += 4
      return unit
    }
  }
}
