import FencepostCalendarModel

/// The properties of a VALARM for its proximity trigger: PROXIMITY (RFC 9074, section 8.1), Apple's X-APPLE-PROXIMITY,
/// and Fencepost's own options.
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

  /// The triggers: one for Apple's place; otherwise one for each of `components` (RFC 9074 allows several VLOCATIONs,
  /// the model one place for each alarm); otherwise one for KDE's radius at the place of the item.
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
