import FencepostGeodesy
import FencepostSpatiotemporal
import Testing

@testable import FencepostCartography

@Suite("The plane")
struct PlaneTests {
  static func map(_ longitudes: [Double], fence: Double? = nil) -> TraceMap {
    var map = TraceMap(title: "Ship")
    map.tracks = [
      Track(
        device: "ship",
        segments: [longitudes.enumerated().map { SampleMap.point(Double($0) * 60, -17, $1) }])
    ]
    if let fence {
      map.fences = [
        MapFence(
          title: "Taveuni",
          region: .circle(center: Coordinate(latitude: -17, longitude: fence), radius: 5000),
          wasCrossed: true)
      ]
    }
    return map
  }

  @Test(
    "A track over the antimeridian is one piece, as wide as it is long",
    arguments: [[179.9, 179.99, -179.95], [-179.9, 180, 179.9], [179.9, -180, -179.9]])
  func antimeridian(longitudes: [Double]) throws {
    let content = MapContent(Self.map(longitudes, fence: -179.98))
    #expect(content.tracks[0].pieces.count == 1)
    let width = content.extent.1.x - content.extent.0.x
    #expect(width > 0.0003 && width < 0.0006, "\(width)")
    guard case .circle(let center, _) = content.fences[0].outline else {
      Issue.record("a small fence is a circle")
      return
    }
    #expect(center.x > content.extent.0.x && center.x < content.extent.1.x)
    let places = content.tracks[0].pieces[0].map(\.place.x)
    for (a, b) in zip(places, places.dropFirst()) { #expect(abs(b - a) < 0.001) }
  }

  @Test("A track around the world is cut once, at the edge, and no piece crosses the map")
  func aroundTheWorld() {
    let eastward = (0...80).map { step -> Double in
      let longitude = Double(step * 10) + 0.5
      return longitude - 360 * (longitude / 360).rounded()
    }
    for longitudes in [eastward, eastward.reversed()] {
      let content = MapContent(Self.map(longitudes))
      #expect(content.tracks[0].pieces.count > 1)
      for piece in content.tracks[0].pieces {
        for (a, b) in zip(piece, piece.dropFirst()) {
          #expect(abs(b.place.x - a.place.x) < 0.06)
          #expect(b.time >= a.time)
        }
      }
      #expect(content.extent.1.x - content.extent.0.x <= 1.000001)
    }
  }

  @Test("An alarm at a time is at the position of the track then")
  func alarmPlace() throws {
    let content = MapContent(SampleMap.map)
    let place = try #require(content.alarms[1].place)
    let expected = MapPoint(Coordinate(latitude: 52.506, longitude: 13.413))
    #expect(abs(place.x - expected.x) < 1e-9 && abs(place.y - expected.y) < 1e-9)
  }

  @Test("In a gap it is at the last known position")
  func alarmInGap() throws {
    var map = SampleMap.map
    map.tracks.removeLast()
    map.alarms = [MapAlarm(kind: .time, time: SampleMap.start.adding(seconds: 700), title: "Tea")]
    let place = try #require(MapContent(map).alarms[0].place)
    let expected = MapPoint(Coordinate(latitude: 52.505, longitude: 13.404))
    #expect(abs(place.x - expected.x) < 1e-9 && abs(place.y - expected.y) < 1e-9)
  }

  @Test("The scale bar is a round number of metres", arguments: [0.0, 30, 52.5, 70, -84])
  func scaleBar(latitude: Double) {
    let a = MapPoint(Coordinate(latitude: latitude, longitude: 10))
    let b = MapPoint(Coordinate(latitude: latitude - 0.01, longitude: 10.02))
    let frame = MapFrame(showing: (a, b), width: 960, heights: 320...680, margin: 44)
    let bar = frame.scaleBar(longest: 160)
    let rounds = [1.0, 10, 100, 1000].flatMap { [$0, 2 * $0, 5 * $0] }
    #expect(rounds.contains(bar.metres))
    #expect(bar.length > 60 && bar.length <= 160)
    // Its length on the ground is right, on the sphere of the map.
    let middle = Coordinate(latitude: latitude - 0.005, longitude: 10)
    let start = frame.place(MapPoint(middle))
    let degrees = bar.length / frame.scale * 360
    let end = Coordinate(latitude: middle.latitude, longitude: 10 + degrees)
    #expect(abs(frame.place(MapPoint(end)).x - start.x - bar.length) < 1e-6)
    let metres = Geodesic.distance(from: middle, to: end)
    #expect(abs(metres / bar.metres - 1) < 0.01)
  }

  @Test("A fence that contains a pole is closed along the edge of the map", arguments: [88.0, -88.0])
  func pole(latitude: Double) throws {
    let center = Coordinate(latitude: latitude, longitude: 20)
    let plane = MapPlane(around: [center])
    guard
      case .rings(let rings)? = FenceOutline(.circle(center: center, radius: 1_000_000), on: plane)
    else {
      Issue.record("a large circle is a ring")
      return
    }
    let ring = rings[0]
    // The closed ring has the pole's edge as one side and spans the whole world.
    #expect(ring.suffix(2).allSatisfy { $0.y == (latitude > 0 ? 0 : 1) })
    let xs = ring.map(\.x)
    #expect(abs((xs.max() ?? 0) - (xs.min() ?? 0) - 1) < 1e-9)
    #expect(ring.first?.x == ring.last?.x)
    for (a, b) in zip(ring, ring.dropFirst()) where a.y != b.y || a.y > 0 && a.y < 1 {
      #expect(abs(a.x - b.x) < 0.5, "no side but the edge crosses the world")
    }
  }

  @Test("Large fences bend with the Earth")
  func largeCircle() throws {
    let center = Coordinate(latitude: 60, longitude: 20)
    let plane = MapPlane(around: [center])
    guard
      case .rings(let rings)? = FenceOutline(.circle(center: center, radius: 500_000), on: plane)
    else {
      Issue.record("a large circle is a ring")
      return
    }
    let ys = rings[0].map(\.y)
    let middle = plane.place(center).y
    let (north, south) = (middle - (ys.min() ?? 0), (ys.max() ?? 0) - middle)
    // Farther north the map is larger.
    #expect(north > south * 1.1)
  }
}

@Suite("The local clock")
struct LocalClockTests {
  @Test("Local times and days, over a change of the offset")
  func changes() {
    let change = Instant(seconds: 1_774_746_000)  // 2026-03-29T01:00:00Z
    let clock = LocalClock(utcOffset: 3600, changes: [.init(from: change, utcOffset: 7200)])
    #expect(clock.time(at: change.adding(seconds: -1)) == "01:59:59")
    #expect(clock.time(at: change) == "03:00:00")
    #expect(clock.day(at: change) == "Sun 29 Mar 2026")
    #expect(LocalClock.utc.day(at: Instant(seconds: -1)) == "Wed 31 Dec 1969")
    #expect(LocalClock.utc.time(at: Instant(seconds: -1)) == "23:59:59")
  }
}
