import FencepostGeodesy

#if canImport(Glibc)
  import Glibc
#endif

/// A fence that the straight way between two fixes crosses, though neither is in it.
struct Passage {
  /// The fractions of the way (0 to 1) at which it goes in and out.
  let enter: Double
  let leave: Double
  /// How deep into the fence the way goes, in metres.
  let depth: Double
  /// A disc inside the fence on the way: a device that can't have gone around it was in the fence.
  let disc: Disc

  /// The ends of a straight line in the fence, across the way: a device that did not cross it went around one
  /// of them.
  private var ends: [EarthVector] = []
  /// The fence is taken to be smaller by this many metres.
  private let margin: Double

  /// The passage of the way from `a` to `b` through a fence, at least `margin` metres deep; `nil` if there is
  /// none.
  init?(from a: Point, to b: Point, through shape: borrowing Shape, margin: Double) {
    switch shape {
    case .circle(let circle): self.init(from: a, to: b, through: circle, margin)
    case .polygons(let polygons): self.init(from: a, to: b, through: polygons, margin)
    }
  }

  private init?(from a: Point, to b: Point, through circle: Circle, _ margin: Double) {
    let way = b.vector - a.vector
    let offset = a.vector - circle.centerVector
    let square = way.dot(way)
    guard square > 0, square < Crossing.longestChord * Crossing.longestChord else { return nil }
    let nearest = -offset.dot(way) / square
    guard nearest > 0, nearest < 1 else { return nil }
    let missSquare = offset.dot(offset) - nearest * nearest * square
    let radius = circle.chord.lowerBound
    guard missSquare < radius * radius else { return nil }
    let half = ((radius * radius - max(0, missSquare)) / square).squareRoot()
    enter = nearest - half
    leave = nearest + half
    guard enter > 0, leave < 1 else { return nil }
    self.margin = margin
    depth = radius - max(0, missSquare).squareRoot()
    guard depth >= margin else { return nil }
    disc = Disc(center: Point(coordinate: circle.center, vector: circle.centerVector), radius: circle.radius)
  }

  /// For polygons, the disc is around the deepest of ``samples`` points of the way.
  private init?(from a: Point, to b: Point, through polygons: PreparedPolygons, _ margin: Double) {
    let way = b.vector - a.vector
    guard way.dot(way) < Crossing.longestChord * Crossing.longestChord, !polygons.contains(a.vector),
      !polygons.contains(b.vector)
    else { return nil }
    let crossings = polygons.crossings(from: a, to: b)
    guard let enter = crossings.first, let leave = crossings.last, enter < leave else { return nil }
    var deepest: (depth: Double, point: Point)?
    for sample in 0..<Passage.samples {
      let fraction = enter + (leave - enter) * (Double(sample) + 0.5) / Double(Passage.samples)
      let point = Point(a.vector + way.scaled(fraction))
      guard polygons.contains(point.vector) else { continue }
      let depth = polygons.distance(point.vector)
      if depth > deepest?.depth ?? 0 { deepest = (depth, point) }
    }
    guard let deepest, deepest.depth >= margin else { return nil }
    self.margin = margin
    self.enter = enter
    self.leave = leave
    depth = deepest.depth
    disc = Disc(center: deepest.point, radius: deepest.depth)
    guard let across = deepest.point.vector.cross(way).unit else { return }
    let length = way.dot(way).squareRoot()
    ends = [1, -1].map { side in
      Passage.end(of: across.scaled(side), from: deepest, in: polygons, margin, farthest: length)
    }
  }

  /// The last point, at most `farthest` metres away, up to which a straight line stays this deep within
  /// polygons.
  private static func end(
    of direction: EarthVector, from start: (depth: Double, point: Point), in polygons: PreparedPolygons,
    _ margin: Double, farthest: Double
  ) -> EarthVector {
    var end = start.point.vector
    var depth = start.depth
    var metres = 0.0
    for _ in 0..<samples {
      // The boundary is at least the depth away.
      let next = metres + max(depth - margin, 0.5)
      let there = start.point.vector + direction.scaled(next)
      guard next <= farthest, polygons.contains(there) else { break }
      depth = polygons.distance(there)
      guard depth >= margin else { break }
      metres = next
      end = there
    }
    return end
  }

  private static let samples = 33

  /// A lower bound, in metres, on the length of all ways from `a` to `b` around the fence.
  func wayRound(from a: Point, to b: Point) -> Double {
    let aroundLine = ends.map { a.vector.distance(to: $0) + b.vector.distance(to: $0) }.min() ?? 0
    return max(aroundLine, wayRoundDisc(from: a, to: b))
  }

  /// The length in metres of the shortest way from `a` to `b` around ``disc``: two tangents and the arc between them.
  private func wayRoundDisc(from a: Point, to b: Point) -> Double {
    let radius = disc.radius - margin
    let one = a.vector - disc.center.vector
    let other = b.vector - disc.center.vector
    let far = one.dot(one).squareRoot()
    let near = other.dot(other).squareRoot()
    guard radius > 0, far > radius, near > radius else { return 0 }
    let angle = acos(max(-1, min(1, one.dot(other) / (far * near))))
    let arc = angle - acos(radius / far) - acos(radius / near)
    guard arc > 0 else { return 0 }
    return (far * far - radius * radius).squareRoot() + (near * near - radius * radius).squareRoot() + radius
      * arc
  }
}
