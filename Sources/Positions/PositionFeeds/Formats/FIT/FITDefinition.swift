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
