import FencepostCalendarModel
import FencepostCommandLineTable
import FencepostGeodesy
import FencepostICalendar
import FencepostPhrases
import FencepostSystem
import FoundationEssentials

extension FencepostTable {
  /// The radius of a place without one, as an option.
  static let usualRadius = "\(Int(StructuredLocation.defaultRadius))m"

  static let placeOptions: [Option] = [
    .value(
      .arrive, "PLACE", completion: .program("places"), category: "Place",
      "Alarm on arrival: `LAT,LON`, or a name from `fencepost places`"),
    .value(.leave, "PLACE", completion: .program("places"), category: "Place", "Alarm on departure"),
    .value(
      .radius, "LENGTH", default: usualRadius, category: "Place", "Radius of the place, such as `150m`"),
    .value(.placeName, "NAME", category: "Place", "Name of the place"),
    .value(
      .fence, "FILE.geojson", completion: .file(extensions: ["geojson", "json"]), category: "Place",
      "Alarm at the polygons of this file"),
    .value(
      .when, "EVENT", completion: .choices(["arrive", "leave", "both"]), default: "arrive",
      category: "Place",
      "With `--fence`, alarm on arrival, on departure or both"),
    .value(.dwell, "SPAN", category: "Place", "Alarm after this long inside instead of on arrival"),
    .flag(
      .ifInside, negatable: true, category: "Place", "Alarm at once if a device is already inside"),
    .flag(
      .passing, negatable: true, category: "Place", "Also alarm when a device only passes by"),
    .value(
      .times, "OFTEN", completion: .choices(["always", "daily", "once"]), default: "always",
      category: "Place",
      "Alarm at every crossing, at the first of each day, or only once"),
    .value(
      .between, "FROM-TO", category: "Place",
      "Place alarm only in these hours, such as `08:00-18:30`"),
    .value(
      .on, "DAYS", category: "Place", "Place alarm only on these days: `weekdays`, `sat, sun`"),
    .value(.notBefore, "DATE", category: "Place", "Place alarm only from this day on"),
    .value(.notAfter, "DATE", category: "Place", "Place alarm only until this day"),
    .value(
      .device, "NAME", repeatable: true, completion: .program("devices"), category: "Place",
      "Place alarm only for this device"),
  ]
}

extension CommandContext {
  /// `--radius`. Warns of a radius that is smaller than the usual errors of positions.
  func radius() throws -> Double? {
    let radius = try parsed.value(.radius, as: LengthPhrase.radius)
    if let radius, radius < StructuredLocation.sensibleRadius {
      console.say(
        "fencepost: a radius of \(LengthPhrase.text(radius)) is less than the usual error of a position, so the"
          + " alarm may not go off; use \(LengthPhrase.text(StructuredLocation.sensibleRadius)) or more")
    }
    return radius
  }

  /// The alarms of `--arrive`, `--leave` and `--fence`, and another one, which the options change likewise.
  func placeAlarms(beside alarm: Alarm? = nil) throws -> [Alarm] {
    var places: [(ProximityTrigger.Event, StructuredLocation)] = []
    let radius = try radius()
    let given: [(StructuredLocation?, ProximityTrigger.Event)] = [
      (alarm?.proximity?.location, alarm?.proximity?.event ?? .enter),
      (try parsed.value(.arrive, as: place), .enter), (try parsed.value(.leave, as: place), .leave),
    ]
    for (given, event) in given {
      guard var place = given else { continue }
      if let name = parsed.value(.placeName) { place.title = name }
      if let radius, place.outline.isEmpty { place.radius = radius }
      places.append((event, place))
    }
    if let path = parsed.value(.fence) {
      let place = try outlinedPlace(path)
      let when = parsed.value(.when) ?? "arrive"
      if when != "leave" { places.append((.enter, place)) }
      if when != "arrive" { places.append((.leave, place)) }
    }
    return try places.map { event, place in
      var trigger = ProximityTrigger(event, at: place)
      try limit(&trigger)
      return Alarm(proximity: trigger)
    }
  }

  /// The first given option that needs a place.
  var strayPlaceOption: String? {
    let keys: [ValueKey] = [
      .radius, .placeName, .when, .dwell, .times, .between, .on, .notBefore, .notAfter, .device,
    ]
    return keys.first(where: parsed.isTyped)?.name
      ?? [FlagKey.ifInside, .passing].first(where: parsed.isTyped)?.name
  }

  /// The place with the outline of a GeoJSON file.
  func outlinedPlace(_ path: String) throws -> StructuredLocation {
    let outline = Outline.read(String(decoding: try WholeFile.read(path), as: UTF8.self))
    guard let first = outline.first?.exterior.first else {
      throw CommandError("\(path): has no Polygon or MultiPolygon")
    }
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    return StructuredLocation(
      title: parsed.value(.placeName) ?? name, coordinate: first,
      outline: outline)
  }

  /// Applies the options that limit a place alarm. Other limits stay.
  func limit(_ trigger: inout ProximityTrigger) throws {
    if let stay = try parsed.value(.dwell, as: span) {
      guard stay.nominalSeconds > 0 else { throw parsed.misuse("--dwell must be a duration, such as 10m") }
      if trigger.event != .leave { trigger.event = .dwell(seconds: stay.nominalSeconds) }
    }
    trigger.firesIfInside = parsed.flag(.ifInside, otherwise: trigger.firesIfInside)
    trigger.includesPassing = parsed.flag(.passing, otherwise: trigger.includesPassing)
    switch parsed.value(.times) {
    case "once": trigger.frequency = .once
    case "daily": trigger.frequency = .oncePerDay
    case "always": trigger.frequency = .always
    default: break
    }
    if parsed.argument(.device) != nil { trigger.devices = parsed.values(.device) }
    var window = trigger.window ?? TimeWindow()
    if let hours = try parsed.value(.between, as: HoursPhrase.hours) { window.hours = hours }
    if let days = try parsed.value(.on, as: RepeatPhrase.weekdays) { window.weekdays = Set(days) }
    if let first = try parsed.value(.notBefore, as: dates.day) { window.firstDay = first }
    if let last = try parsed.value(.notAfter, as: dates.day) { window.lastDay = last }
    if let first = window.firstDay, let last = window.lastDay, last < first {
      throw parsed.misuse("--not-after \(last) is before --not-before \(first)")
    }
    trigger.window = window == TimeWindow() ? nil : window
  }
}
