/// A priority: `high`, `medium`, `low`, `none`, or PRIORITY of RFC 5545 (section 3.8.1.9): 1 for the highest
/// to 9 for the lowest, and 0 for none.
public enum PriorityPhrase {
  /// For each name, the priority to store and the range of priorities that it matches.
  private static let names: KeyValuePairs<String, (value: Int, range: ClosedRange<Int>)> = [
    "high": (1, 1...4), "medium": (5, 5...5), "low": (9, 6...9), "none": (0, 0...0), "hoch": (1, 1...4),
    "mittel": (5, 5...5), "niedrig": (9, 6...9), "keine": (0, 0...0),
  ]

  /// Reads a priority from 0 to 9.
  public static func value(_ text: String) throws(WordError) -> Int {
    let word = text.lowercased()
    if let found = names.first(where: { $0.key == word }) { return found.value.value }
    if let number = Int(text), (0...9).contains(number) { return number }
    throw WordError("priority", text, try: "high, medium, low, none, or 1 (the highest) to 9")
  }

  /// Reads a range of priorities: `high`, `any`, `3`, `1-5`.
  public static func range(_ text: String) throws(WordError) -> ClosedRange<Int> {
    let word = text.lowercased()
    if let found = names.first(where: { $0.key == word }) { return found.value.range }
    if word == "any" { return 1...9 }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    if ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last,
      (0...9).contains(first), (0...9).contains(last)
    {
      return first...last
    }
    throw WordError("priority", text, try: "high, medium, low, none, any, 1 or 1-5")
  }

  /// Writes a priority: `high`, or `high (2)` if the name stands for another number.
  public static func text(_ priority: Int) -> String {
    guard let name = names.first(where: { $0.value.range.contains(priority) }) else { return "\(priority)" }
    return name.value.value == priority ? name.key : "\(name.key) (\(priority))"
  }
}
