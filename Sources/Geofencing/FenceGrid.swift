import Geodesy

#if canImport(Glibc)
  import Glibc
#endif

/// Circles of like size, in cells of latitude and longitude.
///
/// Each circle stands once, in the cell of its centre. A question about a place reads the cells around it, four
/// circles at a time. Their places are rounded, distances are in single precision, and chords bound
/// geodesics: that leaves a ``margin`` in which the answer is not given here.
struct FenceGrid: Sendable {
  /// The largest radius in metres that belongs here.
  let maxRadius: Double
  /// Nearer to a boundary than this many metres, an answer must be found elsewhere.
  let margin: Double
  /// Height of a row in degrees.
  private let rowHeight: Double
  private let rows: Int
  private var cells = FenceCells()
  private(set) var count = 0

  /// A grid for radii of at most `maxRadius` metres.
  init(maxRadius: Double) {
    self.maxRadius = maxRadius
    margin = FenceGrid.margin(ofRadius: maxRadius)
    rowHeight = 2 * maxRadius / FenceGrid.metresPerDegree
    rows = Int((180 / rowHeight).rounded(.up))
  }

  /// The margin in metres of circles up to so large.
  static func margin(ofRadius radius: Double) -> Double { max(0.02, radius * 1e-5) }

  /// Fewer than there are in a degree of latitude anywhere on WGS 84.
  static let metresPerDegree = 110_500.0

  /// The sides of the cells, in metres.
  var cellSize: Double { 2 * maxRadius }

  // MARK: Where cells are

  private func row(_ latitude: Double) -> Int {
    min(rows - 1, max(0, Int((latitude + 90) / rowHeight)))
  }

  /// How many columns a row has: as many as make cells about as wide as high. Bhaskara's approximation of the
  /// cosine is near enough, as all that matters is that it is always the same.
  private func columns(_ row: Int) -> Int {
    let phi = (Double(row) + 0.5) * rowHeight - 90
    let cosine = (32_400 - 4 * phi * phi) / (32_400 + phi * phi)
    return max(1, Int(360 / rowHeight * cosine))
  }

  private func key(of coordinate: Coordinate) -> UInt32 {
    let row = row(coordinate.latitude)
    let columns = columns(row)
    let column = Int((coordinate.longitude + 180) / 360 * Double(columns))
    return FenceCells.key(row: row, column: min(columns - 1, max(0, column)))
  }

  // MARK: Changes

  /// Puts the circle of `slot` in.
  mutating func insert(_ circle: Circle, slot: Int32) {
    cells.insert(SmallCircle(circle, slot: slot), into: key(of: circle.center))
    count += 1
  }

  /// Puts the disc around the shape of `slot` in.
  mutating func insert(_ disc: Disc, slot: Int32) {
    cells.insert(SmallCircle(disc, slot: slot), into: key(of: disc.center.coordinate))
    count += 1
  }

  /// Takes the circle of `slot` out, whose centre is `center`.
  mutating func remove(slot: Int32, center: Coordinate) {
    if cells.remove(slot: slot, from: key(of: center)) { count -= 1 }
  }

  // MARK: Questions

  /// How far a question saw, in metres.
  struct Sight {
    /// All boundaries nearer than this were seen.
    var looked = Double.infinity
    /// Where the nearest of those is that were seen.
    var nearest = Double.infinity
  }

  /// Calls `body` with the slot of each circle that may contain just one of `a` and `b`, and of some others, and
  /// gathers the circles whose boundary is near `b`.
  ///
  /// Where `a` and `b` are far apart a circle may come twice; `body` is then told which way to look for:
  /// true for circles that contain `b` alone, false for those that contain `a` alone, `nil` for both.
  ///
  /// - Parameter reach: how far to look for boundaries, in metres.
  func scan(
    from a: Point, to b: Point, reach: Double, near: inout NearCircles, _ body: (Int32, Bool?) -> Void
  ) -> Sight {
    guard count > 0 else { return Sight() }
    let step = a.vector.distance(to: b.vector)
    let looked = min(reach, 8 * cellSize)
    let least: SIMD4<Float>
    near.cover(maxRadius: maxRadius)
    if step > cellSize {
      var ignored = NearCircles()
      _ = scan(around: a, radius: maxRadius, a, b, within: -1, &ignored) { body($0, false) }
      least = scan(around: b, radius: maxRadius + looked, a, b, within: looked, &near) { body($0, true) }
    } else {
      least = scan(around: b, radius: maxRadius + max(looked, step), a, b, within: looked, &near) {
        body($0, nil)
      }
    }
    return Sight(looked: looked - margin, nearest: CircleQuad.metres(least))
  }

  /// Calls `body` with the slot of each circle that the straight way between two points goes through at least `depth`
  /// metres deep, neither of them being in it, and of some others.
  func scanPassages(from a: Point, to b: Point, depth: Double, _ body: (Int32) -> Void) {
    let step = a.vector.distance(to: b.vector)
    // A circle that is small beside the way can always be gone round.
    guard step > 0, step <= 8 * cellSize else { return }
    forEachRun(around: b.coordinate, cosine: b.cosineOfLatitude, radius: maxRadius + step) { quads, count in
      CircleQuad.forEachPassage(
        quads, count: count, from: a.vector, to: b.vector, depth: depth - 2 * margin, body)
    }
  }

  /// Calls `body` with the slot of each circle that comes within so many metres of `point`, and of some others.
  func scanDiscs(near point: Point, within metres: Double, _ body: (Int32) -> Void) {
    forEachRun(around: point.coordinate, cosine: point.cosineOfLatitude, radius: maxRadius + metres) {
      CircleQuad.forEachDisc($0, count: $1, near: point.vector, within: metres + margin, body)
    }
  }

  /// Calls `body` with the slot of each circle that contains `point`, and of some that don't.
  func scan(near point: Point, _ body: (Int32) -> Void) {
    guard count > 0 else { return }
    var ignored = NearCircles()
    let far = Point(coordinate: point.coordinate, vector: EarthVector(x: 0, y: 0, z: 0))
    _ = scan(around: point, radius: maxRadius, far, point, within: -1, &ignored, body)
  }

  private func scan(
    around center: Point, radius: Double, _ a: Point, _ b: Point, within: Double,
    _ near: inout NearCircles, _ body: (Int32) -> Void
  ) -> SIMD4<Float> {
    var least = SIMD4<Float>(repeating: .infinity)
    let question = CircleQuad.Question(
      from: a.vector, to: b.vector, step: a.vector.distance(to: b.vector), margin: margin,
      maxRadius: maxRadius, within: within)
    forEachRun(around: center.coordinate, cosine: center.cosineOfLatitude, radius: radius) { quads, count in
      CircleQuad.measure(quads, count: count, question, least: &least, &near, body)
    }
    return least
  }

  /// Calls `body` with all circles whose centre is within `radius` metres of a place, and others, in runs of quads.
  @inline(__always)
  private func forEachRun(
    around center: Coordinate, cosine: Double, radius: Double,
    _ body: (UnsafePointer<CircleQuad>, Int) -> Void
  ) {
    // Those that are alone in their cells, by four.
    var loose = CircleQuad()
    var looseCount = 0
    cells.withTable { table, quads in
      forEachCell(around: center, cosine: cosine, radius: radius) { row, column in
        guard let cell = FenceCells.find(FenceCells.key(row: row, column: column), in: table) else { return }
        if cell.pointee.room == 0 {
          loose[looseCount] = cell.pointee.circle
          looseCount += 1
          guard looseCount == 4 else { return }
          body(&loose, 1)
          looseCount = 0
        } else if let base = quads.baseAddress {
          body(base + Int(cell.pointee.circle.slot), Int(cell.pointee.count + 3) / 4)
        }
      }
    }
    guard looseCount > 0 else { return }
    for lane in looseCount..<4 { loose[lane] = .none }
    body(&loose, 1)
  }

  /// Calls `body` with the row and the column of each cell that may have a centre within `radius` metres of a place.
  @inline(__always)
  private func forEachCell(
    around center: Coordinate, cosine: Double, radius: Double, _ body: (Int, Int) -> Void
  ) {
    let degrees = (radius + margin) / FenceGrid.metresPerDegree
    // The cosine is at most a radian's worth of `degrees` less at the far edge.
    let cosine = cosine - degrees * (.pi / 180)
    let wide = cosine * 180 > degrees ? degrees / cosine * 1.01 : 180
    let lastRow = row(center.latitude + degrees)
    var row = row(center.latitude - degrees)
    while row <= lastRow {
      let columns = columns(row)
      let perDegree = Double(columns) / 360
      var column = Int(((center.longitude - wide + 180) * perDegree).rounded(.down))
      var last = Int(((center.longitude + wide + 180) * perDegree).rounded(.down))
      if last - column >= columns {
        column = 0
        last = columns - 1
      }
      while column <= last {
        // Columns wrap around at the antimeridian.
        let wrapped = column < 0 ? column &+ columns : column >= columns ? column &- columns : column
        let run = min(last &- column &+ 1, columns &- wrapped)
        cells.occupancy.forEach(row: row, first: wrapped, count: run) { body(row, $0) }
        column = column &+ run
      }
      row += 1
    }
  }
}
