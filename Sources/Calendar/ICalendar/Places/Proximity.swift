import FencepostCalendarModel

/// The properties of a VALARM for its proximity trigger: PROXIMITY (RFC 9074, section 8.1), Apple's
/// X-APPLE-PROXIMITY, and Fencepost's own options.
struct ProximityProperties {
  private var event: ProximityTrigger.Event?
  /// X-APPLE-STRUCTURED-LOCATION.
  private(set) var apple: StructuredLocation?
  /// The line of ``apple``.
  private(set) var appleLine: ContentLine?
  private var outline: [Polygon] = []
  private var dwell: CalendarDuration?
  private var firesIfInside = false
  private var includesPassing = false
  private var frequency = ProximityTrigger.Frequency.always
  private var window: TimeWindow?
  private var devices: [String] = []
  /// KDE's X-LOCATION-RADIUS: arriving within this many metres of the item's own place.
  private var kdeRadius: Double?
  /// The lines that it read, to keep them if there is no trigger after all.
  private(set) var lines: [ContentLine] = []

  /// Reads a property; `false` if it is another one, or must be kept unchanged.
  mutating func read(_ line: ContentLine, _ property: PropertyName?) throws(InvalidValue) -> Bool {
    var text: String { TextValue.decode(line.bytes[line.valueRange]) }
    switch property {
    case .proximity, .appleProximity:
      switch line.word.uppercased() {
      case "ARRIVE": event = .enter
      case "DEPART": event = .leave
      default: return false  // CONNECT and DISCONNECT, of a car's Bluetooth: no place.
      }
    case .appleLocation where apple == nil:
      apple = AppleLocation.read(line)
      appleLine = line
    case .outline:
      outline = Outline.read(text)
      if outline.isEmpty { throw InvalidValue(message: "not a valid GeoJSON polygon") }
    case .dwell:
      guard let duration = CalendarDuration(text: text), duration.nominalSeconds > 0 else {
        throw InvalidValue(message: "'\(text.prefix(40))' is not a valid dwell time")
      }
      dwell = duration
    case .fireIfInside: firesIfInside = text.uppercased() == "TRUE"
    case .passing: includesPassing = text.uppercased() == "TRUE"
    case .frequency:
      guard let value = ProximityOptions.frequency(text) else {
        throw InvalidValue(message: "'\(text.prefix(40))' is not ALWAYS, DAILY or ONCE")
      }
      frequency = value
    case .window: window = try ProximityOptions.window(text)
    case .devices: devices = TextValue.decodeList(line.bytes, line.valueRange)
    case .kdeRadius:
      kdeRadius = GeoValue.readRadius(text)
      return false
    default: return false
    }
    lines.append(line)
    return true
  }

  /// The triggers: one for Apple's place; otherwise one for each of `components` (RFC 9074 allows several
  /// VLOCATIONs, the model one place for each alarm); otherwise one for KDE's radius at the place of the
  /// item.
  func triggers(components: [StructuredLocation], itemPlace: StructuredLocation?) -> [ProximityTrigger] {
    var event = event
    var places = apple.map { [$0] } ?? components
    if event == nil, let kdeRadius, var place = itemPlace {
      event = .enter
      place.radius = kdeRadius
      places = [place]
    }
    guard var event else { return [] }
    if let dwell, event == .enter { event = .dwell(seconds: dwell.nominalSeconds) }
    return places.map { place in
      var place = place
      if !outline.isEmpty { place.outline = outline }
      return ProximityTrigger(
        event, at: place, firesIfInside: firesIfInside, includesPassing: includesPassing,
        frequency: frequency, window: window, devices: devices)
    }
  }
}

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
