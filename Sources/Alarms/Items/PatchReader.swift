import FencepostCalendarModel
import FencepostGeodesy
import FencepostJSON

/// Reads a member of an object. Its errors contain the position.
struct PatchReader {
  let value: JSONValue
  let key: String

  func fail(_ complaint: String) -> ItemPatchError { ItemPatchError("/\(key)", complaint) }

  /// A text, or `nil` for `null`.
  func optionalText() throws(ItemPatchError) -> String? {
    if value.isNull { return nil }
    guard let text = value.text else { throw fail("must be a string or null, not \(value.kind)") }
    return text
  }

  func text() throws(ItemPatchError) -> String {
    guard let text = value.text else { throw fail("must be a string, not \(value.kind)") }
    return text
  }

  func flag() throws(ItemPatchError) -> Bool {
    guard let flag = value.flag else { throw fail("must be true or false, not \(value.kind)") }
    return flag
  }

  func texts() throws(ItemPatchError) -> [String] {
    if value.isNull { return [] }
    var texts: [String] = []
    for one in value.list ?? [] {
      guard let text = one.text else { throw fail("must be a list of strings") }
      texts.append(text)
    }
    guard value.list != nil else { throw fail("must be a list of strings, not \(value.kind)") }
    return texts
  }

  func integer(in range: ClosedRange<Int>) throws(ItemPatchError) -> Int {
    guard let number = value.integer, range.contains(number) else {
      throw fail("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func number(in range: ClosedRange<Double>) throws(ItemPatchError) -> Double {
    guard let number = value.number, range.contains(number) else {
      throw fail("must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func day() throws(ItemPatchError) -> CivilDay {
    guard let text = value.text, let day = CivilDay(dashed: text) else {
      throw fail("must be a day such as \"2026-05-01\"")
    }
    return day
  }

  /// One of the given words.
  func word<Value>(_ words: KeyValuePairs<String, Value>) throws(ItemPatchError) -> Value {
    if let text = value.text, let found = words.first(where: { $0.key == text }) { return found.value }
    throw fail("must be one of " + words.map { "\"\($0.key)\"" }.joined(separator: ", "))
  }
}

extension CivilDay {
  /// The day of `2026-05-01`.
  init?(dashed text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), let year = Int(parts[0]),
      let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(validYear: year, month: month, day: day)
  }
}
