import Spatiotemporal

/// The forms of a text as a JSON string (RFC 8259, section 7). All decode to the same text.
public enum JSONEscaping: Sendable {
  /// Escapes only what JSON requires, for programs.
  case minimal
  /// Also escapes control characters and those that change the direction of text, for lines that people see.
  case shown
  /// Also escapes `<`, `>` and `&`, for a string in a page.
  case html

  /// `text` in quotes.
  public func quoted(_ text: String) -> String {
    var quoted = ""
    append(text, to: &quoted)
    return quoted
  }

  /// Appends `text` in quotes to `json`.
  public func append(_ text: String, to json: inout String) {
    json += "\""
    defer { json += "\"" }
    if isPlain(text) {
      json += text
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\n" where self != .minimal: json += "\\n"
      case "\r" where self != .minimal: json += "\\r"
      case "\t" where self != .minimal: json += "\\t"
      case _ where isEscaped(scalar):
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
  }

  private func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .minimal: scalar.value < 0x20
    case .shown: scalar.isControl || scalar.isDirectionControl
    case .html: scalar.isControl || scalar.isDirectionControl || "<>&".unicodeScalars.contains(scalar)
    }
  }

  /// Whether nothing in a text needs an escape, as in nearly all texts; false for a few other texts too.
  private func isPlain(_ text: String) -> Bool {
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else { return false }
    switch self {
    case .minimal: return true
    case .shown: return !text.mayHoldControls
    case .html: return !text.mayHoldControls && !text.utf8.contains { $0 == 0x26 || $0 == 0x3C || $0 == 0x3E }
    }
  }
}
