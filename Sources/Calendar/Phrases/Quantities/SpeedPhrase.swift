/// A speed: `130km/h`, `36 m/s`, `80mph`. Without a unit it is in metres per second.
public enum SpeedPhrase {
  private static let units: [(name: String, metresPerSecond: Double)] = [
    ("km/h", 1 / 3.6), ("kmh", 1 / 3.6), ("mph", 0.44704), ("kn", 1852 / 3600.0), ("m/s", 1), ("", 1),
  ]

  /// Reads a speed in metres per second. It is finite and above zero.
  public static func metresPerSecond(_ text: String) throws(WordError) -> Double {
    let word = text.lowercased().filter { $0 != " " }
    for unit in units where word.hasSuffix(unit.name) {
      guard let value = Double(word.dropLast(unit.name.count)) else { continue }
      guard value.isFinite, value > 0 else { break }
      return value * unit.metresPerSecond
    }
    throw WordError("speed", text, try: "130km/h or 36m/s")
  }
}
