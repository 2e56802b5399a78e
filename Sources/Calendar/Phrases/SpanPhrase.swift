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
}
