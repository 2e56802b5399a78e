/// The identifier of a `Subject`. The types keep a list's identifier from being used for an item.
public struct Identifier<Subject>: RawRepresentable, Hashable, Sendable, Comparable {
  /// The identifier as text; an upper-case UUID if Fencepost created it.
  public var rawValue: String

  /// The identifier with the text `rawValue`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Compares by text, for a stable order.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension Identifier: CustomStringConvertible {
  /// The identifier as text.
  public var description: String { rawValue }
}

extension Identifier {
  /// A new random identifier: a version 4 UUID (RFC 9562) in upper case.
  public static func random(using generator: inout some RandomNumberGenerator) -> Self {
    var bytes = withUnsafeBytes(of: (generator.next(), generator.next()) as (UInt64, UInt64), Array.init)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text = ""
    text.reserveCapacity(36)
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append("-") }
      text.append(byte < 16 ? "0" : "")
      text.append(String(byte, radix: 16, uppercase: true))
    }
    return Self(rawValue: text)
  }

  /// A new random identifier.
  public static func random() -> Self {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }
}
