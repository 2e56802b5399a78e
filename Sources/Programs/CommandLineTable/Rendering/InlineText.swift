/// Text of the table, split at its backquotes into prose and literal words.
struct InlineText: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case prose(String)
    case literal(String)
  }

  let parts: [Part]

  init(_ text: String) {
    var parts: [Part] = []
    var isLiteral = false
    for piece in text.split(separator: "`", omittingEmptySubsequences: false) {
      if !piece.isEmpty { parts.append(isLiteral ? .literal(String(piece)) : .prose(String(piece))) }
      isLiteral.toggle()
    }
    self.parts = parts
  }

  /// Literal words in quotation marks, for messages and plain help.
  var quoted: String {
    parts.map { part in
      switch part {
      case .prose(let text): text
      case .literal(let text): Self.quote(text)
      }
    }.joined()
  }

  /// The plain form of a literal word: in quotation marks, unless it is an option, which can't be mistaken
  /// for prose.
  static func quote(_ literal: String) -> String {
    literal.hasPrefix("-") && literal.count > 1 && !literal.contains(" ") ? literal : "'\(literal)'"
  }

  /// Literal words without marks, for descriptions in completions.
  var bare: String {
    parts.map { part in
      switch part {
      case .prose(let text), .literal(let text): text
      }
    }.joined()
  }
}
