/// A text that is equal only to one of the same bytes. A Swift `String` is also equal to its other normal forms (é in one scalar
/// or in two), but such UIDs belong to different items.
public struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  /// The text.
  public let text: String

  /// An exact text.
  public init(_ text: String) { self.text = text }

  /// An exact text.
  public init(stringLiteral text: String) { self.text = text }

  /// Compares the bytes.
  public static func == (a: ExactText, b: ExactText) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  /// Compares the bytes.
  public static func < (a: ExactText, b: ExactText) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(0xFF as UInt8)
  }
}
