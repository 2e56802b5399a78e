/// Lines in the mdoc language of manual pages, escaped so that no text of the table is taken for a macro.
///
/// Source: mdoc(7) of mandoc and groff.
struct Mdoc {
  /// How long a line of prose may be; mandoc's lint complains of lines above 80 bytes.
  private static let lineLength = 76

  private(set) var lines: [String] = []

  /// The whole page, ending in a line break.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// A line of macros that is right as it stands.
  mutating func raw(_ line: String) { lines.append(line) }

  /// A macro and its arguments, which are escaped.
  mutating func macro(_ name: String, _ arguments: String...) {
    lines.append(([".\(name)"] + arguments.map(Self.argument)).joined(separator: " "))
  }

  /// Prose with literal words marked, a sentence a line.
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

  /// Lines that are shown as they are.
  mutating func display(_ shown: [String]) {
    lines.append(".Bd -literal -offset indent")
    lines += shown.map { Self.textLine($0, isLiteral: true) }
    lines.append(".Ed")
  }

  // MARK: Words

  /// A word of prose, or a literal with what touches it.
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
        // Two literals that touch are rare enough to be shown as one.
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
    // Ql would draw what touches the literal into its quotation marks.
    let quotation = isClosed ? "Ql \(argument(literal))" : "So \(argument(literal)) Sc"
    var line = isOption ? "Fl \(argument(String(literal.dropFirst())))" : quotation
    if !before.isEmpty { line = "No \(argument(before)) Ns \(line)" }
    if isClosed {
      // Closing punctuation is set apart and keeps the font of the text.
      line += after.map { " \($0)" }.joined()
    } else {
      line += " Ns No \(argument(after))"
    }
    return "." + line
  }

  // MARK: Escaping

  /// An argument of a macro line.
  static func argument(_ text: String) -> String {
    var escaped = escape(text, isLiteral: true).split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\\(dq")
    // Words that name a macro, and lone punctuation, would be taken for such.
    let looksLikeMacro = (2...3).contains(text.count) && text.first?.isUppercase == true
    let isPunctuation = text.count == 1 && text.first?.isLetter == false && text.first?.isNumber == false
    if looksLikeMacro || isPunctuation { escaped = "\\&" + escaped }
    return escaped.contains(" ") || escaped.isEmpty ? "\"\(escaped)\"" : escaped
  }

  private static func textLine(_ text: String, isLiteral: Bool = false) -> String {
    let escaped = escape(text, isLiteral: isLiteral)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// In literal text a hyphen must come out as the ASCII one, so that it can be copied.
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
