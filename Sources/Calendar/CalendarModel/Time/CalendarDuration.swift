/// A DURATION of RFC 5545 (section 3.3.6): nominal days, whose length depends on the zone, and exact seconds.
public struct CalendarDuration: Hashable, Sendable {
  /// Whole days on the wall clock (a week has seven); negative for durations back in time.
  public var days: Int
  /// Additional exact seconds; with the same sign as `days`.
  public var seconds: Int

  /// A duration of `days` and `seconds`.
  public init(days: Int = 0, seconds: Int = 0) {
    self.days = days
    self.seconds = seconds
  }

  /// The empty duration.
  public static let zero = CalendarDuration()

  /// The length in seconds if each day has 24 hours.
  public var nominalSeconds: Int { days * 86_400 + seconds }

  /// Parses RFC 5545's text, such as `-PT15M`, `P1DT2H` or `P2W`; `nil` if it is not a duration.
  ///
  /// More lenient than the grammar: units after the `T` may come in any order, as some exporters write them. Numbers
  /// have at most ten digits, so that none overflows.
  public init?(text: some StringProtocol) {
    var rest = Substring(text.uppercased())
    var sign = 1
    if let first = rest.first, first == "+" || first == "-" {
      sign = first == "-" ? -1 : 1
      rest.removeFirst()
    }
    guard rest.popFirst() == "P" else { return nil }
    var days = 0
    var seconds = 0
    var inTime = false
    var units = 0
    while !rest.isEmpty {
      if rest.first == "T" {
        guard !inTime else { return nil }
        inTime = true
        rest.removeFirst()
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, digits.count <= 10, let value = Int(digits) else { return nil }
      rest.removeFirst(digits.count)
      switch (rest.popFirst(), inTime) {
      case ("W", false): days += value * 7
      case ("D", false): days += value
      case ("H", true): seconds += value * 3600
      case ("M", true): seconds += value * 60
      case ("S", true): seconds += value
      default: return nil
      }
      units += 1
    }
    guard units > 0 else { return nil }
    self.init(days: sign * days, seconds: sign * seconds)
  }

  /// RFC 5545's text: `-P1DT2H30M`; `PT0S` for an empty duration.
  public var text: String {
    if days == 0 && seconds == 0 { return "PT0S" }
    // The text has one sign, so parts of different signs become seconds.
    let unlike = (days < 0 && seconds > 0) || (days > 0 && seconds < 0)
    let days = unlike ? 0 : abs(self.days)
    let seconds = unlike ? abs(nominalSeconds) : abs(self.seconds)
    var text = (unlike ? nominalSeconds < 0 : self.days < 0 || self.seconds < 0) ? "-P" : "P"
    if days != 0 && days % 7 == 0 && seconds == 0 { return text + "\(days / 7)W" }
    if days != 0 { text += "\(days)D" }
    if seconds != 0 {
      text += "T"
      if seconds / 3600 != 0 { text += "\(seconds / 3600)H" }
      // Hours and seconds need minutes between them.
      if seconds / 60 % 60 != 0 || seconds / 3600 != 0 && seconds % 60 != 0 {
        text += "\(seconds / 60 % 60)M"
      }
      if seconds % 60 != 0 { text += "\(seconds % 60)S" }
    }
    return text
  }
}
