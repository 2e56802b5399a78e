/// How much help to show.
public enum HelpForm: Hashable, Sendable {
  /// Usage, commands and options.
  case short
  /// All of that, the discussion and examples.
  case long
}

/// How help marks headings and words that are typed literally.
public enum Style: Hashable, Sendable {
  /// Not at all.
  case plain
  /// In bold, by ANSI escapes.
  case ansi
}
