import Glibc

/// Odds: how many times likelier one thing is than another, for example `148`. Policies add up the logarithm.
public enum OddsPhrase {
  /// Reads odds and returns the natural logarithm. Odds must be above 1.
  public static func logarithm(_ text: String) throws(WordError) -> Double {
    guard let value = Double(text), value.isFinite, value > 1 else {
      throw WordError("odds", text, try: "148, or 1000 to be surer")
    }
    return log(value)
  }

  /// Writes log odds for people: `1.5`, `148`, `over a million`.
  public static func text(_ logarithm: Double) -> String {
    let odds = exp(logarithm)
    if odds >= 1e6 { return "over a million" }
    return odds >= 10 ? "\(Int(odds.rounded()))" : "\((odds * 10).rounded() / 10)"
  }
}
