public import CalendarModel

/// A colour, as people say it: `red`, `#3584E4`.
public enum ColorPhrase {
  /// Colours that can be told from each other on a dark and on a light ground.
  private static let names: KeyValuePairs = [
    "red": "#E01B24", "orange": "#FF7800", "yellow": "#F6D32D", "green": "#33D17A", "teal": "#2190A4",
    "blue": "#3584E4", "purple": "#9141AC", "pink": "#E66395", "brown": "#986A44", "grey": "#77767B",
    "gray": "#77767B", "black": "#241F31", "white": "#FFFFFF",
  ]

  /// The colour that `text` says.
  public static func color(_ text: String) throws(WordError) -> Color {
    let word = text.lowercased()
    let spelled = names.first { $0.key == word }?.value ?? text
    if let color = Color(hexadecimal: spelled) { return color }
    throw WordError("colour", text, try: "red, orange, green, blue, purple or '#3584E4'")
  }

  /// The name of a colour where it has one, else its digits.
  public static func text(_ color: Color) -> String {
    names.first { $0.value == color.hexadecimal }?.key ?? color.hexadecimal
  }
}
