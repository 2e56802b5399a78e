/// An option as data: one value gives its parsing, its help, its manual entry and its completion.
public struct Option: Hashable, Sendable {
  /// The kind of an option.
  public enum Kind: Hashable, Sendable {
    /// Nothing. A negatable flag is also accepted as `--no-name`.
    case flag(negatable: Bool)
    /// A value.
    case value(Value)
  }

  /// The value of an option.
  public struct Value: Hashable, Sendable {
    /// The placeholder in help: `LAT,LON`.
    public var metavariable: String
    /// The completions. The parser also enforces ``Completion/choices(_:)``.
    public var completion: Completion
    /// The default as shown in help. The program applies it.
    public var defaultText: String?
    /// The environment variable with the value if the option is not given.
    public var environment: String?

    /// A value.
    public init(
      _ metavariable: String, completion: Completion = .none, defaultText: String? = nil,
      environment: String? = nil
    ) {
      self.metavariable = metavariable
      self.completion = completion
      self.defaultText = defaultText
      self.environment = environment
    }
  }

  /// The long name, without the dashes. Lookups use it.
  public var name: String
  /// The letter of the short form.
  public var short: Character?
  /// Other long names.
  public var aliases: [String]
  /// Flag or value.
  public var kind: Kind
  /// Whether it may be repeated. Repeating any other flag has no effect.
  public var isRepeatable: Bool
  /// Whether it is required.
  public var isRequired: Bool
  /// Whether it makes all other arguments optional: `--help`, `--version`.
  public var interrupts: Bool
  /// A phrase without a full stop.
  public var summary: String
  /// The heading in help; the default is "Options".
  public var category: String?
  /// Whether help, manual and completions omit it.
  public var isHidden: Bool

  /// An option. ``flag(_:short:aliases:negatable:repeatable:interrupts:category:hidden:_:)`` and
  /// ``value(_:_:short:aliases:repeatable:required:completion:default:environment:category:hidden:_:)`` read
  /// better in a table.
  public init(
    name: String, short: Character? = nil, aliases: [String] = [], kind: Kind, isRepeatable: Bool = false,
    isRequired: Bool = false, interrupts: Bool = false, summary: String, category: String? = nil,
    isHidden: Bool = false
  ) {
    self.name = name
    self.short = short
    self.aliases = aliases
    self.kind = kind
    self.isRepeatable = isRepeatable
    self.isRequired = isRequired
    self.interrupts = interrupts
    self.summary = summary
    self.category = category
    self.isHidden = isHidden
  }

  /// An option without a value.
  public static func flag(
    _ key: FlagKey, short: Character? = nil, aliases: [String] = [], negatable: Bool = false,
    repeatable: Bool = false, interrupts: Bool = false, category: String? = nil, hidden: Bool = false,
    _ summary: String
  ) -> Option {
    Option(
      name: key.name, short: short, aliases: aliases, kind: .flag(negatable: negatable),
      isRepeatable: repeatable, interrupts: interrupts, summary: summary, category: category,
      isHidden: hidden)
  }

  /// An option with a value, called `metavariable` in help.
  public static func value(
    _ key: ValueKey, _ metavariable: String, short: Character? = nil, aliases: [String] = [],
    repeatable: Bool = false, required: Bool = false, completion: Completion = .none,
    default defaultText: String? = nil, environment: String? = nil, category: String? = nil,
    hidden: Bool = false, _ summary: String
  ) -> Option {
    Option(
      name: key.name, short: short, aliases: aliases,
      kind: .value(
        Value(metavariable, completion: completion, defaultText: defaultText, environment: environment)),
      isRepeatable: repeatable, isRequired: required, summary: summary, category: category,
      isHidden: hidden)
  }

  /// `-h`, `--help`.
  public static let help = Option.flag(.help, short: "h", interrupts: true, "Show help, briefly with `-h`")

  /// `--version`.
  public static let version = Option.flag(.version, interrupts: true, "Show the version")

  /// Its value, if it takes one.
  public var value: Value? {
    if case .value(let value) = kind { value } else { nil }
  }

  /// Whether `--no-name` is accepted.
  public var isNegatable: Bool { kind == .flag(negatable: true) }

  /// The long names, the first one first, as they are typed.
  var longSpellings: [String] { ([name] + aliases).map { "--\($0)" } }

  /// All spellings in help and completions: short, long, negated.
  var spellings: [String] {
    (short.map { ["-\($0)"] } ?? []) + longSpellings + (isNegatable ? ["--no-\(name)"] : [])
  }
}
