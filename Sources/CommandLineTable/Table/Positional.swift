/// What a command takes by position, as data.
public struct Positional: Hashable, Sendable {
  /// How many words it takes.
  public enum Arity: String, Hashable, Sendable {
    /// Just one.
    case required
    /// One or none.
    case optional
    /// As many as there are.
    case zeroOrMore
    /// As many as there are, and at least one.
    case oneOrMore

    /// Whether the command fails without it.
    public var isRequired: Bool { self == .required || self == .oneOrMore }
    /// Whether it takes more than one word.
    public var isRepeating: Bool { self == .zeroOrMore || self == .oneOrMore }
  }

  /// The name by which it is looked up.
  public var name: String
  /// How many words it takes.
  public var arity: Arity
  /// What it is, in a phrase without a full stop.
  public var summary: String
  /// What stands for it in help; the name in capitals unless told otherwise.
  public var metavariable: String
  /// What may stand there. ``Completion/choices(_:)`` is also checked by the parser.
  public var completion: Completion

  /// A positional.
  public init(
    _ name: String, _ arity: Arity, _ summary: String, metavariable: String? = nil,
    completion: Completion = .none
  ) {
    self.name = name
    self.arity = arity
    self.summary = summary
    self.metavariable = metavariable ?? name.uppercased()
    self.completion = completion
  }
}
