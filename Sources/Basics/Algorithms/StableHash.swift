/// FNV-1a with 64 bits (G. Fowler, L. C. Noll, K.-P. Vo): a hash that is the same in each run of the program,
/// unlike Swift's own hashes. It does not resist deliberate collisions.
public struct StableHash: Hashable, Sendable {
  /// The hash so far.
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The hash of no bytes.
  public init() {}

  /// The hash of a text in UTF-8.
  public init(of text: String) { combine(text.utf8) }

  /// Adds more bytes.
  public mutating func combine(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// The hash in 16 hexadecimal digits.
  public var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
