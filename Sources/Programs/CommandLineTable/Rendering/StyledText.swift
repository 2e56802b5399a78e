/// Words with their widths on a terminal, not counting escapes.
///
/// The width is the number of characters, which holds for the Latin text of a command table.
struct StyledText {
  struct Word {
    var rendered = ""
    var width = 0
  }

  private(set) var words: [Word] = []

  /// The text of the table with its literal words marked in `style`: bold, or in quotation marks if they
  /// could be read as prose. Literal words are not broken.
  init(_ text: String, style: Style) {
    var word = Word()
    for part in InlineText(text).parts {
      switch part {
      case .prose(let prose):
        for character in prose {
          if character == " " {
            append(&word)
          } else {
            word.rendered.append(character)
            word.width += 1
          }
        }
      case .literal(let literal):
        let plain = style == .ansi ? literal : InlineText.quote(literal)
        word.rendered += style.literal(plain)
        word.width += plain.count
      }
    }
    append(&word)
  }

  private mutating func append(_ word: inout Word) {
    if word.width > 0 { words.append(word) }
    word = Word()
  }

  /// Lines of at most `width` columns, unless a word is longer; without indentation.
  func lines(width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in words {
      if used > 0, used + 1 + word.width > width {
        lines.append(line)
        (line, used) = ("", 0)
      }
      if used > 0 {
        line += " "
        used += 1
      }
      line += word.rendered
      used += word.width
    }
    if used > 0 { lines.append(line) }
    return lines
  }
}
