import FencepostActions
import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeocoding
import FencepostGeodesy
import FencepostItems
import FencepostJSON
import FencepostWebServer
import Synchronization

extension WebApp {
  static let placeRoutes: [Route] = [
    Route(
      "GET", "/places", .read, needsAllLists: true, "Places with a name",
      answer: .each("places", .named("NamedPlace"))
    ) { app, _ in
      try app.store.read { reader in
        app.list(
          "places",
          try reader.namedPlaces().map { place in
            StoreJSON.object(place, alarms: try reader.alarms(at: place).count)
          })
      }
    },
    Route(
      "PUT", "/places/{name}", .write, needsAllLists: true,
      "Keep a place under a name, or change it; its alarms come along. With a 'title' it gets that name",
      body: .named("PlaceChange"), answer: .named("NamedPlace")
    ) { app, call in
      var place = StructuredLocation(title: call["name"])
      try place.change(by: try call.json())
      guard place.region != nil else { throw APIError.invalid("a place needs a coordinate or an outline") }
      let (new, now) = (place, app.clock())
      let moved = try app.change("keep place \(place.title)") { writer in
        guard let old = try writer.reader.namedPlace(call["name"]) else {
          try writer.addPlace(new)
          return 0
        }
        return try writer.changePlace(old, to: new, at: now)
      }
      var line = StoreJSON.object(place)
      line.add("alarms_moved", moved)
      return .json(line.line)
    },
    Route("DELETE", "/places/{name}", .write, needsAllLists: true, "Forget a place") { app, call in
      guard try app.change("remove place \(call["name"])", { try $0.removeNamedPlace(call["name"]) }) else {
        throw APIError.notFound("no place '\(call["name"])'")
      }
      return HTTPResponse(status: 204)
    },
    Route(
      "GET", "/places/find", .read, pages: .also, query: ["text"], "Places by name, coordinate or link",
      answer: .each("found", .named("NamedPlace"))
    ) { app, call in
      app.list(
        "found",
        try app.findPlaces(call.field("text") ?? "", call.principal).map { place, origin in
          var line = StoreJSON.object(place)
          line.add("from", origin)
          return line
        })
    },
    Route(
      "GET", "/places/search", .read, needsAllLists: true, isSlow: true, query: ["text"],
      "Places by name from the server of the setting 'geocoder', those near the last position first",
      answer: .object([
        "found": .list(.named("NamedPlace")), "server": .text, "attribution": JSONSchema.text.orNull,
      ])
    ) { app, call in
      try app.searchPlaces(call.field("text") ?? "", language: call.request.head.headers["accept-language"])
    },
    Route(
      "GET", "/fences", .read, "The places that open reminders and coming events watch",
      answer: .each(
        "fences",
        .object([
          "alarm": .text, "item": .named("Brief"), "color": JSONSchema.text.orNull,
          "event": .words("enter", "leave", "dwell"), "place": .named("Place"),
        ]))
    ) { app, call in
      try app.store.read { reader in
        let lists = try app.lists(call.principal, in: reader)
        var fences: [StoredFence] = []
        try reader.forEachFence { if fences.count < WebApp.maximumFences { fences.append($0) } }
        var objects: [JSONLine] = []
        for fence in fences {
          guard let item = try reader.item(fence.item), let list = lists[item.calendar] else { continue }
          var line = JSONLine()
          line.add("alarm", fence.alarm.rawValue)
          line.add("item", ItemSummary(of: item, list: list.title).json)
          line.add("color", list.color?.hexadecimal)
          line.add("event", fence.trigger.event.name)
          line.add("place", fence.trigger.location.wholeJSON)
          objects.append(line)
        }
        return app.list("fences", objects)
      }
    },
  ]

  /// The host of an address, without a user and password before it.
  static func host(_ address: String) -> String {
    let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
    let authority = rest.prefix { $0 != "/" }
    return String(authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority)
  }

  private func searchPlaces(_ text: String, language: String?) throws -> HTTPResponse {
    guard let address = surroundings.geocoder, let server = GeocodingServer(address) else {
      throw APIError.conflict("no server for places is set; set 'geocoder' in the settings")
    }
    guard text.contains(where: { !$0.isWhitespace }), text.utf8.count <= 300 else {
      throw APIError.invalid("'text' must be the name of a place, or an address")
    }
    let host = Self.host(address)
    guard geocodings.withLock({ $0.take(of: host, at: .now) }) else {
      return APIError.problem(429, "Too many searches", "wait a second").with(["Retry-After": "1"])
    }
    let here = try store.read { try $0.devices().latest }?.1.coordinate
    let found: [GeocodedPlace]
    do {
      found = try server.places(named: text, near: here, language: language)
    } catch {
      return APIError.problem(502, "No answer", "\(error)")
    }
    func distance(_ place: GeocodedPlace) -> Double {
      here.map { Geodesic.distance(from: $0, to: place.coordinate) } ?? .infinity
    }
    let near = found.filter { distance($0) < Self.nearby }.sorted { distance($0) < distance($1) }
    let far = found.filter { distance($0) >= Self.nearby }
    var line = JSONLine()
    line.add(
      "found",
      (near + far).map { place in
        var location = StructuredLocation(title: place.name ?? text, coordinate: place.coordinate)
        location.address = place.address.line
        if let radius = place.radius, radius > 100 { location.radius = min(radius.rounded(), 20_000) }
        var one = StoreJSON.object(location)
        one.add("from", "geocoder")
        return one
      })
    line.add("server", host)
    line.add(
      "attribution",
      host.hasSuffix("openstreetmap.org") ? "© OpenStreetMap contributors" : nil as String?)
    return .json(line.line)
  }

  /// The metres within which a place is near.
  private static let nearby = 50_000.0

  /// More fences on a map are not distinguishable.
  private static let maximumFences = 2_000

  /// The names of places that a line may mean.
  func placeNames(_ principal: Principal) throws -> [String] {
    guard principal.lists == nil, !principal.isPage else { return [] }
    return try store.read { try $0.namedPlaces().map(\.title) }
  }

  /// The place that a line means by `@NAME`, as on the command line; `nil` if there is none. It is never one
  /// that only has a similar name: the alarm would wait in the wrong place.
  func place(called name: String, _ principal: Principal) throws -> StructuredLocation? {
    let (found, wanted) = (try findPlaces(name, principal), name.lowercased())
    let meant =
      found.first { $0.place.title == name }
      ?? found.first {
        $0.place.title.lowercased() == wanted || ["coordinate", "link", "device"].contains($0.origin)
      }
    return meant?.place
  }

  /// The possible places for a text, the most probable first.
  func findPlaces(
    _ text: String, _ principal: Principal
  ) throws -> [(place: StructuredLocation, origin: String)] {
    let wanted = text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !wanted.isEmpty else { return [] }
    if let coordinate = CoordinateText.coordinate(text) {
      let origin = text.contains("://") ? "link" : "coordinate"
      return [(StructuredLocation(title: "\(coordinate)", coordinate: coordinate), origin)]
    }
    // The app need not know the user's places.
    if principal.isPage { return [] }
    return try store.read { reader in
      let named = principal.lists == nil ? try reader.namedPlaces() : []
      var found = named.filter { $0.title.lowercased().contains(wanted) }.map { ($0, "place") }
      found.sort { ($0.0.title.lowercased() != wanted ? 1 : 0) < ($1.0.title.lowercased() != wanted ? 1 : 0) }
      if wanted == "here", principal.lists == nil, let (name, fix) = try reader.devices().latest {
        found.append((StructuredLocation(title: name, coordinate: fix.coordinate), "device"))
      }
      let lists = try lists(principal, in: reader)
      for item in try reader.items(matching: text, limit: 200) where lists[item.calendar] != nil {
        let places =
          [item.structuredLocation].compactMap(\.self) + item.alarms.compactMap(\.proximity?.location)
        for place in places where place.coordinate != nil && place.title.lowercased().contains(wanted) {
          guard found.count < 20, !found.contains(where: { $0.0.title == place.title }) else { continue }
          found.append((place, "item"))
        }
      }
      return found.map { (place: $0.0, origin: $0.1) }
    }
  }
}

extension PostalAddress {
  /// The address in a line; `nil` if nothing is known of it.
  fileprivate var line: String? {
    let street = [street, houseNumber].compactMap(\.self).joined(separator: " ")
    let town = [postalCode, city ?? suburb].compactMap(\.self).joined(separator: " ")
    let parts = [street, town, country ?? ""].filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
