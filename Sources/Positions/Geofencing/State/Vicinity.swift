import FencepostGeodesy

/// A cache of a device's surroundings: how far it may go before a boundary can matter, and which boundaries
/// those are. Not part of the saved state.
///
/// All boundaries within some radius of an anchor are known (``NearCircles``). While the device stays there,
/// only they are measured. While it moves less than the distance to the nearest from the last measured place,
/// nothing is measured.
struct Vicinity: Sendable {
  /// The index that this was found in.
  private var version: UInt64 = 0
  /// The area without a boundary around where the device was last measured.
  private var free: FreeDisc

  /// Where the circles were collected, and up to which distance in metres all are known; 0 for nowhere.
  private var anchor: EarthVector
  private var radius = 0.0
  private var circles = NearCircles()
  /// How far to collect circles next time, in metres: far enough for about ``wanted`` of them.
  private(set) var reach = 200.0

  /// See ``clearing``: at most one. An array, because it takes only a pointer here.
  private var clearings: [Clearing] = []
  /// The area without a boundary of regions that are too large for grids.
  var clearing: Clearing {
    get { clearings.first ?? Clearing() }
    set { clearings = [newValue] }
  }

  /// How many circles to collect: far enough below the capacity that they seldom exceed it.
  private static let wanted = 20

  /// How far to collect circles at most, in metres; the upper limit of what is covered (see
  /// ``FenceEvaluator/passesQuietly(_:_:)``).
  private static let farthest = 8_000.0

  /// An empty cache.
  init() {
    let nowhere = Point(
      coordinate: Coordinate(latitude: 0, longitude: 0),
      vector: EarthVector(x: Geodesic.equatorialRadius, y: 0, z: 0))
    anchor = nowhere.vector
    free = FreeDisc(around: nowhere)
  }

  /// Measures the known circles for a step from `a` to `b`, and calls `hit` with the slots of those whose
  /// boundary may be between them. False if they don't suffice: the caller must search all.
  mutating func measure(from a: Point, to b: Point, version: UInt64, _ hit: (Int32) -> Void) -> Bool {
    guard version == self.version else { return false }
    let left = radius - b.vector.distance(to: anchor)
    guard left > 0, a.vector.distance(to: anchor) < radius else { return false }
    var least = SIMD4<Float>(repeating: .infinity)
    circles.quads.withUnsafeBufferPointer { quads in
      guard let base = quads.baseAddress else { return }
      let question = CircleQuad.Question(
        from: a.vector, to: b.vector, step: .infinity, margin: circles.margin, maxRadius: circles.maxRadius,
        within: -1)
      var none = NearCircles()
      CircleQuad.measure(base, count: quads.count, question, least: &least, &none, hit)
    }
    let nearest = CircleQuad.metres(least)
    free = FreeDisc(around: b, metres: min(left, nearest - circles.margin))
    return true
  }

  /// Calls `body` with the slot of each known circle that the straight way between two points may cross at
  /// least `depth` metres deep, if neither end is in it. False if the known circles don't suffice.
  func scanPassages(
    from a: Point, to b: Point, depth: Double, version: UInt64, _ body: (Int32) -> Void
  ) -> Bool {
    guard version == self.version, b.vector.distance(to: anchor) < radius,
      a.vector.distance(to: anchor) < radius
    else { return false }
    circles.quads.withUnsafeBufferPointer { quads in
      guard let base = quads.baseAddress else { return }
      CircleQuad.forEachPassage(
        base, count: quads.count, from: a.vector, to: b.vector, depth: depth - 2 * circles.margin, body)
    }
    return true
  }

  /// Collects the circles around `b` again.
  ///
  /// - Parameters:
  ///   - clear: the distance in metres around it without a boundary of other shapes.
  ///   - gather: collects the circles whose boundary is within a distance in metres.
  mutating func renew(
    around b: Point, clear: Double, version: UInt64,
    _ gather: (Double, inout NearCircles) -> FenceGrid.SearchExtent
  ) {
    circles.removeAll()
    let extent = gather(reach, &circles)
    self.version = version
    anchor = b.vector
    let looked = min(clear, extent.examined, reach)
    free = FreeDisc(around: b, metres: min(looked, extent.nearest - circles.margin))
    let wanted = Double(Vicinity.wanted)
    if circles.isComplete {
      radius = looked
      if circles.count < Vicinity.wanted * 3 / 4 {
        reach = min(reach * (wanted / Double(circles.count + 1)).squareRoot(), Vicinity.farthest)
      }
    } else {
      radius = 0
      reach = reach * wanted / Double(circles.count)
    }
  }

  /// The point at `coordinate`, which is usually the last measured one.
  func point(at coordinate: Coordinate) -> Point {
    free.center.coordinate == coordinate ? free.center : Point(coordinate)
  }

  /// True if no boundary lies between the last measured place and `coordinate`.
  @inline(__always)
  func covers(_ coordinate: Coordinate, version: UInt64) -> Bool {
    free.contains(coordinate) && self.version == version
  }
}

/// The area around a place in which nothing can happen, for a test that costs a few multiplications.
struct FreeDisc: Sendable {
  /// The square of its radius in metres.
  private var square = 0.0
  /// The most metres in a degree of longitude in this area, or more.
  private var metresPerDegreeEast = 0.0
  /// Its middle.
  let center: Point

  /// More metres than in any degree of latitude, or of longitude on the equator, on WGS 84.
  private static let metresPerDegree = 111_700.0

  /// Without a radius, nothing is in it.
  init(around center: Point, metres: Double = 0) {
    self.center = center
    let free = max(0, metres)
    square = free * free
    // The cosine differs from the one here by at most the difference of the latitudes in radians.
    let cosine = center.cosineOfLatitude + 0.0034 + free * (.pi / 180 / FenceGrid.metresPerDegree)
    metresPerDegreeEast = FreeDisc.metresPerDegree * cosine
  }

  /// True if `coordinate` is in it.
  ///
  /// The way that is straight in latitude and longitude is no shorter than the geodesic. Its length is at
  /// most that with the longest degrees on it. The antimeridian counts as the edge.
  @inline(__always)
  func contains(_ coordinate: Coordinate) -> Bool {
    let y = (coordinate.latitude - center.coordinate.latitude) * FreeDisc.metresPerDegree
    let x = (coordinate.longitude - center.coordinate.longitude) * metresPerDegreeEast
    return x * x + y * y < square
  }
}

/// A part of space without a boundary, for some kinds of fences.
struct Clearing: Sendable {
  var center = EarthVector(x: 0, y: 0, z: 0)
  var metres = -Double.infinity
  /// The version of the index that it applies to.
  var version: UInt64 = 0

  /// The distance in metres around the whole way without a boundary; negative if unknown.
  func metres(from a: Point, to b: Point, version: UInt64) -> Double {
    guard version == self.version else { return -.infinity }
    return metres - max(center.distance(to: a.vector), center.distance(to: b.vector))
  }
}
