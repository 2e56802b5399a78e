/// The marking of headings and literal words in help.
public enum Style: Hashable, Sendable {
  /// No marks.
  case plain
  /// Bold, with ANSI escapes.
  case ansi

  func heading(_ text: String) -> String { self == .ansi ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  func literal(_ text: String) -> String { text.isEmpty ? "" : heading(text) }
}
