/// The kind of a file that is not a readable trace.
public struct ForeignContent: Sendable, Hashable, CustomStringConvertible {
  /// The kind, as the words after "is".
  public var what: String
  /// What to do about it; `nil` if there is no advice.
  public var advice: String?

  /// The kind and what to do.
  public var description: String {
    advice.map { "is \(what); \($0)" } ?? "is \(what), not a trace"
  }
}
