extension Double {
  /// The shortest decimal that reads back as this number. It has no exponent: RFC 5870, RFC 5545 and XML
  /// Schema's `decimal` don't allow one. Infinity and NaN give `0`.
  public var decimalText: String {
    let text = description
    guard isFinite else { return "0" }
    guard let e = text.utf8.firstIndex(of: UInt8(ascii: "e")) else {
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let exponent = Int(text[text.index(after: e)...]) ?? 0
    var digits = text[..<e].filter { $0 != "-" }
    var point =
      digits.firstIndex(of: ".").map { digits.distance(from: digits.startIndex, to: $0) } ?? digits.count
    digits.removeAll { $0 == "." }
    point += exponent
    if point <= 0 {
      digits = String(repeating: "0", count: 1 - point) + digits
      point = 1
    } else if point > digits.count {
      digits += String(repeating: "0", count: point - digits.count)
    }
    var fraction = String(digits.dropFirst(point))
    while fraction.last == "0" { fraction.removeLast() }
    return (self < 0 ? "-" : "") + digits.prefix(point) + (fraction.isEmpty ? "" : "." + fraction)
  }
}
