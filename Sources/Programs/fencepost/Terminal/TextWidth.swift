import FencepostAlgorithms

/// The width of text on a terminal: 0 columns for combining characters, 2 for wide East Asian letters and
/// emoji.
///
/// This does not use wcwidth(3), which depends on the locale and measures scalars, while terminals draw
/// clusters.
enum TextWidth {
  /// The width of `text` in columns.
  static func of(_ text: String) -> Int {
    var sum = 0
    for character in text { sum += of(character) }
    return sum
  }

  /// The width of a character (an extended grapheme cluster, UAX #29) in columns.
  static func of(_ character: Character) -> Int {
    if character.isASCII { return 1 }
    var width = 0
    for scalar in character.unicodeScalars {
      // U+FE0F selects the emoji form of a scalar.
      if scalar.value == 0xFE0F || scalar.properties.isEmojiPresentation { return 2 }
      if width == 0 { width = of(scalar) }
    }
    return width
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // Vowels and final consonants of Hangul combine with the consonant before them.
    if (0x1160...0x11FF).contains(scalar.value) { return 0 }
    return isWide(scalar.value) ? 2 : 1
  }

  /// Whether a scalar is wide or full-width (East_Asian_Width W or F, UAX #11), not counting emoji.
  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= wide[0].lowerBound else { return false }
    let index = wide.partitioningIndex { $0.upperBound >= value }
    return index < wide.count && wide[index].contains(value)
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6,
    0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F251, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]

  /// `text` in at most `width` columns. If it is too long, it ends with `…`.
  static func shortened(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    var kept = ""
    var used = 0
    for character in text {
      let next = of(character)
      if used + next > width - 1 { break }
      kept.append(character)
      used += next
    }
    while kept.last == " " { kept.removeLast() }
    return width > 0 ? kept + "…" : ""
  }

  /// `text`, padded with spaces to `width` columns.
  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - of(text)))
  }

  /// `text` in lines of at most `width` columns, broken at spaces if possible.
  static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      var word = String(word)
      if used > 0, used + 1 + of(word) > width {
        lines.append(line)
        (line, used) = ("", 0)
      }
      // Break a word that is longer than a line.
      while of(word) > max(width, 2) {
        var head = ""
        var columns = 0
        for character in word {
          let next = of(character)
          if columns + next > max(width, 2) { break }
          head.append(character)
          columns += next
        }
        lines.append(head)
        word.removeFirst(head.count)
      }
      line += (used > 0 ? " " : "") + word
      used += (used > 0 ? 1 : 0) + of(word)
    }
    if !line.isEmpty || lines.isEmpty { lines.append(line) }
    return lines
  }
}
