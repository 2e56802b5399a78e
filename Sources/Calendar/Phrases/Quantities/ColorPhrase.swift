public import FencepostCalendarModel

/// A colour by name or number: `red`, `#3584E4`.
public enum ColorPhrase {
  /// Colours that are easy to distinguish on dark and light backgrounds.
  private static let names: KeyValuePairs = [
    "red": "#E01B24", "orange": "#FF7800", "yellow": "#F6D32D", "green": "#33D17A", "teal": "#2190A4",
    "blue": "#3584E4", "purple": "#9141AC", "pink": "#E66395", "brown": "#986A44", "grey": "#77767B",
    "gray": "#77767B", "black": "#241F31", "white": "#FFFFFF",
  ]

  /// Reads a colour.
  public static func color(_ text: String) throws(WordError) -> Color {
    let word = text.lowercased()
    let spelled = names.first { $0.key == word }?.value ?? text
    if let color = Color(hexadecimal: spelled) { return color }
    throw WordError("colour", text, try: "red, orange, green, blue, purple or '#3584E4'")
  }

  /// The name of a colour; its hexadecimal digits if it has no name.
  public static func text(_ color: Color) -> String {
    names.first { $0.value == color.hexadecimal }?.key ?? color.hexadecimal
  }
}
