/// What is wrong with JSON that should change an item.
public struct ItemPatchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where, as a JSON Pointer (RFC 6901).
  public var pointer: String
  /// What is wrong, in a sentence without the pointer.
  public var complaint: String

  /// An error at `pointer`.
  public init(_ pointer: String, _ complaint: String) {
    self.pointer = pointer
    self.complaint = complaint
  }

  /// What is wrong and where, as a sentence.
  public var sentence: String { pointer.isEmpty ? complaint : "'\(pointer.dropFirst())' \(complaint)" }

  /// One line.
  public var description: String { sentence }

  /// The error as one of a part below `prefix`.
  func below(_ prefix: String) -> ItemPatchError { ItemPatchError(prefix + pointer, complaint) }
}
