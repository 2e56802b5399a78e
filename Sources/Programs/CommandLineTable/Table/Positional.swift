/// A positional argument of a command, as data.
public struct Positional: Hashable, Sendable {
  /// The number of words that it takes.
  public enum Arity: String, Hashable, Sendable {
    /// Exactly one.
    case required
    /// At most one.
    case optional
    /// Any number.
    case zeroOrMore
    /// One or more.
    case oneOrMore

    /// Whether it is required.
    public var isRequired: Bool { self == .required || self == .oneOrMore }
    /// Whether it takes more than one word.
    public var isRepeating: Bool { self == .zeroOrMore || self == .oneOrMore }
  }

  /// The name for lookups.
  public var name: String
  /// The number of words that it takes.
  public var arity: Arity
  /// A phrase without a full stop.
  public var summary: String
  /// The placeholder in help; the default is the name in capitals.
  public var metavariable: String
  /// The completions. The parser also enforces ``Completion/choices(_:)``.
  public var completion: Completion

  /// A positional.
  public init(
    _ key: PositionalKey, _ arity: Arity, _ summary: String, metavariable: String? = nil,
    completion: Completion = .none
  ) {
    name = key.name
    self.arity = arity
    self.summary = summary
    self.metavariable = metavariable ?? key.name.uppercased()
    self.completion = completion
  }
}
