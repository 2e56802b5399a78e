/// How help marks headings and words that are typed literally.
public enum Style: Hashable, Sendable {
  /// Not at all.
  case plain
  /// In bold, by ANSI escapes.
  case ansi

  func heading(_ text: String) -> String { self == .ansi ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  func literal(_ text: String) -> String { text.isEmpty ? "" : heading(text) }
}
