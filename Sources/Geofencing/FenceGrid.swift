import Geodesy

#if canImport(Glibc)
  import Glibc
#endif

/// Circles of like size, in cells of latitude and longitude.
///
/// Each circle stands once, in the cell of its centre, as a point in space relative to the cell's and the chord
/// of its radius, in single precision. A question about a place reads the cells around it, four circles at a
/// time. Single precision and the bounds of chords leave a ``margin`` in which the answer is not given here.
struct FenceGrid: Sendable {
  /// A cell that has, or had, circles. Its quads lie together, in room for a power of two of them.
  private struct Cell: Sendable {
    var key: UInt64
    var origin: SIMD3<Int32>
    var firstQuad: Int32
    var count: Int32
    /// Room for so many quads; 0 for no cell.
    var room: Int32
  }

  /// The largest radius in metres that belongs here.
  let maxRadius: Double
  /// Nearer to a boundary than this many metres, an answer must be found elsewhere.
  let margin: Double
  /// Height of a row in degrees.
  private let rowHeight: Double
  private let rows: Int
  /// Open addressing, a power of two of places.
  private var cells: [Cell] = []
  private var cellCount = 0
  private var occupancy = CellOccupancy(cells: 0)
  private var quads: [CircleQuad] = []
  /// Runs of quads that are not in use, by the logarithm of their length.
  private var free: [[Int32]] = []
  private(set) var count = 0

  /// A grid for radii of at most `maxRadius` metres.
  init(maxRadius: Double) {
    self.maxRadius = maxRadius
    margin = max(0.02, maxRadius * 1e-5)
    rowHeight = 2 * maxRadius / FenceGrid.metresPerDegree
    rows = Int((180 / rowHeight).rounded(.up))
  }

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

  private func key(_ row: Int, _ column: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: row) << 32 | UInt64(truncatingIfNeeded: column)
  }

  private func key(of coordinate: Coordinate) -> UInt64 {
    let row = row(coordinate.latitude)
    let columns = columns(row)
    return key(row, min(columns - 1, max(0, Int((coordinate.longitude + 180) / 360 * Double(columns)))))
  }

  private static func hash(_ key: UInt64) -> Int {
    let mixed = (key ^ key >> 29) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 32)
  }

  // MARK: Changes

  /// Puts the circle of `slot` in.
  mutating func insert(_ circle: Circle, slot: Int32) {
    let cell = cellToFill(key(of: circle.center), circle.centerVector)
    if Int(cells[cell].count) == 4 * Int(cells[cell].room) { grow(cell) }
    set(Int(cells[cell].count), of: cell, circle, slot)
    cells[cell].count += 1
    count += 1
  }

  /// Takes the circle of `slot` out, whose centre is `center`.
  mutating func remove(slot: Int32, center: Coordinate) {
    guard let cell = find(key(of: center)) else { return }
    let first = Int(cells[cell].firstQuad)
    let last = Int(cells[cell].count) - 1
    for place in 0...max(0, last) where quads[first + place / 4].slot[place % 4] == slot {
      let from = quads[first + last / 4]
      let lane = last % 4
      let to = first + place / 4
      quads[to].x[place % 4] = from.x[lane]
      quads[to].y[place % 4] = from.y[lane]
      quads[to].z[place % 4] = from.z[lane]
      quads[to].radius[place % 4] = from.radius[lane]
      quads[to].slot[place % 4] = from.slot[lane]
      quads[first + last / 4].x[lane] = CircleQuad.nowhere
      quads[first + last / 4].slot[lane] = -1
      cells[cell].count -= 1
      count -= 1
      return
    }
  }

  private mutating func set(_ place: Int, of cell: Int, _ circle: Circle, _ slot: Int32) {
    let origin = cells[cell].origin
    let quad = Int(cells[cell].firstQuad) + place / 4
    let lane = place % 4
    quads[quad].x[lane] = Float(circle.centerVector.x - Double(origin.x))
    quads[quad].y[lane] = Float(circle.centerVector.y - Double(origin.y))
    quads[quad].z[lane] = Float(circle.centerVector.z - Double(origin.z))
    quads[quad].radius[lane] = Float(circle.chord.lowerBound)
    quads[quad].slot[lane] = slot
  }

  private func find(_ key: UInt64) -> Int? {
    guard !cells.isEmpty else { return nil }
    var place = FenceGrid.hash(key) & (cells.count - 1)
    while cells[place].room > 0 {
      if cells[place].key == key { return place }
      place = (place + 1) & (cells.count - 1)
    }
    return nil
  }

  /// The cell of `key`, made now around `vector` where there is none.
  private mutating func cellToFill(_ key: UInt64, _ vector: EarthVector) -> Int {
    if let cell = find(key) { return cell }
    if (cellCount + 1) * 3 > cells.count * 2 { rehash() }
    var place = FenceGrid.hash(key) & (cells.count - 1)
    while cells[place].room > 0 { place = (place + 1) & (cells.count - 1) }
    cells[place] = Cell(
      key: key, origin: SIMD3(Int32(vector.x), Int32(vector.y), Int32(vector.z)), firstQuad: take(log: 0),
      count: 0,
      room: 1)
    cellCount += 1
    note(key)
    return place
  }

  private mutating func rehash() {
    let old = cells
    let empty = Cell(key: 0, origin: .zero, firstQuad: 0, count: 0, room: 0)
    cells = [Cell](repeating: empty, count: max(16, old.count * 2))
    occupancy = CellOccupancy(cells: cells.count)
    for cell in old where cell.room > 0 {
      var place = FenceGrid.hash(cell.key) & (cells.count - 1)
      while cells[place].room > 0 { place = (place + 1) & (cells.count - 1) }
      cells[place] = cell
      note(cell.key)
    }
  }

  private mutating func note(_ key: UInt64) {
    occupancy.insert(row: Int(key >> 32), column: Int(key & 0xFFFF_FFFF))
  }

  private mutating func grow(_ cell: Int) {
    let from = Int(cells[cell].firstQuad)
    let room = Int(cells[cell].room)
    let log = room.trailingZeroBitCount
    let to = take(log: log + 1)
    for offset in 0..<room {
      quads[Int(to) + offset] = quads[from + offset]
      quads[from + offset] = CircleQuad()
    }
    while free.count <= log { free.append([]) }
    free[log].append(Int32(from))
    cells[cell].firstQuad = to
    cells[cell].room = Int32(room * 2)
  }

  private mutating func take(log: Int) -> Int32 {
    if log < free.count, let quad = free[log].popLast() { return quad }
    let first = Int32(quads.count)
    // Arrays double when they are full: too much here, where they are most of what a fence takes.
    if quads.count + (1 << log) > quads.capacity { quads.reserveCapacity(quads.count * 9 / 8 + (1 << log)) }
    for _ in 0..<(1 << log) { quads.append(CircleQuad()) }
    return first
  }

  // MARK: Questions

  /// Calls `body` with the slot of each circle that may contain just one of `a` and `b`, and of some others, and
  /// gathers the circles whose boundary is near `b`.
  ///
  /// Where `a` and `b` are far apart a circle may come twice; `body` is then told which way to look for:
  /// true for circles that contain `b` alone, false for those that contain `a` alone, `nil` for both.
  ///
  /// - Parameter reach: how far to look for boundaries, in metres.
  /// - Returns: how far was looked.
  func scan(
    from a: Point, to b: Point, reach: Double, near: inout NearCircles, _ body: (Int32, Bool?) -> Void
  ) -> Double {
    guard count > 0 else { return .infinity }
    let step = a.vector.distance(to: b.vector)
    var looked = min(reach, 8 * cellSize)
    near.cover(margin: margin, maxRadius: maxRadius)
    let within = Float(looked)
    if step > cellSize {
      var ignored = NearCircles()
      scan(around: a, radius: maxRadius, a, b, within: -1, &ignored) { body($0, false) }
      scan(around: b, radius: maxRadius + looked, a, b, within: within, &near) { body($0, true) }
    } else {
      scan(around: b, radius: maxRadius + max(looked, step), a, b, within: within, &near) { body($0, nil) }
    }
    looked -= margin
    return looked
  }

  /// Calls `body` with the slot of each circle that the straight way between two points goes through at least `depth`
  /// metres deep, neither of them being in it, and of some others.
  func scanPassages(from a: Point, to b: Point, depth: Double, _ body: (Int32) -> Void) {
    let step = a.vector.distance(to: b.vector)
    // A circle that is small beside the way can always be gone round.
    guard step > 0, step <= 8 * cellSize else { return }
    forEachCell(around: b.coordinate, cosine: b.cosineOfLatitude, radius: maxRadius + step) { cell, quads in
      guard let base = quads.baseAddress else { return }
      let origin = SIMD3<Double>(cell.pointee.origin)
      let ax = SIMD4(repeating: Float(a.vector.x - origin.x))
      let ay = SIMD4(repeating: Float(a.vector.y - origin.y))
      let az = SIMD4(repeating: Float(a.vector.z - origin.z))
      let wx = SIMD4(repeating: Float(b.vector.x - a.vector.x))
      let wy = SIMD4(repeating: Float(b.vector.y - a.vector.y))
      let wz = SIMD4(repeating: Float(b.vector.z - a.vector.z))
      let square = SIMD4(repeating: Float(step * step))
      let needed = SIMD4(repeating: Float(max(0, depth - 2 * margin)))
      var quad = base + Int(cell.pointee.firstQuad)
      let end = quad + Int(cell.pointee.count + 3) / 4
      while quad < end {
        let dx = quad.pointee.x - ax
        let dy = quad.pointee.y - ay
        let dz = quad.pointee.z - az
        let along = dx * wx + dy * wy + dz * wz
        // The circle must have room for the depth, and its centre lie beside the way and near it.
        let room = quad.pointee.radius - needed
        let miss = (dx * dx + dy * dy + dz * dz) * square - along * along
        let within = room * room * square - miss
        let misses = bits(room) | bits(along) | bits(square - along) | bits(within)
        if isNegativeSomewhere(~misses) {
          for lane in 0..<4 where misses[lane] >> 31 == 0 && quad.pointee.slot[lane] >= 0 {
            body(quad.pointee.slot[lane])
          }
        }
        quad += 1
      }
    }
  }

  /// Calls `body` with the slot of each circle that contains `point`, and of some that don't.
  func scan(near point: Point, _ body: (Int32) -> Void) {
    guard count > 0 else { return }
    var ignored = NearCircles()
    let far = Point(coordinate: point.coordinate, vector: EarthVector(x: 0, y: 0, z: 0))
    scan(around: point, radius: maxRadius, far, point, within: -1, &ignored, body)
  }

  private func scan(
    around center: Point, radius: Double, _ a: Point, _ b: Point, within: Float, _ near: inout NearCircles,
    _ body: (Int32) -> Void
  ) {
    let close = Float(2 * margin * (maxRadius + margin))
    let step = Float(a.vector.distance(to: b.vector) + 2 * margin)
    forEachCell(around: center.coordinate, cosine: center.cosineOfLatitude, radius: radius) { cell, quads in
      guard let base = quads.baseAddress else { return }
      CircleQuad.measure(
        base + Int(cell.pointee.firstQuad), count: Int(cell.pointee.count + 3) / 4,
        around: SIMD3<Double>(cell.pointee.origin), from: a.vector, to: b.vector, step: step, close: close,
        within: within, &near, body)
    }
  }

  /// Calls `body` with each cell that may have a centre within `radius` metres of a place.
  @inline(__always)
  private func forEachCell(
    around center: Coordinate, cosine: Double, radius: Double,
    _ body: (UnsafePointer<Cell>, UnsafeBufferPointer<CircleQuad>) -> Void
  ) {
    let degrees = (radius + margin) / FenceGrid.metresPerDegree
    // The cosine is at most a radian's worth of `degrees` less at the far edge.
    let cosine = cosine - degrees * (.pi / 180)
    let wide = cosine * 180 > degrees ? degrees / cosine * 1.01 : 180
    let firstRow = row(center.latitude - degrees)
    let lastRow = row(center.latitude + degrees)
    cells.withUnsafeBufferPointer { cells in
      quads.withUnsafeBufferPointer { quads in
        var row = firstRow
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
            occupancy.forEach(row: row, first: wrapped, count: run) { column in
              if let cell = FenceGrid.find(key(row, column), in: cells) { body(cell, quads) }
            }
            column = column &+ run
          }
          row += 1
        }
      }
    }
  }

  @inline(__always)
  private static func find(_ key: UInt64, in cells: UnsafeBufferPointer<Cell>) -> UnsafePointer<Cell>? {
    guard let base = cells.baseAddress else { return nil }
    let mask = cells.count - 1
    var place = hash(key) & mask
    while base[place].room > 0 {
      if base[place].key == key { return base + place }
      place = (place + 1) & mask
    }
    return nil
  }
}
