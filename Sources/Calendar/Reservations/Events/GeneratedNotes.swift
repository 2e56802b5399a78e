/// The notes of a booking's event: lines that the program writes, among those of the user.
public enum GeneratedNotes {
  /// The user's notes, with the generated lines brought up to date.
  ///
  /// Lines of `base` that are no longer generated go, and new ones come after the line that they follow. Where
  /// the user removed all of them, none comes back.
  ///
  /// - Parameters:
  ///   - mine: The notes as they are.
  ///   - base: The notes as the program last wrote them.
  ///   - new: The notes as the program writes them now.
  public static func merged(_ mine: String?, since base: String?, with new: String?) -> String? {
    guard mine != base else { return new }
    func lines(_ text: String?) -> [Substring] {
      text.map { $0.split(separator: "\n", omittingEmptySubsequences: false) } ?? []
    }
    let (old, fresh) = (lines(base), lines(new))
    var result = lines(mine)
    if !old.isEmpty, !result.contains(where: old.contains) { return mine }
    result.removeAll { old.contains($0) && !fresh.contains($0) }
    var place = result.firstIndex(where: fresh.contains) ?? result.endIndex
    for line in fresh {
      if let index = result.firstIndex(of: line) {
        place = index + 1
      } else if !old.contains(line) {
        result.insert(line, at: min(place, result.endIndex))
        place += 1
      }
    }
    let text = result.joined(separator: "\n")
    return text.isEmpty ? nil : text
  }
}
