/// Bytes of mails and passes for tests.

/// Base64 in lines.
func base64(_ bytes: [UInt8]) -> String {
  let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for index in 0..<4 {
      text.append(index <= group.count ? letters[number >> (18 - 6 * index) & 63] : "=")
    }
    if start % 54 == 51 { text += "\n" }
  }
  return text
}

/// An archive with one member that is stored as it is.
func zipArchive(_ name: String, _ content: String) -> [UInt8] {
  func bytes(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
  var sum = UInt32.max
  for byte in content.utf8 {
    sum ^= UInt32(byte)
    for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
  }
  let size = content.utf8.count
  let common =
    bytes(20, 2) + bytes(0, 2) + bytes(0, 2) + bytes(0, 4) + bytes(Int(~sum), 4) + bytes(size, 4)
    + bytes(size, 4)
    + bytes(name.utf8.count, 2) + bytes(0, 2)
  let member = bytes(0x0403_4B50, 4) + common + Array(name.utf8) + Array(content.utf8)
  let entry = bytes(0x0201_4B50, 4) + bytes(20, 2) + common + bytes(0, 14) + Array(name.utf8)
  return member + entry + bytes(0x0605_4B50, 4) + bytes(0, 4) + bytes(1, 2) + bytes(1, 2)
    + bytes(entry.count, 4)
    + bytes(member.count, 4) + bytes(0, 2)
}
