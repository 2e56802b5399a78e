import FencepostSpatiotemporal

/// Cleans texts of strangers.
enum PlainText {
  /// The longest text that is kept, in characters.
  static let maximumCharacters = 300

  /// `text` on one line: entities of HTML resolved, blanks collapsed, nothing that a terminal obeys, and
  /// bounded; `nil` if nothing is left.
  static func line(_ text: String) -> String? {
    // Cut a much too long text before looking at its characters.
    let part = text.utf8.count > 8 * maximumCharacters ? String(text.prefix(2 * maximumCharacters)) : text
    let words = unescaped(part).withoutControls.split(whereSeparator: \.isWhitespace)
    let line = words.joined(separator: " ")
    guard line.count > maximumCharacters else { return line.isEmpty ? nil : line }
    let start = line.prefix(maximumCharacters)
    // Without a blank at its end, it is the same when it is read again.
    return String(start.last == " " ? start.dropLast() : start)
  }

  /// The whole address of a web page; `nil` for other schemes and invalid addresses.
  static func webAddress(_ text: String) -> String? {
    let address = unescaped(String(text.prefix(2_100))).filter { !$0.isWhitespace }
    let lower = address.prefix(8).lowercased()
    guard lower.hasPrefix("https://") || lower.hasPrefix("http://"), address.utf8.count <= 2_000,
      address.unicodeScalars.allSatisfy({ !$0.isControl && !$0.isDirectionControl }),
      !address.contains(where: { "<>\"`\\".contains($0) })
    else { return nil }
    let host = address.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
    return host.isEmpty || host.contains("@") ? nil : address
  }

  /// Letters and digits alone, in small letters without accents, to compare names. A text without them is its
  /// own key.
  static func key(_ text: String) -> String {
    var key = String.UnicodeScalarView()
    for scalar in text.lowercased().decomposed where scalar.properties.isAlphabetic || scalar.isDigit {
      key.append(scalar)
    }
    return key.isEmpty ? text : String(key)
  }

  /// In small letters, with a blank for all that is neither a letter nor a digit.
  static func spaced(_ text: String) -> String {
    String(text.lowercased().map { $0.isLetter || $0.isNumber ? $0 : " " })
  }

  private static let entities: [Substring: Character] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "auml": "ä", "ouml": "ö",
    "uuml": "ü",
    "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è", "agrave": "à",
    "ccedil": "ç",
    "ndash": "–", "mdash": "—", "rsquo": "’", "euro": "€", "ntilde": "ñ",
  ]

  /// `text` with the entities of HTML that are common in texts resolved once.
  static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(0x26) else { return text }
    var result = ""
    var rest = text[...]
    while let ampersand = rest.firstIndex(of: "&") {
      result += rest[..<ampersand]
      rest = rest[ampersand...].dropFirst()
      let name = rest.prefix(9).prefix { $0 != ";" }
      guard name.endIndex < rest.endIndex, rest[name.endIndex] == ";", let character = character(name) else {
        result.append("&")
        continue
      }
      result.append(character)
      rest = rest[name.endIndex...].dropFirst()
    }
    return result + rest
  }

  private static func character(_ name: Substring) -> Character? {
    guard name.first == "#" else { return entities[name] }
    let isHex = name.dropFirst().first == "x" || name.dropFirst().first == "X"
    let number = isHex ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
    return number.flatMap(Unicode.Scalar.init).map(Character.init)
  }
}

extension StringProtocol {
  /// Without blanks at either end.
  var trimmed: String {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}

extension String {
  /// The scalars with accents apart from their letters, for the letters of Latin scripts.
  fileprivate var decomposed: [Unicode.Scalar] {
    unicodeScalars.map { scalar in
      guard scalar.value >= 0xC0 else { return scalar }
      return Self.bases[scalar] ?? scalar
    }
  }

  private static let bases: [Unicode.Scalar: Unicode.Scalar] = {
    var bases: [Unicode.Scalar: Unicode.Scalar] = [:]
    for (base, letters) in [
      ("a", "àáâãäåā"), ("c", "çćč"), ("e", "èéêëēęě"), ("i", "ìíîïī"), ("n", "ñńň"), ("o", "òóôõöøō"),
      ("s", "śš"),
      ("u", "ùúûüūů"), ("y", "ýÿ"), ("z", "źżž"), ("l", "ł"), ("r", "ř"), ("t", "ť"), ("d", "ď"), ("g", "ğ"),
    ] as [(Unicode.Scalar, String)] {
      for letter in letters.unicodeScalars { bases[letter] = base }
    }
    return bases
  }()
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { properties.numericType == .decimal }
}
