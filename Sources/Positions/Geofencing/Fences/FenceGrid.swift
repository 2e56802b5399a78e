import FencepostGeodesy

#if canImport(Glibc)
  import Glibc
#endif

/// Circles of similar size, in cells of latitude and longitude.
///
/// Each circle is in the cell of its centre only. A query about a place reads the cells around it, four
/// circles at a time. Places are rounded, distances have single precision, and chords bound geodesics. So
/// within a ``margin`` the grid gives no answer.
struct FenceGrid: Sendable {
  /// The largest radius in metres that belongs here.
  let maxRadius: Double
  /// Nearer to a boundary than this many metres, an exact test must decide.
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

  /// The margin in metres for circles up to this radius.
  static func margin(ofRadius radius: Double) -> Double { max(0.02, radius * 1e-5) }

  /// Less than a degree of latitude anywhere on WGS 84.
  static let metresPerDegree = 110_500.0

  /// The sides of the cells, in metres.
  var cellSize: Double { 2 * maxRadius }

  // MARK: Where cells are

  private func row(_ latitude: Double) -> Int {
    min(rows - 1, max(0, Int((latitude + 90) / rowHeight)))
  }

  /// The columns in a row, so that cells are about as wide as high. Bhaskara's approximation of the cosine
  /// suffices, because the result only needs to be always the same.
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

  /// Adds the circle of `slot`.
  mutating func insert(_ circle: Circle, slot: Int32) {
    cells.insert(SmallCircle(circle, slot: slot), into: key(of: circle.center))
    count += 1
  }

  /// Adds the disc around the shape of `slot`.
  mutating func insert(_ disc: Disc, slot: Int32) {
    cells.insert(SmallCircle(disc, slot: slot), into: key(of: disc.center.coordinate))
    count += 1
  }

  /// Removes the circle of `slot`, whose centre is `center`.
  mutating func remove(slot: Int32, center: Coordinate) {
    if cells.remove(slot: slot, from: key(of: center)) { count -= 1 }
  }

  // MARK: Queries

  /// How far a query reached, in metres.
  struct SearchExtent {
    /// All nearer boundaries were examined.
    var examined = Double.infinity
    /// The distance of the nearest boundary found.
    var nearest = Double.infinity
  }

  /// Calls `body` with the slot of each circle that may contain exactly one of `a` and `b`, perhaps with
  /// others, and collects the circles whose boundary is near `b`.
  ///
  /// If `a` and `b` are far apart a circle may come twice. `body` then gets the direction to check: true for
  /// circles that contain only `b`, false for those that contain only `a`, `nil` for both.
  ///
  /// - Parameter reach: how far to look for boundaries, in metres.
  func scan(
    from a: Point, to b: Point, reach: Double, near: inout NearCircles, _ body: (Int32, Bool?) -> Void
  ) -> SearchExtent {
    guard count > 0 else { return SearchExtent() }
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
    return SearchExtent(examined: looked - margin, nearest: CircleQuad.metres(least))
  }

  /// Calls `body` with the slot of each circle that the straight way between two points crosses at least
  /// `depth` metres deep, if neither end is in it. May include others.
  func scanPassages(from a: Point, to b: Point, depth: Double, _ body: (Int32) -> Void) {
    let step = a.vector.distance(to: b.vector)
    // A device can always go around a circle that is small compared with the way.
    guard step > 0, step <= 8 * cellSize else { return }
    forEachRun(around: b.coordinate, cosine: b.cosineOfLatitude, radius: maxRadius + step) { quads, count in
      CircleQuad.forEachPassage(
        quads, count: count, from: a.vector, to: b.vector, depth: depth - 2 * margin, body)
    }
  }

  /// Calls `body` with the slot of each circle that comes within this distance of `point`. May include
  /// others.
  func scanDiscs(near point: Point, within metres: Double, _ body: (Int32) -> Void) {
    forEachRun(around: point.coordinate, cosine: point.cosineOfLatitude, radius: maxRadius + metres) {
      CircleQuad.forEachDisc($0, count: $1, near: point.vector, within: metres + margin, body)
    }
  }

  /// Calls `body` with the slot of each circle that contains `point`. May include others.
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

  /// Calls `body` with all circles whose centre is within `radius` metres of a place, in runs of quads. May
  /// include others.
  @inline(__always)
  private func forEachRun(
    around center: Coordinate, cosine: Double, radius: Double,
    _ body: (UnsafePointer<CircleQuad>, Int) -> Void
  ) {
    // Lone circles of cells, four at a time.
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

  /// Calls `body` with the row and the column of each cell that may have a centre within `radius` metres of a
  /// place.
  @inline(__always)
  private func forEachCell(
    around center: Coordinate, cosine: Double, radius: Double, _ body: (Int, Int) -> Void
  ) {
    let degrees = (radius + margin) / FenceGrid.metresPerDegree
    // At the far edge the cosine is less by at most `degrees` in radians.
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
