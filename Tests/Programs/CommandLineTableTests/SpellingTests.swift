import FencepostTestSupport
import Testing

@testable import FencepostCommandLineTable

@Suite("Nearest words") struct SpellingTests {
  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "ab", 1), ("abc", "abcd", 1),
    ("abc", "acb", 1), ("kitten", "sitting", 3), ("ca", "abc", 3), ("radius", "raduis", 1),
    ("saturday", "sunday", 3),
  ])
  func distance(first: String, second: String, expected: Int) {
    #expect(Spelling.distance(first, second) == expected)
    #expect(Spelling.distance(second, first) == expected)
  }

  /// One edit of any kind is a distance of at most one, and a distance is at least the difference in length.
  @Test(arguments: 0..<4) func oneEdit(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let word = (0..<Int.random(in: 2...9, using: &random)).map { _ in
        "abcd".randomElement(using: &random) ?? "a"
      }
      var edited = word
      let place = Int.random(in: 0..<word.count - 1, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: edited.remove(at: place)
      case 1: edited.insert("x", at: place)
      case 2: edited[place] = "y"
      default: edited.swapAt(place, place + 1)
      }
      let distance = Spelling.distance(String(word), String(edited))
      #expect(distance == (word == edited ? 0 : 1), "seed \(seed): \(word) \(edited)")
    }
  }

  @Test(arguments: [
    ("lst", ["list", "add", "last"], ["list", "last"]), ("rad", ["radius", "road"], ["road", "radius"]),
    ("zzz", ["list"], []), ("", ["a"], []), ("list", ["list"], ["list"]), ("b", ["a", "bcd"], ["a"]),
    ("Grocery", ["Groceries"], ["Groceries"]), ("groceries", ["Grocery"], ["Grocery"]),
    ("imp", ["import", "export"], ["import"]), (String(repeating: "a", count: 49), ["a"], []),
  ])
  func nearest(word: String, candidates: [String], expected: [String]) {
    #expect(Spelling.nearest(to: word, among: candidates) == expected)
  }
}
