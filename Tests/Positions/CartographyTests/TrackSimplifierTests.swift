import FencepostAlgorithms
import FencepostGeodesy
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@testable import FencepostCartography

@Suite("Simplified tracks")
struct TrackSimplifierTests {
  /// A track of `count` fixes that rests, walks, turns, jumps and crosses the antimeridian.
  static func walk(seed: UInt64, count: Int, device: UInt32 = 0, segmentEvery: Int = 500) -> [Fix] {
    var random = SeededRandom(seed: seed)
    var time = SampleMap.start
    var (latitude, longitude) = (Double.random(in: -70...70, using: &random), 179.99)
    var (north, east) = (0.0, 0.0)
    return (0..<count).map { index in
      if Int.random(in: 0..<20, using: &random) == 0 {
        north = Bool.random(using: &random) ? 0 : Double.random(in: -3e-4...3e-4, using: &random)
        east = north == 0 ? 0 : Double.random(in: -3e-4...3e-4, using: &random)
      }
      latitude = min(max(latitude + north + Double.random(in: -3e-5...3e-5, using: &random), -80), 80)
      longitude += east + Double.random(in: -3e-5...3e-5, using: &random)
      if longitude > 180 { longitude -= 360 }
      if longitude < -180 { longitude += 360 }
      time = time.adding(seconds: [1, 2, 15, 600][Int.random(in: 0..<4, using: &random)])
      return Fix(
        device: DeviceNumber(rawValue: device), time: time,
        coordinate: Coordinate(latitude: latitude, longitude: longitude),
        startsSegment: segmentEvery > 0 && index % segmentEvery == 0)
    }
  }

  /// The position of a simplified track at a time, on the map; `nil` in a gap.
  static func place(_ segments: [[TrackPoint]], at time: Instant) -> MapPoint? {
    for segment in segments {
      guard let first = segment.first, let last = segment.last, first.time <= time, time <= last.time else {
        continue
      }
      let index = segment.partitioningIndex { $0.time >= time }
      let b = MapPoint(segment[index].coordinate)
      guard index > 0 else { return b }
      var a = MapPoint(segment[index - 1].coordinate)
      a.x = b.x + MapPoint.wrapped(a.x - b.x)
      let fraction =
        time.seconds(since: segment[index - 1].time)
        / segment[index].time.seconds(since: segment[index - 1].time)
      return a.interpolated(to: b, fraction: fraction)
    }
    return nil
  }

  @Test(
    "Each fix is within the tolerance of the track at its time, and the number of vertices is limited",
    arguments: [(1, 20_000), (2, 500), (3, 200), (4, 64)] as [(UInt64, Int)])
  func bounded(seed: UInt64, limit: Int) throws {
    let fixes = Self.walk(seed: seed, count: 5000)
    var simplifier = TrackSimplifier(tolerance: 0.5, vertexLimit: limit)
    for fix in fixes {
      simplifier.add(fix)
      #expect(simplifier.tracks[0].segments.reduce(0) { $0 + $1.count } <= limit)
    }
    let segments = simplifier.tracks[0].segments
    let tolerance = simplifier.tolerance / MapPoint.metresAround
    for fix in fixes {
      let place = MapPoint(fix.coordinate)
      // A short segment near the end of the one before may be missing.
      let found =
        Self.place(segments, at: fix.time)
        ?? segments.last { ($0.last?.time ?? .distantFuture) <= fix.time }?.last.map {
          MapPoint($0.coordinate)
        }
      let way = try #require(found, "seed \(seed)")
      let (x, y) = (MapPoint.wrapped(way.x - place.x), way.y - place.y)
      #expect(
        (x * x + y * y).squareRoot() <= tolerance * 1.000001,
        "seed \(seed), tolerance \(simplifier.tolerance)")
    }
  }

  @Test("A straight track at a constant speed is two vertices")
  func straight() {
    var simplifier = TrackSimplifier()
    for second in 0..<1000 {
      simplifier.add(
        Fix(
          time: SampleMap.start.adding(seconds: Double(second)),
          coordinate: Coordinate(latitude: 0, longitude: 10 + Double(second) * 1e-5)))
    }
    #expect(simplifier.tracks[0].segments.map(\.count) == [2])
    #expect(simplifier.tolerance == 0.5)
  }

  @Test("A rest on the track keeps its times")
  func rest() throws {
    var simplifier = TrackSimplifier()
    for (second, longitude) in [(0.0, 10.0), (100, 10.001), (4000, 10.001), (4100, 10.002)] {
      simplifier.add(
        Fix(
          time: SampleMap.start.adding(seconds: second),
          coordinate: Coordinate(latitude: 0, longitude: longitude)
        ))
    }
    #expect(simplifier.tracks[0].segments[0].count == 4)
  }

  @Test("Fixes that don't move time forward are dropped; a clock that goes back starts a new segment")
  func order() {
    var simplifier = TrackSimplifier()
    for (seconds, latitude) in [(0.0, 1.0), (10, 2), (10, 9), (5, 9), (20, 1), (-100_000, 4), (-99_000, 5)] {
      simplifier.add(
        Fix(
          time: SampleMap.start.adding(seconds: seconds),
          coordinate: Coordinate(latitude: latitude, longitude: 0)
        ))
    }
    #expect(simplifier.tracks[0].segments.map { $0.map(\.coordinate.latitude) } == [[1, 2, 1], [4, 5]])
  }

  @Test("A new segment or a new device for every fix stays within the limits")
  func manySegmentsAndDevices() {
    var simplifier = TrackSimplifier(vertexLimit: 64)
    for fix in Self.walk(seed: 5, count: 3000, segmentEvery: 1) { simplifier.add(fix) }
    #expect(simplifier.tracks[0].segments.reduce(0) { $0 + $1.count } <= 64)

    var crowd = TrackSimplifier(vertexLimit: 320)
    for (index, var fix) in Self.walk(seed: 6, count: 3000).enumerated() {
      fix.device = DeviceNumber(rawValue: UInt32(index % 300))
      crowd.add(fix)
    }
    #expect(crowd.tracks.count == 20)
    #expect(crowd.omittedDevices == 280)
    #expect(crowd.tracks.reduce(0) { $0 + $1.segments.reduce(0) { $0 + $1.count } } <= 320)
  }

  @Test("Invalid coordinates are dropped")
  func offTheGlobe() {
    var simplifier = TrackSimplifier()
    for latitude in [.nan, .infinity, 91.0] {
      simplifier.add(Fix(time: .epoch, coordinate: Coordinate(latitude: latitude, longitude: 0)))
    }
    #expect(simplifier.tracks.isEmpty)
  }

  @Test("Lines keep every visible point", arguments: 1...20 as ClosedRange<UInt64>)
  func pixels(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var point = MapPoint(x: 0, y: 0)
    let points = (0..<300).map { _ in
      point.x += Double.random(in: -2...3, using: &random)
      point.y += Double.random(in: -2...2, using: &random)
      return point
    }
    let kept = PixelPath.simplified(points, tolerance: 1.5)
    #expect(kept.first == points.first && kept.last == points.last)
    for point in points {
      let nearest = zip(kept, kept.dropFirst()).map { a, b -> Double in
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let square = dx * dx + dy * dy
        let fraction = square > 0 ? min(max(((point.x - a.x) * dx + (point.y - a.y) * dy) / square, 0), 1) : 0
        let (x, y) = (point.x - a.x - fraction * dx, point.y - a.y - fraction * dy)
        return (x * x + y * y).squareRoot()
      }.min()
      #expect((nearest ?? .infinity) <= 1.5 + 1e-9, "seed \(seed)")
    }
  }
}
