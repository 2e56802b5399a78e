/// Finds words in a text, in any case.
///
/// SQL's LIKE ignores the case of ASCII letters only.
struct TextSearch {
  private let words: [[UInt8]]

  /// A search for the words of `text`, in any order.
  init(_ text: String) {
    words = text.lowercased().split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
  }

  /// Whether `text` has all words. Cost: some tenths of a microsecond for a line of ASCII.
  func matches(_ text: String) -> Bool {
    var folded = text.lowercased()
    // Bytes, because the standard library's substring search is many times slower.
    return folded.withUTF8 { text in words.allSatisfy { text.contains($0) } }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether these bytes contain `word`, which must not be empty.
  fileprivate func contains(_ word: [UInt8]) -> Bool {
    var rest = self[...]
    while rest.count >= word.count, let start = rest.firstIndex(of: word[0]) {
      if self[start...].starts(with: word) { return true }
      rest = self[(start + 1)...]
    }
    return false
  }
}
