import FencepostCalendarModel

/// A time span that is not negative: `90s`, `5m`, `1d`.
public enum SpanPhrase {
  /// Reads a span in seconds. A day has 24 hours.
  public static func seconds(_ text: String) throws(WordError) -> Double {
    guard let span = OffsetPhrase.duration(text), span.nominalSeconds >= 0 else {
      throw WordError("duration", text, try: "90s, 5m or 1d")
    }
    return Double(span.nominalSeconds)
  }

  /// Writes a span for people, in its two largest units: `3 d 4 h`, `12 min 5 s`.
  public static func text(_ seconds: Double) -> String {
    let whole = seconds < 9e15 ? Int(seconds.rounded()) : Int.max / 2
    let parts = [
      (whole / 86_400, "d"), (whole / 3600 % 24, "h"), (whole / 60 % 60, "min"), (whole % 60, "s"),
    ]
    guard let first = parts.firstIndex(where: { $0.0 > 0 }) else { return "0 s" }
    return parts[first...].prefix(2).filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }.joined(
      separator: " ")
  }
}
