/// What the messages of one local type hold, as their definition says.
struct FITDefinition {
  /// The number of messages that hold a position.
  static let record = 20
  /// The number of messages that tell of the timer.
  static let event = 21

  /// The number of messages that tell how the watch's own clock and UTC belong together.
  static let timestampCorrelation = 162

  /// A field that fixes are made of.
  struct Field {
    /// Its number in the profile.
    var number: UInt8
    /// Where it begins in a message.
    var offset: Int
    /// Its size in bytes.
    var size: Int
    /// How its bytes are to be read: bits 0 to 4 of the base type.
    var type: UInt8
  }

  /// The number of the message in the profile.
  let number: Int
  let isBigEndian: Bool
  /// The length of a message in bytes, without its header.
  let length: Int
  /// Those that fixes are made of.
  let fields: [Field]

  /// Reads a definition, without its header, and how long it is; `nil` where it is not there as a whole.
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
      // Fields of developers: number, size, and whose.
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
