import FencepostCalendarModel
import FencepostGeodesy
import FencepostTestSupport
import Testing

@testable import FencepostCalendarStore

@Suite("The fences in a box, by the spatial index and by reading all")
struct FencesInBoxTests {
  /// Items with places around `center`: with alarms for arriving and leaving at one point, with polygons,
  /// with a place of their own, and completed ones.
  private func items(
    _ count: Int, around center: Coordinate, in list: Identifier<ItemCalendar>, _ model: inout RandomModel
  ) -> [CalendarItem] {
    (0..<count).map { number in
      let point = Geodesic.destination(
        from: center, azimuth: model.double(-180...180), metres: model.double(0...200_000))
      var place = StructuredLocation(title: "Shop", coordinate: point, radius: model.double(1...50_000))
      if number % 5 == 4 {
        let corners = [0, 120, 240].map { Geodesic.destination(from: point, azimuth: $0, metres: 20_000) }
        place.outline = [Polygon(exterior: corners)]
      }
      var details = ReminderDetails()
      details.isCompleted = number % 7 == 6
      var item = CalendarItem(calendar: list, title: "\(number)", details: .reminder(details))
      if number % 3 == 2 { item.structuredLocation = place }
      item.alarms = [Alarm(proximity: ProximityTrigger(.enter, at: place))]
      if number % 2 == 0 {
        place.radius *= number % 4 == 0 ? 1 : 0.5
        item.alarms.append(Alarm(proximity: ProximityTrigger(.leave, at: place)))
      }
      return item
    }
  }

  private func fences(in box: BoundingBox, _ store: CalendarStore) throws -> [StoredFence] {
    var found: [StoredFence] = []
    try store.read { try $0.forEachFence(in: box) { found.append($0) } }
    return found
  }

  @Test("A box holds most fences from three quarters on", arguments: [(74, false), (75, true), (76, true)])
  func most(near: Int, isMost: Bool) throws {
    let store = try CalendarStore()
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    try store.write { writer in
      for number in 0..<100 {
        let place = StructuredLocation(
          title: "P",
          coordinate: Coordinate(latitude: number < near ? 1 : 50, longitude: Double(number) / 1e3),
          radius: 50)
        var item = CalendarItem(
          calendar: list.id, title: "\(number)", details: .reminder(ReminderDetails()))
        item.alarms = [Alarm(proximity: ProximityTrigger(.enter, at: place))]
        try writer.save(item)
      }
    }
    let box = BoundingBox(center: Coordinate(latitude: 1, longitude: 0), radius: 100_000)
    #expect(try store.read { try $0.holdsMost(box) } == isMost)
    #expect(try fences(in: box, store).count == near)
  }

  @Test("A polygon that only touches a box with an edge is found, and one beside it is not")
  func edges() throws {
    let box = BoundingBox(south: 0, west: 0, north: 1, east: 1)
    func polygon(_ corners: [(Double, Double)]) -> Region {
      .polygons([Polygon(exterior: corners.map { Coordinate(latitude: $0.0, longitude: $0.1) })])
    }
    #expect(box.reaches(polygon([(0.5, -1), (0.5, 2), (-3, 0.5)])))
    #expect(box.reaches(polygon([(-3, -3), (-3, 5), (5, 0.5)])))
    #expect(box.reaches(polygon([(0.5, 0.5), (0.6, 0.5), (0.5, 0.6)])))
    #expect(!box.reaches(polygon([(2, 2), (3, 2), (2, 3)])))
  }

  @Test("Both find the same, in one order", arguments: PlaceTests.centers)
  func bothWays(center: Coordinate) throws {
    let seed: UInt64 = 31
    var model = RandomModel(seed: seed)
    let small = try CalendarStore()
    let large = try CalendarStore()
    let list = try small.write { try $0.defaultCalendar(for: .reminders) }
    let near = items(200, around: center, in: list.id, &model)
    try small.write { try $0.saveAll(near) }
    // Many fences on the other side of the Earth, so that no box holds most of them.
    let far = Coordinate(
      latitude: -center.latitude, longitude: center.longitude + (center.longitude > 0 ? -180 : 180))
    try large.write { writer in
      let list = try writer.defaultCalendar(for: .reminders)
      try writer.saveAll(
        (near + items(400, around: far, in: list.id, &model)).map { item in
          var item = item
          item.calendar = list.id
          return item
        })
    }
    let ids = Set(near.map(\.id))
    var readAll = 0
    for radius in [1_000, 50_000, 100_000, 150_000, 250_000] as [Double] {
      let box = BoundingBox(center: center, radius: radius)
      #expect(try !large.read { try $0.holdsMost(box) })
      guard try small.read({ try $0.holdsMost(box) }) else { continue }
      readAll += 1
      let found = try fences(in: box, small)
      // Through the index some come that are just outside. The box of a polygon around the other pole is the
      // world.
      var expected = try fences(in: box, large).filter { box.reaches($0.region) && ids.contains($0.item) }
      // The index searches the part beyond the antimeridian after the first.
      if box.unwrapped.count > 1 { expected.sort { $0.number < $1.number } }
      #expect(found.map(\.number) == expected.map(\.number), "seed \(seed) \(center) \(radius) m")
      #expect(found == expected)
      #expect(!found.isEmpty)
    }
    #expect(readAll > 0)
  }

  @Test("Reading all leaves out what is outside")
  func outside() throws {
    var model = RandomModel(seed: 3)
    let store = try CalendarStore()
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    let center = Coordinate(latitude: 0, longitude: 180)
    let near = items(20, around: center, in: list.id, &model)
    let far = items(2, around: Coordinate(latitude: 60, longitude: 0), in: list.id, &model)
    try store.write { try $0.saveAll(near + far) }
    let box = BoundingBox(center: center, radius: 300_000)
    #expect(try store.read { try $0.holdsMost(box) })
    let found = try fences(in: box, store)
    let ids = Set(near.filter { !$0.isSilenced }.map(\.id))
    #expect(Set(found.map(\.item)) == ids)
    #expect(Set(found.map(\.number)).count == found.count)
  }

  @Test("Neither finds what a running change hides")
  func hidden() throws {
    let directory = try TemporaryDirectory()
    let store = try CalendarStore(path: directory.path("calendar.sqlite"))
    var model = RandomModel(seed: 4)
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    let center = PlaceTests.centers[0]
    let old = items(40, around: center, in: list.id, &model)
    try store.write { try $0.saveAll(old) }
    let before = try fences(in: .world, store)
    let change = try store.beginBulkChange()
    try change.step { try $0.saveAll(items(4, around: center, in: list.id, &model)) }
    #expect(try store.read { try $0.holdsMost(.world) })
    #expect(try fences(in: .world, store) == before)
    try change.step { try $0.saveAll(items(40, around: center, in: list.id, &model)) }
    #expect(try !store.read { try $0.holdsMost(.world) })
    #expect(try Set(fences(in: .world, store).map(\.number)) == Set(before.map(\.number)))
    try change.finish { _ in }
    #expect(try store.read { try $0.holdsMost(.world) })
    #expect(try fences(in: .world, store).count > before.count)
  }
}
