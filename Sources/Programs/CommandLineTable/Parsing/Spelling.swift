/// Measures the similarity of words, for suggestions.
public enum Spelling {
  /// Longer words get no suggestions.
  static let longest = 48

  /// Suggestions for `word`: candidates with `word` as prefix, and the nearest by ``distance(_:_:)`` with at
  /// most a third of its letters different. At most three.
  public static func nearest(to word: String, among candidates: [String]) -> [String] {
    guard !word.isEmpty, word.count <= longest else { return [] }
    let allowed = max(1, word.count / 3)
    let lowercased = word.lowercased()
    let abbreviated = lowercased.count > 1 ? candidates.filter { $0.hasPrefix(lowercased) } : []
    var best = allowed
    var nearest: [String] = []
    for candidate in candidates where candidate != word && candidate.count <= longest {
      let other = candidate.lowercased()
      // `grocery` and `groceries` differ by three letters.
      let distance = singular(lowercased) == singular(other) ? 1 : distance(lowercased, other)
      if distance > best { continue }
      if distance < best { nearest = [] }
      best = distance
      nearest.append(candidate)
    }
    // Typos are more likely than abbreviations.
    var seen: Set<String> = []
    return Array((nearest + abbreviated).filter { seen.insert($0).inserted }.prefix(3))
  }

  /// An English word without the ending of its plural.
  private static func singular(_ word: String) -> String {
    word.hasSuffix("ies") ? word.dropLast(3) + "y" : word.hasSuffix("s") ? String(word.dropLast()) : word
  }

  /// `did you mean 'a' or 'b'?`; `nil` if no candidate is near.
  public static func suggestion(for word: String, among candidates: [String]) -> String? {
    let near = nearest(to: word, among: candidates).map { "'\($0)'" }
    return near.isEmpty ? nil : "did you mean \(near.joined(separator: " or "))?"
  }

  /// The number of letters to insert, remove, replace or swap with their neighbour to turn one word into the
  /// other. Each letter changes at most once (the restricted Damerau-Levenshtein or optimal string alignment
  /// distance).
  ///
  /// - Complexity: O(*m* × *n*).
  ///
  /// Source: F. J. Damerau, "A technique for computer detection and correction of spelling errors", CACM 7:3
  /// (1964).
  static func distance(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first), Array(second))
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      row.reserveCapacity(b.count + 1)
      for j in 1...b.count {
        let substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var cost = min(last[j] + 1, row[j - 1] + 1, substitution)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          cost = min(cost, beforeLast[j - 2] + 1)
        }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
