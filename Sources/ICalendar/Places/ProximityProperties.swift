import CalendarModel

/// What a VALARM says of a place, from which its proximity trigger is made: PROXIMITY (RFC 9074, section 8.1),
/// Apple's X-APPLE-PROXIMITY, and Fencepost's own options.
struct ProximityProperties {
  private var event: ProximityTrigger.Event?
  /// X-APPLE-STRUCTURED-LOCATION.
  private(set) var apple: StructuredLocation?
  /// The line that told it.
  private(set) var appleLine: ContentLine?
  private var outline: [Polygon] = []
  private var dwell: CalendarDuration?
  private var firesIfInside = false
  private var frequency = ProximityTrigger.Frequency.always
  private var window: TimeWindow?
  private var devices: [String] = []
  /// KDE's X-LOCATION-RADIUS: arriving at the item's own place, within so many metres.
  private var kdeRadius: Double?
  /// The lines that were taken, to be kept where there turns out to be no trigger.
  private(set) var lines: [ContentLine] = []

  /// Takes a property; `false` where it is none of these, or one that has to be kept as it stands.
  mutating func read(_ line: ContentLine, _ property: PropertyName?) throws(BrokenValue) -> Bool {
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
      if outline.isEmpty { throw BrokenValue(message: "no GeoJSON polygon") }
    case .dwell:
      guard let duration = CalendarDuration(text: text), duration.nominalSeconds > 0 else {
        throw BrokenValue(message: "'\(text.prefix(40))' is no time to stay")
      }
      dwell = duration
    case .fireIfInside: firesIfInside = text.uppercased() == "TRUE"
    case .frequency:
      guard let value = ProximityOptions.frequency(text) else {
        throw BrokenValue(message: "'\(text.prefix(40))' is not ALWAYS, DAILY or ONCE")
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

  /// The triggers: one for Apple's place, else one for each of `components` (RFC 9074 allows several
  /// VLOCATIONs, the model one place an alarm), else for KDE's radius one for the place of the item.
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
        event, at: place, firesIfInside: firesIfInside, frequency: frequency, window: window,
        devices: devices)
    }
  }
}
