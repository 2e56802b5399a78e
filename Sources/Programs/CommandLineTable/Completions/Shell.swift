/// A shell that completes commands.
public enum Shell: String, CaseIterable, Hashable, Sendable {
  /// GNU Bash, 4.4 or later.
  case bash
  /// Z shell.
  case zsh
  /// Fish, 3 or later.
  case fish
}

extension CommandTable {
  /// The completion script for `shell`. For bash, the package bash-completion is not needed.
  public func completionScript(for shell: Shell) -> String {
    switch shell {
    case .bash: BashCompletion(root: root).script
    case .zsh: ZshCompletion(root: root).script
    case .fish: FishCompletion(root: root).script
    }
  }
}

/// Quoting for shells.
public enum ShellText {
  /// A word in single quotes, where a POSIX shell expands nothing.
  public static func quote(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// The program's name as the start of a shell function's name.
  static func functionName(_ path: [String]) -> String {
    "_" + path.joined(separator: "_").map { $0 == "-" ? "_" : String($0) }.joined()
  }
}

extension Option {
  /// The spellings that take the next word as a value.
  var valueSpellings: [String] { value == nil ? [] : spellings }
}
