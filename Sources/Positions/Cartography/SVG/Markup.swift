import FencepostSpatiotemporal
import FencepostXML

/// Text of XML and HTML.
enum Markup {
  /// Escapes `text` for use between tags and in quotes, without control characters.
  static func escaped(_ text: String) -> String { XMLEscaping.escaped(text.withoutControls, in: .attribute) }

  /// A number with at most `decimals` decimals and no trailing zeros; 0 if `value` is not a number.
  static func number(_ value: Double, decimals: Int = 1) -> String {
    var power: Int64 = 1
    for _ in 0..<decimals { power *= 10 }
    let scaled = (value * Double(power)).rounded()
    guard abs(scaled) < 1e15 else { return "0" }
    let (whole, rest) = Int64(abs(scaled)).quotientAndRemainder(dividingBy: power)
    var text = String(whole)
    if rest > 0 {
      var digits = String(rest)
      digits = String(repeating: "0", count: decimals - digits.count) + digits
      while digits.last == "0" { digits.removeLast() }
      text += "." + digits
    }
    return scaled < 0 ? "-" + text : text
  }
}
