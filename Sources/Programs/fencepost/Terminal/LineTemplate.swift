import FencepostCalendarModel
import FencepostCommandLineTable
import FencepostItems
import FencepostJSON
import FencepostPhrases
import FencepostRecurrence
import FencepostSpatiotemporal

/// The text of `--format`, for one line of output: `{title}` stands for the member `title` of the line's JSON
/// object, or of the item in it, and `{item.title}` for a member of a member.
///
/// `\t`, `\n` and `\\` are a tab, a line break and a backslash. A brace that starts no name stands for itself.
struct LineTemplate {
  private enum Part {
    case text(String)
    /// The keys from the object inwards.
    case member([String])
  }

  private var parts: [Part] = []
  private let resolver: TimeResolver

  /// - Parameter resolver: The zone of the reader. Moments are shown in it, without seconds.
  /// - Throws: ``WordError`` for a name that items and days don't have.
  init(_ text: String, resolver: TimeResolver) throws(WordError) {
    self.resolver = resolver
    var rest = text[...]
    var plain = ""
    while let first = rest.popFirst() {
      if first == "\\", let next = rest.first, let escaped = ["t": "\t", "n": "\n", "\\": "\\"][next] {
        plain += escaped
        rest.removeFirst()
      } else if first == "{", let match = rest.prefixMatch(of: /([a-z_]+(?:\.[a-z_]+)*)\}/) {
        let keys = match.output.1.split(separator: ".").map(String.init)
        for key in keys { try Self.check(key) }
        parts += [.text(plain), .member(keys)]
        plain = ""
        rest = rest[match.range.upperBound...]
      } else {
        plain.append(first)
      }
    }
    parts.append(.text(plain))
  }

  private static func check(_ key: String) throws(WordError) {
    let names = (["ItemLine", "Agenda"].compactMap(OutputSchema.schema) + OutputSchema.parts.map(\.value))
      .flatMap(\.names).map { $0.hasSuffix("?") ? String($0.dropLast()) : $0 }
    guard !names.contains(key) else { return }
    let hint = Spelling.suggestion(for: key, among: Set(names).sorted()) ?? "'fencepost help json' lists them"
    throw WordError.plain("'{\(key)}' is no member of the output; \(hint)")
  }

  /// A line of output in this form. A line that is no JSON object stays as it is.
  func text(_ line: String) -> String {
    guard line.hasPrefix("{"), let value = try? JSONValue(reading: Array(line.utf8), maxDepth: 64) else {
      return line
    }
    return parts.map { part in
      switch part {
      case .text(let text): text
      case .member(let keys):
        shown(keys.reduce(value) { $0?[$1] } ?? keys.reduce(value["item"]) { $0?[$1] })
      }
    }.joined()
  }

  /// A value for people. What is missing is empty; the parts of a list have commas between them.
  private func shown(_ value: JSONValue?) -> String {
    guard let value else { return "" }
    if let list = value.list { return list.map(shown).joined(separator: ", ") }
    if value.isNull { return "" }
    guard let text = value.text else { return value.json }
    guard text.utf8.count >= 20, let moment = Instant(rfc3339: text) else {
      return text.withoutControls
    }
    let civil = resolver.floating.civil(at: moment)
    return "\(civil.day) \(civil.hourAndMinute)"
  }
}

extension FencepostTable {
  /// The option of commands that list things.
  static let lineFormat = Option.value(
    .format, "TEMPLATE", category: "Output",
    "Print each line in this form: `{title}` and other members of `--json`, `\\t`, `\\n`")
}
