/// The values of rows as bytes. ``RowReader`` can read them without a call of SQLite for each.
///
/// A value is a tag byte, followed by its content. Small integers are in the tag. Others follow in groups of
/// seven bits, lowest first, with the sign in the lowest bit. Texts and blobs begin with their length.
struct RowImage {
  private(set) var bytes: [UInt8] = []

  enum Tag {
    static let null: UInt8 = 0
    static let integer: UInt8 = 1
    static let double: UInt8 = 2
    static let bytes: UInt8 = 3
    /// This tag and the following: the integers from 0 on.
    static let small: UInt8 = 16
    static let maximumSmall = Int64(UInt8.max - small)
  }

  mutating func addNull() { bytes.append(Tag.null) }

  mutating func add(_ value: Int64) {
    if value >= 0 && value <= Tag.maximumSmall { return bytes.append(Tag.small + UInt8(value)) }
    bytes.append(Tag.integer)
    add(bits: UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  mutating func add(_ value: Double) {
    bytes.append(Tag.double)
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func add(_ value: UnsafeRawBufferPointer) {
    bytes.append(Tag.bytes)
    add(bits: UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  private mutating func add(bits: UInt64) {
    var rest = bits
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// Walks over the values of a ``RowImage``. A missing value reads as NULL, and makes the image damaged.
struct RowImageCursor {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  /// Whether it read something that ``RowImage`` did not write.
  private(set) var isDamaged = false

  /// - Parameter bytes: Must outlive the cursor.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether the next value is not NULL.
  var hasValue: Bool { offset < bytes.count && bytes[offset] != RowImage.Tag.null }

  private mutating func byte() -> UInt8 {
    guard offset < bytes.count else {
      isDamaged = true
      return RowImage.Tag.null
    }
    offset += 1
    return bytes[offset - 1]
  }

  private mutating func bits() -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = byte()
      value |= UInt64(next & 0x7F) << shift
      if next & 0x80 == 0 { return value }
      shift += 7
      if shift > 63 {
        isDamaged = true
        return value
      }
    }
  }

  mutating func skip() {
    switch byte() {
    case RowImage.Tag.integer: _ = bits()
    case RowImage.Tag.double: _ = bytes(ofLength: 8)
    case RowImage.Tag.bytes: _ = bytes(ofLength: bits())
    default: break
    }
  }

  mutating func integer() -> Int64 {
    let tag = byte()
    if tag >= RowImage.Tag.small { return Int64(tag - RowImage.Tag.small) }
    if tag == RowImage.Tag.null { return 0 }
    guard tag == RowImage.Tag.integer else {
      isDamaged = true
      return 0
    }
    let bits = bits()
    return Int64(bitPattern: bits >> 1) ^ -Int64(bits & 1)
  }

  mutating func double() -> Double {
    guard byte() == RowImage.Tag.double else {
      isDamaged = true
      return 0
    }
    let value = bytes(ofLength: 8)
    return value.count == 8
      ? Double(bitPattern: UInt64(littleEndian: value.loadUnaligned(as: UInt64.self))) : 0
  }

  /// The bytes of a text or blob; `nil` for NULL.
  mutating func value() -> UnsafeRawBufferPointer? {
    let tag = byte()
    if tag == RowImage.Tag.null { return nil }
    guard tag == RowImage.Tag.bytes else {
      isDamaged = true
      return nil
    }
    return bytes(ofLength: bits())
  }

  private mutating func bytes(ofLength count: UInt64) -> UnsafeRawBufferPointer {
    guard count <= UInt64(bytes.count - offset) else {
      isDamaged = true
      offset = bytes.count
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    defer { offset += Int(count) }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(count)])
  }
}
