import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCartography
import FencepostGeodesy
import FencepostGeofencing
import FencepostItems
import FencepostJSON
import FencepostPhrases
import FencepostRecurrence
import FencepostWebServer

extension WebApp {
  static let deviceRoutes: [Route] = [
    Route(
      "GET", "/devices", .read, needsAllLists: true, "Where devices were last",
      answer: .each("devices", .named("Device"))
    ) { app, _ in
      try app.store.read { reader in
        app.list(
          "devices", try reader.devices().filter { $0.lastFix != nil }.map { try app.object($0, in: reader) })
      }
    },
    Route(
      "POST", "/positions", .positions, query: ["device"], "Tell where a device is",
      body: .object([
        "latitude": .number(-90...90), "longitude": .number(-180...180),
        "accuracy?": JSONSchema.number(0...1e7).orNull, "speed?": JSONSchema.number(0...1_000).orNull,
        "course?": JSONSchema.number(0...360).orNull, "altitude?": JSONSchema.number(-20_000...1e6).orNull,
        "time?": .moment,
      ])
    ) { app, call in
      let fix = try app.fix(try call.json())
      let name: String
      if call.principal.isClient {
        name = call.principal.name
      } else {
        name = call.field("device") ?? "browser"
      }
      guard name.utf8.count <= 255, !name.unicodeScalars.contains(where: \.isControl), !name.isEmpty else {
        throw APIError.invalid("a device's name has at most 255 bytes and no control characters")
      }
      guard app.takePosition(fix, name) else {
        return APIError.problem(503, "Not available", "the position can't be kept now; send it again later")
          .with(["Retry-After": "10"])
      }
      return HTTPResponse(status: 204)
    },
    Route(
      "GET", "/days/{day}", .read, needsAllLists: true, query: ["device", "replay"],
      "Why alarms went off on a day, or did not: as it was recorded, or replayed over today's fences",
      answer: .object([
        "day": .day, "device": .text, "fixes": .integer, "recorded": .flag,
        "notes": .list(
          .object([
            "time": .moment, "place": JSONSchema.text.orNull, "text": .text, "kind": .text,
            "latitude": JSONSchema.number.orNull, "longitude": JSONSchema.number.orNull,
          ])),
      ])
    ) {
      app, call in
      guard let device = call.field("device") else { throw APIError.invalid("'device' is missing") }
      let lists = try app.store.read { try app.lists(call.principal, in: $0) }
      let day = try app.day(call)
      let isReplay = call.field("replay") == "true"
      return .json(
        try isReplay
          ? DayReasons.answer(app, device: device, day: day, lists: lists).line
          : app.records(of: device, day: day, lists: lists).line)
    },
    Route(
      "GET", "/tracks", .read, needsAllLists: true, query: ["device", "day", "points"],
      "The way of a device on a day; without `device`, of the one that moved last",
      answer: .object([
        "device": JSONSchema.text.orNull, "day": .day, "from": .moment, "until": .moment, "fixes": .integer,
        "points": .list(.list(JSONSchema.number.orNull)),
      ])
    ) {
      app, call in
      let start = try app.day(call)
      let most = try call.integer("points", in: 64...100_000, otherwise: 5_000)
      var device = call.field("device")
      var simplifier = TrackSimplifier(vertexLimit: most)
      var count = 0
      try app.store.read { reader in
        if device == nil { device = try reader.devices().latest?.name }
        guard let device else { return }
        try reader.forEachPosition(of: device, from: start.from, until: start.until) { _, fix in
          simplifier.add(fix)
          count += 1
          return true
        }
      }
      let points = simplifier.tracks.flatMap(\.segments).joined().map { point in
        let second = point.time.seconds(since: start.from)
        let accuracy = point.accuracy.map { "\($0)" } ?? "null"
        return "[\(second),\(point.coordinate.latitude),\(point.coordinate.longitude),\(accuracy)]"
      }
      var line = JSONLine()
      line.add("device", device)
      line.add("day", "\(start.day)")
      // A day with a clock change is shorter or longer than others.
      line.add("from", app.firingLines.text(start.from))
      line.add("until", app.firingLines.text(start.until))
      line.add("fixes", count)
      line.add("points", json: "[" + points.joined(separator: ",") + "]")
      return .json(line.line)
    },
  ]

  /// The day of the query, with its start and end.
  func day(_ call: Route.Call) throws -> (day: CivilDay, from: Instant, until: Instant) {
    let text = call.field("day") ?? call["day"]
    let day = text.isEmpty ? resolver.floating.civil(at: clock()).day : try dates().day(text)
    return (day, resolver.instant(of: .date(day)), resolver.instant(of: .date(day.adding(days: 1))))
  }

  private func object(_ device: StoredDevice, in reader: borrowing StoreReader) throws -> JSONLine {
    var line = JSONLine()
    line.add("name", device.name)
    guard let fix = device.lastFix else { return line }
    line.add("time", firingLines.text(fix.time))
    line.add("latitude", fix.coordinate.latitude)
    line.add("longitude", fix.coordinate.longitude)
    line.add("accuracy", fix.horizontalAccuracy)
    line.add("speed", fix.speed)
    line.add("course", fix.course)
    if let battery = fix.battery { line.add("battery", Int(battery)) }
    let places = try reader.namedPlaces()
    let fences = places.enumerated().compactMap { number, place in
      place.region.map { Fence(id: FenceID(rawValue: Int64(number)), region: $0) }
    }
    let here = fix.coordinate.isValid ? FenceIndex(fences).fences(containing: fix.coordinate) : []
    line.add("places", here.map { places[Int($0.rawValue)].title }.sorted())
    return line
  }

  /// The start of 2000: no device with a right clock was earlier.
  private static let earliestFix = Instant(microseconds: 946_684_800_000_000)

  /// A position as a browser tells it (Geolocation API).
  private func fix(_ json: JSONValue) throws(APIError) -> Fix {
    func number(_ key: String, _ range: ClosedRange<Double>) throws(APIError) -> Double? {
      guard let value = json[key], !value.isNull else { return nil }
      guard let number = value.number, range.contains(number) else {
        throw .invalid("must be a number from \(range.lowerBound) to \(range.upperBound)", pointer: "/\(key)")
      }
      return number
    }
    guard let latitude = try number("latitude", -90...90), let longitude = try number("longitude", -180...180)
    else {
      throw .invalid("a position needs latitude and longitude")
    }
    var time = clock()
    if let text = json["time"]?.text {
      guard let read = Instant(rfc3339: text) else {
        throw .invalid("must be a time of RFC 3339", pointer: "/time")
      }
      guard read >= Self.earliestFix else {
        throw .invalid("must be 2000 or later; is the device's clock right?", pointer: "/time")
      }
      time = read
    }
    var fix = Fix(
      time: time,
      coordinate: Coordinate(latitude: latitude, longitude: longitude))
    fix.horizontalAccuracy = try number("accuracy", 0...1e7)
    fix.speed = try number("speed", 0...1_000)
    fix.course = try number("course", 0...360)
    fix.altitude = try number("altitude", -20_000...1e6)
    return fix
  }
}
