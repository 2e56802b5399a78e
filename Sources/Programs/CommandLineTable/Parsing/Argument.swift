/// A value with its origin, for precise error messages.
public struct Argument: Hashable, Sendable {
  /// The origin of a value.
  public enum Origin: Hashable, Sendable {
    /// An option, as it was spelled: `-l` or `--list`.
    case option(String)
    /// A position, by the positional's metavariable.
    case position(String)
    /// An environment variable, by its name.
    case environment(String)
  }

  /// The value; empty for a flag.
  public let value: String
  /// Its origin.
  public let origin: Origin
  /// The index of the word with the value; `nil` for the environment.
  public let index: Int?

  /// How a message names it: "option '--list'", "TITLE", "variable FENCEPOST_STORE".
  public var label: String {
    switch origin {
    case .option(let spelling): "option '\(spelling)'"
    case .position(let metavariable): metavariable
    case .environment(let name): "variable \(name)"
    }
  }
}

/// One use of an option.
struct Occurrence: Hashable, Sendable {
  var argument: Argument
  /// False for `--no-name`.
  var isOn = true
}
