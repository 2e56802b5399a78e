import JSON

/// Lists of texts that are only ever read whole (categories, kept content lines, device names) stand in one
/// column as a JSON array of strings, so that `json_each` can take them apart. An empty list is no value.
enum StringList {
  /// The column's text for `list`.
  static func stored(_ list: [String]) -> String? {
    if list.isEmpty { return nil }
    var text = "["
    for (index, element) in list.enumerated() {
      if index > 0 { text += "," }
      JSONEscaping.minimal.append(element, to: &text)
    }
    return text + "]"
  }

  /// The list that the column's text spells; `nil` where ``stored(_:)`` did not write it.
  static func list(stored bytes: UnsafeRawBufferPointer) -> [String]? {
    bytes.withMemoryRebound(to: UInt8.self) { bytes in
      var scanner = JSONScanner(bytes)
      var list: [String] = []
      guard scanner.enterArray() else { return nil }
      while scanner.nextElement() {
        guard let text = scanner.string(), text.hasKnownEscapes else { return nil }
        list.append(text.string)
      }
      return list.isEmpty || scanner.isBroken || !scanner.isAtEnd() ? nil : list
    }
  }
}
