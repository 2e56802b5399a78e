/// What a file that is no readable trace turned out to be.
public struct ForeignContent: Sendable, Hashable, CustomStringConvertible {
  /// What it is, as in "is …".
  public var what: String
  /// What to do about it; `nil` where nothing helps.
  public var advice: String?

  /// What it is and what to do.
  public var description: String {
    advice.map { "is \(what); \($0)" } ?? "is \(what), not a trace"
  }
}
