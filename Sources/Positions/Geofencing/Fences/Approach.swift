public import FencepostGeodesy
public import FencepostSpatiotemporal

/// A walk into a region: positions from well outside to well inside, as a phone on the way would report them.
public struct Approach: Hashable, Sendable {
  /// A position of the walk.
  public struct Step: Hashable, Sendable {
    /// Where it is.
    public var coordinate: Coordinate
    /// Metres from the boundary; negative inside.
    public var distance: Double
  }

  /// The positions in order. The first is outside, and the last ones stand inside.
  public let steps: [Step]
  /// The index of the first step inside.
  public let arrival: Int

  /// Seconds between two steps: at a walking pace, ``stride`` metres.
  public static let secondsPerStep = 15.0
  static let stride = 21.0
  /// Metres outside at which it starts, farther than any position is wrong.
  static let start = 120.0
  /// Metres inside at which it stands, if the region is so deep.
  static let depth = 60.0
  /// How often it reports where it stands: enough for the robust policy to be sure of a small region.
  static let stays = 5

  /// A walk into `region`; `nil` if it contains nothing.
  public init?(into region: Region) {
    guard let shape = Shape(region), let goal = Self.middle(of: region, shape) else { return nil }
    // Westwards from a point so far east that it is outside.
    func point(_ metres: Double) -> Coordinate {
      Geodesic.destination(from: goal, azimuth: 90, metres: metres)
    }
    func distance(_ metres: Double) -> Double { shape.depth(Point(point(metres))) }
    // The distance from the goal grows until the boundary is far enough behind, for any outline.
    var metres = 0.0
    while metres < Self.farthest {
      let distance = distance(metres)
      if distance >= Self.start { break }
      metres += max(1, abs(Self.start - distance))
    }
    guard metres < Self.farthest else { return nil }
    var steps: [Step] = []
    var left = metres
    while true {
      let step = Step(coordinate: point(max(0, left)), distance: distance(max(0, left)))
      steps.append(step)
      if left <= 0 || step.distance <= -Self.depth || steps.count > Self.maximumSteps { break }
      left -= Self.stride
    }
    guard let last = steps.last, let arrival = steps.firstIndex(where: { $0.distance <= 0 }) else {
      return nil
    }
    self.steps = steps + Array(repeating: last, count: Self.stays)
    self.arrival = arrival
  }

  /// Half the Earth's circumference is about 20,000 km.
  private static let farthest = 19_000_000.0
  /// A gap between two parts of a region may lie on the way.
  private static let maximumSteps = 200

  /// A point well inside: the centre of a circle; of polygons, the deepest of some hundred points.
  private static func middle(of region: Region, _ shape: Shape) -> Coordinate? {
    switch (region, shape) {
    case (.circle(let center, _), _): return center
    case (.polygons, .polygons(let polygons)):
      let disc = polygons.disc
      let center = disc.center.coordinate
      var best: (coordinate: Coordinate, depth: Double)?
      for ring in 0...12 {
        for part in 0..<(ring == 0 ? 1 : 24) {
          let coordinate = Geodesic.destination(
            from: center, azimuth: Double(part) * 15 - 180, metres: disc.radius * Double(ring) / 12)
          let depth = shape.depth(Point(coordinate))
          if depth < best?.depth ?? 0 { best = (coordinate, depth) }
        }
      }
      return best?.coordinate
    default: return nil
    }
  }
}
