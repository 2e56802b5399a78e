import FencepostAddresses
import FencepostCommandLineTable

extension CommandContext {
  /// A command line for `undo`, without global options.
  static func commandLine(_ words: [String]) -> String {
    var shown: [String] = []
    var skips = false
    for word in words {
      if skips {
        skips = false
      } else if ["--store", "--zone", "--color"].contains(word) {
        skips = true
      } else if !["--json", "--yes", "-y"].contains(word)
        && !["--store=", "--zone=", "--color="].contains(where: word.hasPrefix)
      {
        // Labels are stored and shown, so they must not have secrets.
        shown.append(quoted(word.contains("://") ? AddressText.withoutSecrets(word) : word))
      }
    }
    return shown.joined(separator: " ")
  }

  /// A word, quoted for a shell if necessary.
  static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_.,:/@+=%#".contains($0) }
    if isPlain && !word.isEmpty { return word }
    return ShellText.quote(word)
  }
}
