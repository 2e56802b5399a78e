import Geodesy

/// What a device's surroundings save of the work: how far it may go before a boundary can matter, and which ones those
/// are. Not part of what a state says.
///
/// Around an anchor all boundaries within some radius are known (``NearCircles``); as long as the device stays there,
/// they alone are measured. Around its last fix nothing is measured as long as it goes less far than the nearest.
struct Vicinity: Sendable {
  /// The index that all this was found in.
  private var version: UInt64 = 0
  /// The square of how many metres around ``center`` there is no boundary.
  private var freeSquare = 0.0
  /// As many metres as there are in a degree of longitude anywhere so near to it, or more.
  private var metresPerDegreeEast = 0.0
  /// Where the device was last measured.
  private var center: Point

  /// Where the circles were gathered, and how far from there all are known, in metres; 0 for nowhere.
  private var anchor: EarthVector
  private var radius = 0.0
  private var circles = NearCircles()
  /// How far to gather circles the next time, in metres: as far as makes about ``wanted`` of them.
  private(set) var reach = 200.0

  /// See ``clearing``: one or none, and a pointer only.
  private var clearings: [Clearing] = []
  /// Where there is no boundary of the regions that are too large for grids.
  var clearing: Clearing {
    get { clearings.first ?? Clearing() }
    set { clearings = [newValue] }
  }

  /// How many circles to gather: so few below the capacity that it is seldom exceeded.
  private static let wanted = 20

  /// How far to gather circles at most, in metres; so much is at most covered (see ``FenceEvaluator/passesQuietly(_:_:)``).
  private static let farthest = 8_000.0

  /// More than there are metres in a degree of latitude, or of longitude on the equator, anywhere on WGS 84.
  private static let metresPerDegree = 111_700.0

  /// Nothing known.
  init() {
    let nowhere = Point(
      coordinate: Coordinate(latitude: 0, longitude: 0),
      vector: EarthVector(x: Geodesic.equatorialRadius, y: 0, z: 0))
    anchor = nowhere.vector
    center = nowhere
  }

  /// Measures the known circles for a step from `a` to `b`, and calls `hit` with the slots of those whose boundary may
  /// be between them. False where they don't suffice, and all must be searched.
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
    settle(b, free: min(left, nearest - circles.margin))
    return true
  }

  /// Calls `body` with the slot of each known circle that the straight way between two points may go through at least
  /// `depth` metres deep, neither of them being in it. False where the known ones don't suffice.
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

  /// Gathers the circles around `b` anew.
  ///
  /// - Parameters:
  ///   - clear: so many metres around there is no boundary of those that are not gathered.
  ///   - gather: gathers the circles whose boundary is within so many metres.
  mutating func renew(
    around b: Point, clear: Double, version: UInt64, _ gather: (Double, inout NearCircles) -> FenceGrid.Sight
  ) {
    circles.removeAll()
    let sight = gather(reach, &circles)
    self.version = version
    anchor = b.vector
    let looked = min(clear, sight.looked, reach)
    settle(b, free: min(looked, sight.nearest - circles.margin))
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

  private mutating func settle(_ point: Point, free: Double) {
    center = point
    let free = max(0, free)
    freeSquare = free * free
    // The cosine is less than it is here by no more than the latitudes differ, in radians.
    let cosine = point.cosineOfLatitude + 0.0034 + free * (.pi / 180 / FenceGrid.metresPerDegree)
    metresPerDegreeEast = Vicinity.metresPerDegree * cosine
  }

  /// The point at `coordinate`, which is the one measured last more often than not.
  func point(at coordinate: Coordinate) -> Point {
    center.coordinate == coordinate ? center : Point(coordinate)
  }

  /// True where no boundary lies between where the device was measured last and `coordinate`.
  ///
  /// The way that is straight in latitude and longitude is no shorter than the geodesic, and its length is at most
  /// that with the longest degrees on it. The antimeridian is as good as a boundary.
  @inline(__always)
  func covers(_ coordinate: Coordinate, version: UInt64) -> Bool {
    let y = (coordinate.latitude - center.coordinate.latitude) * Vicinity.metresPerDegree
    let x = (coordinate.longitude - center.coordinate.longitude) * metresPerDegreeEast
    return x * x + y * y < freeSquare && self.version == version
  }
}

/// A part of space without any boundary, of some kinds of fences.
struct Clearing: Sendable {
  var center = EarthVector(x: 0, y: 0, z: 0)
  var metres = -Double.infinity
  /// That of the index that it is said of.
  var version: UInt64 = 0

  /// How many metres around all of a way there is no boundary; negative where that is not known.
  func metres(from a: Point, to b: Point, version: UInt64) -> Double {
    guard version == self.version else { return -.infinity }
    return metres - max(center.distance(to: a.vector), center.distance(to: b.vector))
  }
}
