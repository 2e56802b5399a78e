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
