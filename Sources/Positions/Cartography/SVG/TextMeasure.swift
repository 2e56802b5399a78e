/// Estimates the width of text in a sans-serif font. The actual font is unknown.
enum TextMeasure {
  /// The width of `text`, in the same unit as the font size.
  static func width(_ text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0) { $0 + width($1) } * size
  }

  private static func width(_ scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "t", "f", "r", "I", " ", ".", ",", ":", ";", "'", "|", "!", "(", ")", "-": 0.36
    case "m", "w", "M", "W", "@", "…", "–": 0.92
    case "A"..."Z": 0.7
    case _ where scalar.value >= 0x1100: 1.05
    default: 0.58
    }
  }

  /// `text`, shortened with an ellipsis if it is wider than `limit`.
  static func fitted(_ text: String, size: Double, limit: Double) -> String {
    guard width(text, size: size) > limit else { return text }
    var fitted = ""
    var used = width("…", size: size)
    for character in text {
      used += width(String(character), size: size)
      if used > limit { break }
      fitted.append(character)
    }
    while fitted.last == " " { fitted.removeLast() }
    return fitted + "…"
  }
}
