import FencepostConfiguration
import FencepostJSON

/// The text of a settings file that gets settings which it does not have yet. Nothing else of it changes.
enum SettingsText {
  /// A file with these settings more.
  ///
  /// - Parameters:
  ///   - members: The keys and their values as JSON.
  ///   - text: The file's text; `nil` for a new file.
  /// - Returns: `nil` if the text has no object to add to.
  static func adding(_ members: [(key: String, value: String)], to text: String?) -> String? {
    let lines = members.map { "  \"\($0.key)\": \($0.value)" }
    guard let text else {
      return
        "// The settings of fencepost(1); 'fencepost config' shows them, and 'fencepost config --check' finds"
        + " mistakes.\n{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }
    guard let brace = openingBrace(of: text),
      let value = try? JSONValue(readingCommented: Array(text.utf8), maxDepth: 8), let old = value.members
    else { return nil }
    let start = text.index(after: brace)
    return text[..<start] + "\n" + lines.joined(separator: ",\n") + (old.isEmpty ? "\n" : ",")
      + text[start...]
  }

  /// The first brace that is not in a comment.
  private static func openingBrace(of text: String) -> String.Index? {
    var rest = text[...]
    while let character = rest.first {
      if rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        guard let end = rest.dropFirst(2).firstRange(of: "*/") else { return nil }
        rest = rest[end.upperBound...]
      } else if character == "{" {
        return rest.startIndex
      } else {
        rest = rest.dropFirst()
      }
    }
    return nil
  }
}
