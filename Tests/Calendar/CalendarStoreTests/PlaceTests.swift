import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostTestSupport
import Testing

@Suite("Places and fences through the spatial index")
struct PlaceTests {
  /// Difficult points, and an easy one.
  static let centers = [
    Coordinate(latitude: 52.5, longitude: 13.4), Coordinate(latitude: 0, longitude: 0),
    Coordinate(latitude: -17, longitude: 180), Coordinate(latitude: 66, longitude: -179.999),
    Coordinate(latitude: 65, longitude: 179.99), Coordinate(latitude: 90, longitude: 0),
    Coordinate(latitude: -90, longitude: 50), Coordinate(latitude: 89.9, longitude: -120),
    Coordinate(latitude: -89.95, longitude: 179.9),
  ]

  private func reminder(
    at location: StructuredLocation, in list: Identifier<ItemCalendar>
  ) -> CalendarItem {
    var item = CalendarItem(calendar: list, title: "Errand", details: .reminder(ReminderDetails()))
    item.alarms = [Alarm(proximity: ProximityTrigger(.enter, at: location))]
    return item
  }

  @Test("The places near a point are those that geodesics find, nearest first", arguments: centers)
  func near(center: Coordinate) throws {
    let seed: UInt64 = 17
    var model = RandomModel(seed: seed)
    let store = try CalendarStore()
    let items = try store.write { writer in
      let list = try writer.defaultCalendar(for: .reminders)
      let items = (0..<300).map { _ in
        let away = model.double(0...1) < 0.5 ? model.double(0...3_000) : model.double(0...400_000)
        let point = Geodesic.destination(from: center, azimuth: model.double(-180...180), metres: away)
        return reminder(
          at: StructuredLocation(title: "Shop", coordinate: point, radius: model.double(1...9_000)),
          in: list.id)
      }
      try writer.saveAll(items)
      return items
    }
    for metres in [0, 100, 1_500, 2_999, 50_000, 399_000] as [Double] {
      let expected =
        try items.map { item in
          let place = try #require(item.alarms[0].proximity?.location.coordinate)
          let radius = try #require(item.alarms[0].proximity?.location.radius)
          return (item.id, max(0, Geodesic.distance(from: center, to: place) - radius))
        }
        .enumerated().filter { $0.1.1 <= metres }
        .sorted { ($0.1.1, $0.0) < ($1.1.1, $1.0) }.map(\.1)
      let found = try store.read { try $0.places(near: center, within: metres) }
      #expect(found.map(\.item.id) == expected.map(\.0), "seed \(seed), \(center), \(metres) m")
      #expect(found.map(\.distance) == expected.map(\.1))
      #expect(found.allSatisfy { $0.alarm == $0.item.alarms[0] })
    }
    #expect(try store.read { try $0.places(near: center, within: 399_000, limit: 3) }.count == 3)
  }

  @Test(
    "The distance of an outline is that of the nearest point of its edges, and 0 inside",
    arguments: [
      (Coordinate(latitude: 10, longitude: 20), 2.0), (Coordinate(latitude: -33, longitude: 180), 1),
      (Coordinate(latitude: 89.2, longitude: 5), 0.5), (Coordinate(latitude: 0, longitude: 0), 0.01),
    ] as [(Coordinate, Double)])
  func outlines(center: Coordinate, size: Double) throws {
    // A square with a hole of a quarter of its width in the middle.
    func square(_ side: Double) -> [Coordinate] {
      let reach = side / 2 * 111_000 * 2.0.squareRoot()
      return [45.0, 135, 225, 315].map {
        Geodesic.destination(from: center, azimuth: $0, metres: reach)
      }
    }
    let (exterior, hole) = (square(size), square(size / 4))
    var place = StructuredLocation(title: "Park")
    place.outline = [Polygon(exterior: exterior, holes: [hole])]
    let store = try CalendarStore()
    try store.write { writer in
      try writer.save(reminder(at: place, in: try writer.defaultCalendar(for: .reminders).id))
    }
    func nearest(_ point: Coordinate, _ ring: [Coordinate]) -> Double {
      zip(ring, ring.dropFirst() + ring.prefix(1)).flatMap { a, b in
        (0...4_000).map {
          Geodesic.distance(
            from: point, to: Geodesic.interpolate(from: a, to: b, fraction: Double($0) / 4_000))
        }
      }.min() ?? .infinity
    }
    for (part, azimuth) in [(0.0, 0.0), (0.05, 70), (0.3, 10), (0.45, 95), (0.8, 200), (1.5, 300)] {
      let point = Geodesic.destination(from: center, azimuth: azimuth, metres: part * size * 111_000)
      let expected = part < 0.12 ? nearest(point, hole) : part < 0.5 ? 0 : nearest(point, exterior)
      let found = try store.read { try $0.places(near: point, within: 500_000) }
      let distance = try #require(found.first?.distance)
      #expect(abs(distance - expected) <= expected * 0.005 + 0.5, "\(part): \(distance), not \(expected)")
    }
  }

  @Test("An item's own place is found too, and done items are not")
  func ownPlace() throws {
    let store = try CalendarStore()
    let center = Coordinate(latitude: 52.5, longitude: 13.4)
    try store.write { writer in
      let list = try writer.defaultCalendar(for: .reminders)
      var item = CalendarItem(calendar: list.id, title: "Meet", details: .reminder(ReminderDetails()))
      item.structuredLocation = StructuredLocation(title: "Café", coordinate: center)
      try writer.save(item)
      item.id = .random()
      item.reminder?.isCompleted = true
      try writer.save(item)
    }
    let found = try store.read { try $0.places(near: center, within: 10) }
    #expect(found.count == 1)
    #expect(found.first?.alarm == nil)
    #expect(found.first?.location.title == "Café")
    let all = try store.read { try $0.places(near: center, within: 10, includesSilenced: true) }
    #expect(all.count == 2)
  }

  @Test("A box around a circle contains every point of it", arguments: centers)
  func circleBoxes(center: Coordinate) {
    for radius in [0, 0.01, 1, 100, 10_000, 1_000_000, 9_000_000, 30_000_000] as [Double] {
      let box = BoundingBox(center: center, radius: radius)
      let points = stride(from: -180.0, to: 180, by: 3).flatMap { azimuth in
        [1, 0.999, 0.5].map { share in
          Geodesic.destination(from: center, azimuth: azimuth, metres: radius * share)
        }
      }
      #expect(points.filter { !box.contains($0) } == [], "\(center) \(radius) m")
    }
  }

  @Test("A box around a polygon contains every point of its edges", arguments: centers)
  func polygonBoxes(center: Coordinate) throws {
    let seed: UInt64 = 23
    var model = RandomModel(seed: seed)
    for size in [50.0, 20_000, 900_000] {
      for _ in 0..<20 {
        // Star-shaped around the center.
        let ring = stride(from: -180.0, to: 180, by: 40).map {
          Geodesic.destination(from: center, azimuth: $0, metres: model.double(size / 3...size))
        }
        let box = try #require(BoundingBox(.polygons([Polygon(exterior: ring)])))
        let points = zip(ring, ring.dropFirst() + ring.prefix(1)).flatMap { vertex, next in
          stride(from: 0, through: 1, by: 0.1).map {
            Geodesic.interpolate(from: vertex, to: next, fraction: $0)
          }
        }
        #expect(points.filter { !box.contains($0) } == [], "seed \(seed) \(center) \(size) m")
        #expect(box.contains(center))
      }
    }
  }

  @Test("A box around several polygons contains each, on the shorter way around")
  func severalPolygons() throws {
    func square(_ longitude: Double) -> Polygon {
      Polygon(exterior: [
        Coordinate(latitude: 0, longitude: longitude), Coordinate(latitude: 0, longitude: longitude + 1),
        Coordinate(latitude: 1, longitude: longitude + 1), Coordinate(latitude: 1, longitude: longitude),
      ])
    }
    let box = try #require(BoundingBox(.polygons([square(178), square(-179)])))
    #expect(box.west > 177 && box.east < -177)
    #expect(box.unwrapped.count == 2)
  }

  @Test("An invalid region has no box")
  func noBox() {
    let nowhere = Coordinate(latitude: 91, longitude: 0)
    #expect(BoundingBox(.circle(center: nowhere, radius: 1)) == nil)
    #expect(BoundingBox(.circle(center: Coordinate(latitude: .nan, longitude: 0), radius: 1)) == nil)
    #expect(BoundingBox(.circle(center: Self.centers[0], radius: .infinity)) == nil)
    #expect(BoundingBox(.polygons([])) == nil)
    #expect(BoundingBox(.polygons([Polygon(exterior: [nowhere])])) == nil)
    #expect(BoundingBox(.polygons([Polygon(exterior: [])])) == nil)
  }

  @Test("The fences in a box are those whose circle reaches into it", arguments: centers)
  func fencesInBox(center: Coordinate) throws {
    let seed: UInt64 = 29
    var model = RandomModel(seed: seed)
    let store = try CalendarStore()
    let items = try store.write { writer in
      let list = try writer.defaultCalendar(for: .reminders)
      let items = (0..<200).map { _ in
        let point = Geodesic.destination(
          from: center, azimuth: model.double(-180...180), metres: model.double(0...200_000))
        return reminder(
          at: StructuredLocation(title: "Shop", coordinate: point, radius: model.double(1...50_000)),
          in: list.id)
      }
      try writer.saveAll(items)
      return items
    }
    for radius in [1.0, 10_000, 100_000] {
      let box = BoundingBox(center: center, radius: radius)
      var found: Set<Identifier<Alarm>> = []
      try store.read { reader throws in
        try reader.forEachFence(in: box) { fence in
          // Each comes once.
          #expect(found.insert(fence.alarm).inserted)
        }
      }
      for item in items {
        guard case .circle(let point, let reach)? = item.alarms[0].proximity?.location.region else {
          Issue.record("no circle")
          continue
        }
        // Fences that reach the circle must be found, and those that end far outside the box must not.
        let gap = Geodesic.distance(from: center, to: point) - reach - radius
        if gap <= 0 { #expect(found.contains(item.alarms[0].id), "seed \(seed) \(center) \(radius) m") }
      }
      if radius == 1 && abs(center.latitude) < 80 { #expect(found.count < items.count / 2) }
    }
  }

  @Test("Fences around one point share an extent, and each is found")
  func sharedExtents() throws {
    let store = try CalendarStore()
    let center = Self.centers[2]
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    func alarm(_ event: ProximityTrigger.Event, _ point: Coordinate, _ radius: Double) -> Alarm {
      let place = StructuredLocation(title: "Shop", coordinate: point, radius: radius)
      return Alarm(proximity: ProximityTrigger(event, at: place))
    }
    func found(_ point: Coordinate) throws -> Set<Identifier<Alarm>> {
      var alarms: [Identifier<Alarm>] = []
      try store.read { reader in
        try reader.forEachFence(in: BoundingBox(center: point, radius: 1)) { alarms.append($0.alarm) }
        let near = try reader.places(near: point, within: 1)
        #expect(near.allSatisfy { place in alarms.contains { $0 == place.alarm?.id } })
      }
      #expect(Set(alarms).count == alarms.count)
      return Set(alarms)
    }
    let far = Geodesic.destination(from: center, azimuth: 45, metres: 90_000)
    let atEdge = Geodesic.destination(from: center, azimuth: 90, metres: 140)
    var item = CalendarItem(calendar: list.id, title: "Errand", details: .reminder(ReminderDetails()))
    item.alarms = [
      alarm(.enter, center, 100), alarm(.leave, center, 150),
      alarm(.enter, far, 300), alarm(.leave, far, 200), alarm(.leave, center, 50),
    ]
    var next = reminder(at: StructuredLocation(title: "Next", coordinate: center, radius: 10), in: list.id)
    next.alarms += [alarm(.leave, center, 10)]
    try store.write { try $0.saveAll([item, next]) }
    let alarms = item.alarms.map(\.id)
    let others = Set(next.alarms.map(\.id))
    #expect(try found(center) == others.union([alarms[0], alarms[1], alarms[4]]))
    // The arrival shares the larger box of the departure.
    #expect(try found(atEdge) == [alarms[0], alarms[1]])
    #expect(try found(far) == [alarms[2], alarms[3]])
    // The first of a pair goes.
    item.alarms.remove(at: 0)
    item.alarms.remove(at: 1)
    try store.write { try $0.save(item) }
    #expect(try found(atEdge) == [alarms[1]])
    #expect(try found(far) == [alarms[3]])
  }

  @Test("All fences are those of active items with a known place, and keep their numbers")
  func allFences() throws {
    let store = try CalendarStore()
    let place = StructuredLocation(title: "Shop", coordinate: Self.centers[0])
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    func fences() throws -> [StoredFence] {
      var fences: [StoredFence] = []
      try store.read { try $0.forEachFence { fences.append($0) } }
      return fences
    }
    var item = reminder(at: place, in: list.id)
    item.alarms += [
      Alarm(trigger: .absolute(.epoch)),
      Alarm(proximity: ProximityTrigger(.leave, at: StructuredLocation(title: "Somewhere"))),
    ]
    try store.write { try $0.save(item) }
    let before = try fences()
    #expect(before.map(\.alarm) == [item.alarms[0].id])
    #expect(before.map(\.item) == [item.id])
    #expect(before.first?.trigger == item.alarms[0].proximity)
    #expect(before.first?.region == place.region)

    item.title = "Another title"
    item.alarms.reverse()
    try store.write { try $0.save(item) }
    #expect(try fences() == before)
    let number = try #require(before.first?.number)
    #expect(try store.read { try $0.fence(number: number) } == before.first)
    #expect(try store.read { try $0.fences(of: item.id) } == before)
    #expect(try store.read { try $0.fences(of: item.alarms[2].id) } == before)

    item.reminder?.isCompleted = true
    try store.write { try $0.save(item) }
    #expect(try fences() == [])
    #expect(try store.read { try $0.fence(number: number) } == nil)

    // A number is never reused.
    try store.write { try $0.remove(item.id) }
    try store.write { try $0.save(reminder(at: place, in: list.id)) }
    #expect(try fences().allSatisfy { $0.number > number })
  }
}
