import FencepostAlgorithms
import Glibc

/// A quick check of a page. Most pages have no markup, so they need no parser.
enum MarkupHint {
  /// False if `page` can't have JSON-LD or Microdata.
  static func mayHold(_ page: UnsafeBufferPointer<UInt8>) -> Bool {
    contains("ld+json", in: page) || contains("itemtype", in: page) || contains("itemscope", in: page)
  }

  /// Whether `page` contains `word`, which is in lower case, ignoring case. Searches for one rare letter of
  /// the word with `memchr`, which costs a fraction of a nanosecond a byte.
  static func contains(_ word: StaticString, in page: UnsafeBufferPointer<UInt8>) -> Bool {
    let count = word.utf8CodeUnitCount
    guard let base = page.baseAddress, page.count >= count else { return false }
    let offset = word.utf8CodeUnitCount == 7 ? 2 : 3  // "+" and "m"
    let last = page.count - count
    for letter in Set([word.utf8Start[offset], ASCII.uppercased(word.utf8Start[offset])]) {
      var start = offset
      while start <= last + offset, let found = memchr(base + start, Int32(letter), last + offset - start + 1)
      {
        let place = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found)) - offset
        if (0..<count).allSatisfy({ base[place + $0] | 0x20 == word.utf8Start[$0] | 0x20 }) { return true }
        start = place + offset + 1
      }
    }
    return false
  }
}
