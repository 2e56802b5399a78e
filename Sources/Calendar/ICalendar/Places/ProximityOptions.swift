import FencepostCalendarModel

/// Fencepost's own options of a proximity alarm, as X- properties that other programs ignore.
enum ProximityOptions {
  private static let frequencies: [(String, ProximityTrigger.Frequency)] = [
    ("ALWAYS", .always), ("DAILY", .oncePerDay), ("ONCE", .once),
  ]

  /// The value of X-FENCEPOST-FREQUENCY.
  static func frequency(_ text: String) -> ProximityTrigger.Frequency? {
    frequencies.first { $0.0 == text.uppercased() }?.1
  }

  /// Reads X-FENCEPOST-WINDOW, for example `HOURS=080000-183000;WEEKDAYS=MO,TU;FROM=20260501;UNTIL=20260531`.
  static func window(_ text: String) throws(InvalidValue) -> TimeWindow {
    var window = TimeWindow()
    for part in text.uppercased().split(separator: ";") {
      let broken = InvalidValue(message: "'\(part.prefix(40))' is not a valid part of a time window")
      guard let equals = part.firstIndex(of: "=") else { throw broken }
      let value = part[part.index(after: equals)...]
      switch part[..<equals] {
      case "HOURS":
        let ends = value.split(separator: "-")
        guard ends.count == 2, let from = second(ends[0]), let until = second(ends[1]), from < 86_400 else {
          throw broken
        }
        window.hours = .init(from: from, until: until)
      case "WEEKDAYS":
        for name in value.split(separator: ",") {
          guard let day = Weekday(abbreviation: name) else { throw broken }
          window.weekdays.insert(day)
        }
      case "FROM": window.firstDay = try day(value)
      case "UNTIL": window.lastDay = try day(value)
      default: throw broken
      }
    }
    return window
  }

  /// The lines for the options of `trigger` that differ from the default.
  static func lines(_ trigger: ProximityTrigger) -> [String] {
    var lines: [String] = []
    func add(_ property: PropertyName, _ value: String) { lines.append("\(property.rawValue):\(value)") }
    if case .dwell(let seconds) = trigger.event {
      add(.dwell, CalendarDuration(seconds: seconds).text)
    }
    if trigger.firesIfInside { add(.fireIfInside, "TRUE") }
    if trigger.includesPassing { add(.passing, "TRUE") }
    if trigger.frequency != .always, let name = frequencies.first(where: { $0.1 == trigger.frequency })?.0 {
      add(.frequency, name)
    }
    if let window = trigger.window { add(.window, TextValue.encode(text(window))) }
    if !trigger.devices.isEmpty { add(.devices, TextValue.encodeList(trigger.devices)) }
    if !trigger.location.outline.isEmpty {
      add(.outline, TextValue.encode(Outline.text(trigger.location.outline)))
    }
    return lines
  }

  private static func text(_ window: TimeWindow) -> String {
    var parts: [String] = []
    if let hours = window.hours {
      parts.append("HOURS=\(TimeValue.clock(hours.from))-\(TimeValue.clock(hours.until))")
    }
    if !window.weekdays.isEmpty {
      let days = window.weekdays.sorted { $0.rawValue < $1.rawValue }.map(\.abbreviation)
      parts.append("WEEKDAYS=\(days.joined(separator: ","))")
    }
    if let first = window.firstDay { parts.append("FROM=\(TimeValue.text(first))") }
    if let last = window.lastDay { parts.append("UNTIL=\(TimeValue.text(last))") }
    return parts.joined(separator: ";")
  }

  private static func second(_ text: Substring) -> Int? {
    guard text.utf8.count == 6, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let hms = Int(text) else {
      return nil
    }
    let second = hms / 10_000 * 3600 + hms / 100 % 100 * 60 + hms % 100
    return hms / 100 % 100 < 60 && hms % 100 < 60 && second <= 86_400 ? second : nil
  }

  private static func day(_ text: Substring) throws(InvalidValue) -> CivilDay {
    let bytes = Array(text.utf8)
    return try TimeValue.read(bytes, 0..<bytes.count, zone: nil).day
  }
}
