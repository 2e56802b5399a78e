extension Unicode.Scalar {
  /// Whether a terminal, a notification or a page may obey this character instead of showing it: a control
  /// character (general category Cc) or a separator of lines or paragraphs (Zl, Zp).
  public var isControl: Bool {
    value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
  }

  /// Whether this character changes the direction of the text around it, which can disguise a text (Unicode
  /// Standard Annex #9, section 2).
  public var isDirectionControl: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// This text on one line, safe to show. Spaces replace control characters; direction controls are removed.
  public var withoutControls: String {
    guard mayHoldControls else { return self }
    var plain = String.UnicodeScalarView()
    for scalar in unicodeScalars where !scalar.isDirectionControl {
      plain.append(scalar.isControl ? " " : scalar)
    }
    return String(plain)
  }

  /// False if no scalar of this text is a control, as in nearly all texts.
  public var mayHoldControls: Bool {
    let bytes = utf8.span
    return bytes.indices.contains { bytes[$0].mayBeginControl }
  }
}

extension UInt8 {
  /// Whether the UTF-8 of a control character or a direction control may begin with this byte. Some other
  /// scalars begin with it too.
  public var mayBeginControl: Bool {
    // C2 begins U+0080…U+00BF, D8 U+0600…U+063F, and E2 U+2000…U+2FFF.
    self < 0x20 || self == 0x7F || self == 0xC2 || self == 0xD8 || self == 0xE2
  }
}

extension Int {
  /// The digits in groups of three: `1,000,000`.
  public var grouped: String {
    var text = String(magnitude)
    var end = text.utf8.count - 3
    while end > 0 {
      text.insert(",", at: text.index(text.startIndex, offsetBy: end))
      end -= 3
    }
    return (self < 0 ? "-" : "") + text
  }
}
