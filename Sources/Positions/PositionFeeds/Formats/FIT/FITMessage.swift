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
