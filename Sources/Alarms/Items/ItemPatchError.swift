/// An error in JSON that should change an item.
public struct ItemPatchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The position, as a JSON Pointer (RFC 6901).
  public var pointer: String
  /// The problem, as a sentence without the pointer.
  public var complaint: String

  /// An error at `pointer`.
  public init(_ pointer: String, _ complaint: String) {
    self.pointer = pointer
    self.complaint = complaint
  }

  /// The problem and its position, as a sentence.
  public var sentence: String { pointer.isEmpty ? complaint : "'\(pointer.dropFirst())' \(complaint)" }

  /// One line.
  public var description: String { sentence }

  /// The error with a pointer that begins with `prefix`.
  func below(_ prefix: String) -> ItemPatchError { ItemPatchError(prefix + pointer, complaint) }
}
