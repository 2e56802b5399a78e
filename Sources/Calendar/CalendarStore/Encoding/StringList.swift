import FencepostJSON

/// Lists of texts that are only read as a whole (categories, preserved content lines, device names). Each is
/// a JSON array of strings in one column, so that `json_each` can split it. An empty list is NULL.
enum StringList {
  /// The column's text for `list`.
  static func stored(_ list: [String]) -> String? {
    if list.isEmpty { return nil }
    var text = "["
    text.reserveCapacity(list.reduce(2) { $0 + $1.utf8.count + 8 })
    for (index, element) in list.enumerated() {
      if index > 0 { text += "," }
      JSONEscaping.minimal.append(element, to: &text)
    }
    text += "]"
    return text
  }

  /// The list in the column's text; `nil` if ``stored(_:)`` did not write it.
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
