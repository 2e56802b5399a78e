/// Lines in mdoc, the language of manual pages. Escapes text so that it is never read as a macro.
///
/// Source: mdoc(7) of mandoc and groff.
struct Mdoc {
  /// The maximum length of a line of prose; mandoc's lint warns about lines above 80 bytes.
  private static let lineLength = 76

  private(set) var lines: [String] = []

  /// The whole page. It ends in a line break.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Adds a line of macros unchanged.
  mutating func raw(_ line: String) { lines.append(line) }

  /// Adds a macro and its arguments, which are escaped.
  mutating func macro(_ name: String, _ arguments: String...) {
    lines.append(([".\(name)"] + arguments.map(Self.argument)).joined(separator: " "))
  }

  /// Adds prose with marked literal words, one sentence per line.
  mutating func prose(_ text: String) {
    var line = ""
    func flush(_ lines: inout [String]) {
      guard !line.isEmpty else { return }
      lines.append(Self.textLine(line))
      line = ""
    }
    for word in Self.words(of: text) {
      if word.literal == nil, line.count + 1 + word.before.count > Self.lineLength { flush(&lines) }
      if let literal = word.literal {
        flush(&lines)
        lines.append(Self.macroLine(before: word.before, literal: literal, after: word.after))
      } else {
        line += line.isEmpty ? word.before : " \(word.before)"
        if word.endsSentence { flush(&lines) }
      }
    }
    flush(&lines)
  }

  /// Adds lines to show unchanged.
  mutating func display(_ shown: [String]) {
    lines.append(".Bd -literal -offset indent")
    lines += shown.map { Self.textLine($0, isLiteral: true) }
    lines.append(".Ed")
  }

  // MARK: Words

  /// A word of prose, or a literal with adjacent text.
  private struct Word {
    var before = ""
    var literal: String?
    var after = ""
    var isEmpty: Bool { before.isEmpty && literal == nil }
    var endsSentence: Bool { [".", "?", "!"].contains { before.hasSuffix($0) } }
  }

  private static func words(of text: String) -> [Word] {
    var words: [Word] = []
    var word = Word()
    for part in InlineText(text).parts {
      switch part {
      case .literal(let literal):
        // Two adjacent literals are rare, so show them as one.
        word.literal = (word.literal ?? "") + word.after + literal
        word.after = ""
      case .prose(let prose):
        for character in prose {
          if character == " " {
            if !word.isEmpty { words.append(word) }
            word = Word()
          } else if word.literal == nil {
            word.before.append(character)
          } else {
            word.after.append(character)
          }
        }
      }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  private static func macroLine(before: String, literal: String, after: String) -> String {
    let second = literal.dropFirst().first
    let isOption =
      literal.hasPrefix("-") && !literal.contains(" ") && second.map { $0 == "-" || $0.isLetter } == true
    let isClosed = after.allSatisfy { ".,:;)]?!".contains($0) }
    // Ql would include adjacent text in its quotation marks.
    let quotation = isClosed ? "Ql \(argument(literal))" : "So \(argument(literal)) Sc"
    var line = isOption ? "Fl \(argument(String(literal.dropFirst())))" : quotation
    if !before.isEmpty { line = "No \(argument(before)) Ns \(line)" }
    if isClosed {
      // Closing punctuation is separate and keeps the font of the text.
      line += after.map { " \($0)" }.joined()
    } else {
      line += " Ns No \(argument(after))"
    }
    return "." + line
  }

  // MARK: Escaping

  /// An escaped argument of a macro line.
  static func argument(_ text: String) -> String {
    var escaped = escape(text, isLiteral: true).split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\\(dq")
    // mdoc would read names of macros, and lone punctuation, as such.
    let looksLikeMacro = (2...3).contains(text.count) && text.first?.isUppercase == true
    let isPunctuation = text.count == 1 && text.first?.isLetter == false && text.first?.isNumber == false
    if looksLikeMacro || isPunctuation { escaped = "\\&" + escaped }
    return escaped.contains(" ") || escaped.isEmpty ? "\"\(escaped)\"" : escaped
  }

  private static func textLine(_ text: String, isLiteral: Bool = false) -> String {
    let escaped = escape(text, isLiteral: isLiteral)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// In literal text a hyphen must stay ASCII, so that it can be copied.
  private static func escape(_ text: String, isLiteral: Bool) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-" where isLiteral: escaped += "\\-"
      case "'" where isLiteral: escaped += "\\(aq"
      case "`" where isLiteral: escaped += "\\(ga"
      case "^" where isLiteral: escaped += "\\(ha"
      case "~" where isLiteral: escaped += "\\(ti"
      case _ where character.isASCII: escaped.append(character)
      default:
        // Not every formatter reads UTF-8.
        for scalar in character.unicodeScalars {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          escaped += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
        }
      }
    }
    return escaped
  }
}
