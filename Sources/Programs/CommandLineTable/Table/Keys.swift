/// The key of a flag. A program declares each key once, and uses it in its table and its commands. So the
/// compiler finds misspelt keys and keys of the wrong kind.
public struct FlagKey: Hashable, Sendable {
  /// The long name, without the dashes.
  public let name: String

  /// The key of the flag `--name`.
  public init(_ name: String) { self.name = name }
}

/// The key of an option with a value: see ``FlagKey``.
public struct ValueKey: Hashable, Sendable {
  /// The long name, without the dashes.
  public let name: String

  /// The key of the option `--name VALUE`.
  public init(_ name: String) { self.name = name }
}

/// The key of a positional: see ``FlagKey``.
public struct PositionalKey: Hashable, Sendable {
  /// The name; help shows it in capitals.
  public let name: String

  /// The key of a positional.
  public init(_ name: String) { self.name = name }
}

extension FlagKey {
  /// `--help`
  public static let help = FlagKey("help")
  /// `--version`
  public static let version = FlagKey("version")
}

extension PositionalKey {
  /// The words of `help` (``Command/help(_:)``).
  public static let command = PositionalKey("command")
  /// The kind of candidates (``Command/candidates(_:)``).
  public static let kind = PositionalKey("kind")
  /// The words before the completed one.
  public static let line = PositionalKey("line")
}
