/// The header Authentication-Results, in which a mail server says what it found out about a mail (RFC 8601).
///
/// A sender can write such a header too, and choose parts of the value of a true one, such as the local part of
/// `header.i`. So it is read by its grammar, and counts only with the name of a server that the owner knows.
struct AuthenticationResults {
  /// The name of the server (`authserv-id`), in lower case.
  let server: String
  /// The domains with a valid DKIM signature, in lower case.
  let signers: [String]

  /// Reads the value of a header; `nil` if it is not valid.
  init?(_ value: String) {
    guard let tokens = Self.tokens(value) else { return nil }
    let parts = tokens.split(separator: .semicolon, omittingEmptySubsequences: false)
    // `authserv-id [version]`
    guard parts.count > 1, let head = parts.first, (1...2).contains(head.count),
      case .word(let name, _) = head.first
    else { return nil }
    server = name.lowercased()
    signers = parts.dropFirst().compactMap(Self.signer)
  }

  private enum Token: Hashable {
    case semicolon, equals
    /// A text, and whether it begins with a quoted part, which no name does.
    case word(String, isQuoted: Bool)
  }

  /// The domain of a result such as `dkim=pass header.d=example.org`; `nil` for any other.
  private static func signer(_ result: ArraySlice<Token>) -> String? {
    var fields: [(name: String, value: String)] = []
    var rest = result
    while case .word(let name, let isQuoted) = rest.popFirst() {
      // `reason="…"` and a word alone are not fields of interest.
      guard rest.first == .equals else { continue }
      rest.removeFirst()
      guard case .word(let value, _) = rest.popFirst(), !isQuoted else { return nil }
      fields.append((name.lowercased(), value.lowercased()))
    }
    guard rest.isEmpty, let method = fields.first, method.name == "dkim" || method.name.hasPrefix("dkim/"),
      method.value == "pass"
    else { return nil }
    // A domain that signs is in header.d; some servers name the identity alone, whose domain is the same or
    // below it.
    let values = ["header.d", "header.i"].lazy.map { name in fields.filter { $0.name == name }.map(\.value) }
    guard let named = values.first(where: { !$0.isEmpty }), named.count == 1 else { return nil }
    return named[0].split(separator: "@", omittingEmptySubsequences: false).last.map(String.init)
  }

  /// Words and separators, without comments and folding (RFC 5322, section 3.2); `nil` for an open quote or
  /// comment.
  private static func tokens(_ value: String) -> [Token]? {
    var tokens: [Token] = []
    var word: (text: String, isQuoted: Bool)?
    func end() {
      if let found = word { tokens.append(.word(found.text, isQuoted: found.isQuoted)) }
      word = nil
    }
    var rest = value.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case ";":
        end()
        tokens.append(.semicolon)
      case "=":
        end()
        tokens.append(.equals)
      case " ", "\t", "\r", "\n": end()
      case "(":
        end()
        guard skipComment(&rest) else { return nil }
      case "\"":
        guard let quoted = quotedText(&rest) else { return nil }
        word = ((word?.text ?? "") + quoted, word?.isQuoted ?? true)
      default: word = ((word?.text ?? "") + String(Character(scalar)), word?.isQuoted ?? false)
      }
    }
    end()
    return tokens
  }

  /// Skips a comment and those inside it, after its `(`.
  private static func skipComment(_ rest: inout String.UnicodeScalarView.SubSequence) -> Bool {
    var depth = 1
    while depth > 0 {
      switch rest.popFirst() {
      case nil: return false
      case "\\": _ = rest.popFirst()
      case "(": depth += 1
      case ")": depth -= 1
      default: break
      }
    }
    return true
  }

  /// The text of a quoted string, after its first quote.
  private static func quotedText(_ rest: inout String.UnicodeScalarView.SubSequence) -> String? {
    var text = ""
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return text
      case "\\":
        guard let escaped = rest.popFirst() else { return nil }
        text.unicodeScalars.append(escaped)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return nil
  }
}
