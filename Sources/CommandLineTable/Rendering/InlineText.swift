/// Text of the table, split at its backquotes into prose and words that are typed literally.
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

  /// Literal words between quotation marks: for messages and plain help.
  var quoted: String {
    parts.map { part in
      switch part {
      case .prose(let text): text
      case .literal(let text): Self.quote(text)
      }
    }.joined()
  }

  /// A literal word as plain text shows it: between quotation marks, unless it is an option, which nobody takes for
  /// prose.
  static func quote(_ literal: String) -> String {
    literal.hasPrefix("-") && literal.count > 1 && !literal.contains(" ") ? literal : "'\(literal)'"
  }

  /// Literal words like the others: for descriptions in completions.
  var bare: String {
    parts.map { part in
      switch part {
      case .prose(let text), .literal(let text): text
      }
    }.joined()
  }
}
