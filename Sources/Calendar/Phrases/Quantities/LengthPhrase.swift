import FencepostCalendarModel

/// A length on the ground: `500m`, `2km`, `0.5 mi`, `300ft`. Without a unit it is in metres.
public enum LengthPhrase {
  private static let units: [(name: String, metres: Double)] = [
    ("km", 1000), ("mi", 1609.344), ("ft", 0.3048), ("yd", 0.9144), ("m", 1), ("", 1),
  ]

  /// Reads a length in metres. It is finite and not negative.
  public static func metres(_ text: String) throws(WordError) -> Double {
    let word = text.lowercased().filter { $0 != " " }
    for unit in units where word.hasSuffix(unit.name) {
      guard let value = Double(word.dropLast(unit.name.count)) else { continue }
      guard value.isFinite, value >= 0 else { break }
      return value * unit.metres
    }
    throw WordError("length", text, try: "150m, 2km or 0.5mi")
  }

  /// Reads the radius of a place in metres, within ``StructuredLocation/possibleRadius``.
  public static func radius(_ text: String) throws(WordError) -> Double {
    let metres = try metres(text)
    let possible = StructuredLocation.possibleRadius
    guard possible.contains(metres) else {
      throw WordError.plain(
        "invalid radius '\(text)'; use \(Self.text(possible.lowerBound)) to \(Self.text(possible.upperBound))"
      )
    }
    return metres
  }

  /// Writes a length for people: `85 m`, `1.2 km`, `2 km`, `340 km`.
  public static func text(_ metres: Double) -> String {
    guard metres.isFinite, metres < 1e9 else { return "?" }
    if metres < 1000 { return "\(Int(metres.rounded())) m" }
    if metres < 99_950 {
      let tenths = Int((metres / 100).rounded())
      return "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)") + " km"
    }
    return "\(Int((metres / 1000).rounded())) km"
  }
}
