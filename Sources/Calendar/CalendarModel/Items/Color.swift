/// A colour in sRGB.
public struct Color: Hashable, Sendable {
  /// Red, 0 to 1.
  public var red: Double
  /// Green, 0 to 1.
  public var green: Double
  /// Blue, 0 to 1.
  public var blue: Double
  /// Opacity, 0 to 1.
  public var alpha: Double

  /// A colour from its components, each 0 to 1.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Parses `#RRGGBB` or `#RRGGBBAA`, the form of X-APPLE-CALENDAR-COLOR; `nil` for anything else.
  public init?(hexadecimal text: some StringProtocol) {
    let digits = text.drop { $0 == "#" }
    guard digits.utf8.count == 6 || digits.utf8.count == 8, text.utf8.count - digits.utf8.count <= 1,
      digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let value = UInt32(digits, radix: 16)
    else { return nil }
    let rgba = digits.utf8.count == 6 ? value << 8 | 0xFF : value
    self.init(
      red: Double(rgba >> 24 & 0xFF) / 255, green: Double(rgba >> 16 & 0xFF) / 255,
      blue: Double(rgba >> 8 & 0xFF) / 255, alpha: Double(rgba & 0xFF) / 255)
  }

  /// `#RRGGBB`, or `#RRGGBBAA` if it is not opaque.
  public var hexadecimal: String {
    func byte(_ part: Double) -> String {
      let value = UInt8(max(0, min(255, (part * 255).rounded())))
      return (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true)
    }
    return "#" + byte(red) + byte(green) + byte(blue) + (alpha < 1 ? byte(alpha) : "")
  }
}
