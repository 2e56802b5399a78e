/// A value with where it came from, so that what is wrong with it can be said precisely.
public struct Argument: Hashable, Sendable {
  /// Where a value comes from.
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
  /// Where it comes from.
  public let origin: Origin
  /// The index, among the words that were parsed, of the word that holds the value; none for the environment.
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

/// An option each time it is given.
struct Occurrence: Hashable, Sendable {
  var argument: Argument
  /// False for `--no-name`.
  var isOn = true
}
