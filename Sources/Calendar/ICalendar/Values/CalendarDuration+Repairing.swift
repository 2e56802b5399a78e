import FencepostCalendarModel

extension CalendarDuration {
  /// Reads a DURATION from a file that breaks RFC 5545's grammar (section 3.3.6) but has one plain meaning:
  /// `P` is nothing, a missing or superfluous T has no meaning, a number without a unit counts the unit after
  /// the last one, or minutes, and the sign may stand after the P. Without a T, `M` means minutes: there are
  /// no months. `nil` for everything else.
  init?(repairing text: String) {
    if let duration = CalendarDuration(text: text) {
      self = duration
      return
    }
    let plain = text.uppercased().replacing("\u{2212}", with: "-").filter { $0 != " " && $0 != "\t" }
    guard plain.utf8.count <= 60 else { return nil }
    var units = Substring(plain)
    let signs = units.filter { $0 == "+" || $0 == "-" }
    guard signs.count <= 1, let last = units.last, last != "+", last != "-" else { return nil }
    // A number alone may be anything.
    guard units.contains(where: { $0.isLetter }) else { return nil }
    var isStart = true
    var (days, seconds) = (0.0, 0.0)
    var unit = Unit.minutes
    while let first = units.first {
      if first == "P" || first == "T" || first == "+" || first == "-" {
        guard isStart || first == "T" else { return nil }
        units.removeFirst()
        continue
      }
      isStart = false
      let number = units.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "," }
      guard number.utf8.count <= 12, let value = Double(number.replacing(",", with: ".")) else { return nil }
      units.removeFirst(number.count)
      if let letter = units.first, letter != "T" {
        guard let named = Unit(rawValue: letter) else { return nil }
        unit = named
        units.removeFirst()
      }
      switch unit {
      case .weeks,
        .days where value == value.rounded():
        days += value * (unit == .weeks ? 7 : 1)
      default: seconds += value * unit.seconds
      }
      unit = unit.next
    }
    guard abs(days) < 1e10, abs(seconds) < 1e12 else { return nil }
    let sign = signs == "-" ? -1 : 1
    self.init(days: sign * Int(days), seconds: sign * Int(seconds.rounded()))
  }

  private enum Unit: Character {
    case weeks = "W"
    case days = "D"
    case hours = "H"
    case minutes = "M"
    case seconds = "S"

    var seconds: Double {
      switch self {
      case .weeks: 7 * 86_400
      case .days: 86_400
      case .hours: 3_600
      case .minutes: 60
      case .seconds: 1
      }
    }

    /// The next smaller unit.
    var next: Unit {
      switch self {
      case .weeks: .days
      case .days: .hours
      case .hours: .minutes
      case .minutes, .seconds: .seconds
      }
    }
  }
}
