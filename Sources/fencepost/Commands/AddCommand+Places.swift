import CalendarModel
import CommandLineTable
import Foundation
import Geodesy
import ICalendar

extension CommandContext {
  /// The alarms that `--arrive`, `--leave` and `--fence` ask for.
  func placeAlarms() throws -> [Alarm] {
    var places: [(ProximityTrigger.Event, StructuredLocation)] = []
    let radius = try parsed.value("radius", as: LengthPhrase.metres) ?? 0
    for (option, event) in [("arrive", ProximityTrigger.Event.enter), ("leave", .leave)] {
      guard let coordinate = try parsed.value(option, as: CoordinatePhrase.coordinate) else { continue }
      let title = parsed.value("place-name") ?? "\(coordinate)"
      places.append((event, StructuredLocation(title: title, coordinate: coordinate, radius: radius)))
    }
    if let path = parsed.value("fence") {
      let place = try outlinedPlace(path)
      let when = parsed.value("when") ?? "arrive"
      if when != "leave" { places.append((.enter, place)) }
      if when != "arrive" { places.append((.leave, place)) }
    }
    if places.isEmpty {
      let stray = CommandContext.placeOptions.first { parsed.argument($0)?.index != nil }
      if let stray {
        throw CommandError("--\(stray) says more of a place; say --arrive, --leave or --fence as well")
      }
      return []
    }
    return try places.map { event, place in Alarm(proximity: try trigger(event, at: place)) }
  }

  /// What is only said of a place.
  private static let placeOptions = [
    "radius", "place-name", "when", "dwell", "if-inside", "times", "between", "on", "not-before", "not-after",
    "device",
  ]

  private func outlinedPlace(_ path: String) throws -> StructuredLocation {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandError("\(path): cannot be read; name a GeoJSON file")
    }
    let outline = Outline.read(String(decoding: data, as: UTF8.self))
    guard let first = outline.first?.exterior.first else {
      throw CommandError("\(path): has no polygon that can be used; GeoJSON's Polygon and MultiPolygon can")
    }
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    return StructuredLocation(
      title: parsed.value("place-name") ?? name, coordinate: first, outline: outline)
  }

  private func trigger(
    _ event: ProximityTrigger.Event, at place: StructuredLocation
  ) throws -> ProximityTrigger {
    var trigger = ProximityTrigger(event, at: place)
    if let stay = try parsed.value("dwell", as: span) {
      guard stay.nominalSeconds > 0 else { throw CommandError("--dwell is a time inside, such as 10m") }
      if event == .enter { trigger.event = .dwell(seconds: stay.nominalSeconds) }
    }
    trigger.firesIfInside = parsed.flag("if-inside")
    trigger.frequency =
      switch parsed.value("times") {
      case "once": .once
      case "daily": .oncePerDay
      default: .always
      }
    trigger.devices = parsed.values("device")
    let window = TimeWindow(
      hours: try parsed.value("between", as: HoursPhrase.hours),
      weekdays: Set(try parsed.value("on", as: RepeatPhrase.weekdays) ?? []),
      firstDay: try parsed.value("not-before", as: dates.time)?.day,
      lastDay: try parsed.value("not-after", as: dates.time)?.day)
    if window != TimeWindow() { trigger.window = window }
    return trigger
  }
}
