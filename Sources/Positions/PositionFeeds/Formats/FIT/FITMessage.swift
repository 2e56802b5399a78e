/// The bytes of one message, and the values of its fields.
struct FITMessage {
  /// FIT's epoch, 31 December 1989 UTC, in seconds since 1970.
  static let epoch: Int64 = 631_065_600
  /// The number of the field that holds the time, in every message.
  static let timestamp: UInt8 = 253

  private let bytes: ArraySlice<UInt8>
  private let definition: FITDefinition
  /// Seconds since FIT's epoch; `nil` if unknown.
  var time: UInt32?

  init(bytes: ArraySlice<UInt8>, definition: FITDefinition) {
    self.bytes = bytes
    self.definition = definition
    time = integer(field: FITMessage.timestamp).flatMap { UInt32(exactly: $0) }
  }

  /// The value of an integer field; `nil` if it is missing or is the invalid value of its type.
  func integer(field: UInt8) -> Int64? {
    guard let field = definition.fields.first(where: { $0.number == field }) else { return nil }
    let (width, isSigned): (Int, Bool)
    switch field.type {
    case 0x00, 0x02: (width, isSigned) = (1, false)  // enum, uint8
    case 0x01: (width, isSigned) = (1, true)
    case 0x03: (width, isSigned) = (2, true)
    case 0x04: (width, isSigned) = (2, false)
    case 0x05: (width, isSigned) = (4, true)
    case 0x06: (width, isSigned) = (4, false)
    default: return nil
    }
    // No field here is an array, so reject them.
    guard field.size == width else { return nil }
    var raw: UInt32 = 0
    for index in 0..<width {
      let place = definition.isBigEndian ? index : width - 1 - index
      raw = raw << 8 | UInt32(bytes[bytes.startIndex + field.offset + place])
    }
    let bits = UInt32(8 * width)
    if isSigned {
      let invalid = UInt32.max >> (33 - bits)
      return raw == invalid ? nil : Int64(Int32(bitPattern: raw << (32 - bits)) >> (32 - bits))
    }
    return raw == UInt32.max >> (32 - bits) ? nil : Int64(raw)
  }

  /// The value of a field as a floating-point number.
  func value(field: UInt8) -> Double? { integer(field: field).map { Double($0) } }

  /// Degrees from a field in semicircles: 2³¹ semicircles are 180 degrees.
  func degrees(field: UInt8) -> Double? { value(field: field).map { $0 * (180 / 2_147_483_648) } }

  /// For a `timestamp_correlation`: UTC minus the watch's own clock, in seconds.
  var correlation: Int64? {
    guard let time, let system = integer(field: 1) else { return nil }
    return Int64(time) - system
  }

  /// Whether this `event` starts the timer: event 0, type 0.
  var startsTimer: Bool { integer(field: 0) == 0 && integer(field: 1) == 0 }
}

/// The fields of the messages of one local type.
struct FITDefinition {
  /// The number of the message with a position.
  static let record = 20
  /// The number of the message about the timer.
  static let event = 21

  /// The number of the message that relates the watch's own clock to UTC.
  static let timestampCorrelation = 162

  /// A field that a fix needs.
  struct Field {
    /// Its number in the profile.
    var number: UInt8
    /// Its offset in a message.
    var offset: Int
    /// Its size in bytes.
    var size: Int
    /// The type of its bytes: bits 0 to 4 of the base type.
    var type: UInt8
  }

  /// The number of the message in the profile.
  let number: Int
  let isBigEndian: Bool
  /// The length of a message in bytes, without its header.
  let length: Int
  /// The fields that a fix needs.
  let fields: [Field]

  /// Reads a definition, without its header, and returns its length too; `nil` if it is incomplete.
  static func read(_ bytes: ArraySlice<UInt8>, isExtended: Bool) -> (FITDefinition, length: Int)? {
    let start = bytes.startIndex
    guard bytes.count >= 5 else { return nil }
    let isBigEndian = bytes[start + 1] == 1
    let (low, high) = isBigEndian ? (start + 3, start + 2) : (start + 2, start + 3)
    let number = Int(bytes[low]) | Int(bytes[high]) << 8
    let count = Int(bytes[start + 4])
    var length = 5 + 3 * count
    guard bytes.count >= length else { return nil }
    var fields: [Field] = []
    var size = 0
    for index in 0..<count {
      let at = start + 5 + 3 * index
      let field = Field(
        number: bytes[at], offset: size, size: Int(bytes[at + 1]), type: bytes[at + 2] & 0x1F)
      if matters(field.number, of: number) { fields.append(field) }
      size += field.size
    }
    if isExtended {
      // Developer fields: number, size and developer.
      guard bytes.count > length else { return nil }
      let count = Int(bytes[start + length])
      guard bytes.count >= length + 1 + 3 * count else { return nil }
      for index in 0..<count { size += Int(bytes[start + length + 2 + 3 * index]) }
      length += 1 + 3 * count
    }
    return (
      FITDefinition(number: number, isBigEndian: isBigEndian, length: size, fields: fields), length
    )
  }

  private static func matters(_ field: UInt8, of message: Int) -> Bool {
    if field == FITMessage.timestamp { return true }
    switch message {
    case record: return [0, 1, 2, 6, 31, 73, 78].contains(field)
    case event: return field < 2
    case timestampCorrelation: return field == 1
    default: return false
    }
  }
}

/// FIT's checksum: CRC-16 with the reflected polynomial 0xA001.
struct FITCheckSum {
  private(set) var value: UInt16 = 0

  private static let table: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1 }
  }

  /// Adds the next byte.
  mutating func add(_ byte: UInt8) {
    value = value >> 8 ^ FITCheckSum.table[Int(UInt8(truncatingIfNeeded: value) ^ byte)]
  }
}
