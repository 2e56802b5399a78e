public import FencepostCalendarModel

/// A time span before or after something: `-15m`, `1h30m`, `-2d`, `1w`, or RFC 5545's `-PT15M`.
public enum OffsetPhrase {
  /// The longest span in seconds. No date is further away.
  private static let longest = 9999 * 366 * 86_400

  /// Reads a span; `nil` if `text` is not one.
  public static func duration(_ text: String) -> CalendarDuration? {
    read(text).flatMap { abs($0.nominalSeconds) <= longest ? $0 : nil }
  }

  /// Reads when an alarm rings, seen from the time of its item: `15m` and `15m before` are earlier, `+15m` and
  /// `15m after` later. RFC 5545's `PT15M` keeps its sign.
  public static func alarm(_ text: String) -> CalendarDuration? {
    var words = text.lowercased().split(separator: " ")
    if words.first?.first == "p" || words.first?.hasPrefix("-p") == true
      || words.first?.hasPrefix("+p") == true
    {
      return duration(text)
    }
    var isBefore = true
    switch words.last {
    case "before", "early", "earlier", "vorher": words.removeLast()
    case "after", "later", "late", "danach", "nachher":
      words.removeLast()
      isBefore = false
    default: isBefore = words.first?.hasPrefix("+") != true
    }
    guard let span = duration(words.joined(separator: " ")) else { return nil }
    let size = CalendarDuration(days: abs(span.days), seconds: abs(span.seconds))
    return isBefore ? CalendarDuration(days: -size.days, seconds: -size.seconds) : size
  }

  private static func read(_ text: String) -> CalendarDuration? {
    if let duration = CalendarDuration(text: text) { return duration }
    // `2 5 hours` is not 25 hours.
    let words = text.lowercased().split(separator: " ")
    guard
      !zip(words, words.dropFirst()).contains(where: {
        $0.last?.isNumber == true && $1.first?.isNumber == true
      })
    else { return nil }
    var rest = Substring(words.joined())
    var sign = 1
    if let first = rest.first, first == "-" || first == "+" {
      sign = first == "-" ? -1 : 1
      rest.removeFirst()
    }
    if rest == "0" { return .zero }
    var duration = CalendarDuration()
    var parts = 0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, digits.count <= 9, let value = Int(digits) else { return nil }
      rest.removeFirst(digits.count)
      let unit = rest.prefix { $0.isLetter }
      rest.removeFirst(unit.count)
      switch unit {
      case "s", "sec", "secs", "second", "seconds": duration.seconds += sign * value
      case "m", "min", "mins", "minute", "minutes": duration.seconds += sign * value * 60
      case "h", "hr", "hrs", "std", "hour", "hours": duration.seconds += sign * value * 3600
      case "d", "day", "days": duration.days += sign * value
      case "w", "week", "weeks": duration.days += sign * value * 7
      case "fortnight", "fortnights": duration.days += sign * value * 14
      default: return nil
      }
      parts += 1
      guard parts <= 8 else { return nil }
    }
    return parts > 0 ? duration : nil
  }
}
