/// A circle for fast measuring: its centre in whole ``units``, and its chord.
///
/// Whole numbers give any place on the Earth to four millimetres in 12 bytes, and differences of near ones
/// are exact.
struct SmallCircle: Sendable {
  var x: Int32
  var y: Int32
  var z: Int32
  /// The chord of the radius in units.
  var radius: Float
  var slot: Int32

  /// Units in a metre: as many as leave room for the Earth.
  static let units = 256.0

  /// A placeholder: its boundary is far from everything, and its square is finite.
  static let none = SmallCircle(x: 0, y: 0, z: 0, radius: -1e15, slot: -1)

  init(x: Int32, y: Int32, z: Int32, radius: Float, slot: Int32) {
    self.x = x
    self.y = y
    self.z = z
    self.radius = radius
    self.slot = slot
  }

  /// The circle of a slot.
  init(_ circle: Circle, slot: Int32) {
    let center = SmallCircle.place(of: circle.centerVector)
    self.init(
      x: center.x, y: center.y, z: center.z, radius: Float(circle.chord.lowerBound * SmallCircle.units),
      slot: slot)
  }

  /// The disc around the shape of a slot.
  init(_ disc: Disc, slot: Int32) {
    let center = SmallCircle.place(of: disc.center.vector)
    self.init(
      x: center.x, y: center.y, z: center.z, radius: Float(disc.radius * SmallCircle.units), slot: slot)
  }

  /// A point in units.
  @inline(__always)
  static func place(of vector: EarthVector) -> SIMD3<Int32> {
    SIMD3(whole(vector.x * units), whole(vector.y * units), whole(vector.z * units))
  }

  /// The nearest whole number that fits.
  @inline(__always)
  private static func whole(_ number: Double) -> Int32 {
    // Adding 1.5 × 2^52 leaves no bits for fractions. Conversions with a range check are slower.
    Int32(truncatingIfNeeded: (number + 6_755_399_441_055_744.0).bitPattern)
  }
}

/// Four circles, side by side.
struct CircleQuad: Sendable {
  var x = SIMD4<Int32>(repeating: 0)
  var y = SIMD4<Int32>(repeating: 0)
  var z = SIMD4<Int32>(repeating: 0)
  var radius = SIMD4<Float>(repeating: SmallCircle.none.radius)
  var slot = SIMD4<Int32>(repeating: SmallCircle.none.slot)

  /// The circle in a lane.
  subscript(lane: Int) -> SmallCircle {
    get { SmallCircle(x: x[lane], y: y[lane], z: z[lane], radius: radius[lane], slot: slot[lane]) }
    set {
      x[lane] = newValue.x
      y[lane] = newValue.y
      z[lane] = newValue.z
      radius[lane] = newValue.radius
      slot[lane] = newValue.slot
    }
  }

  /// A query about circles: how they lie to a step from `a` to `b`. All in units.
  struct Question {
    let a: SIMD3<Int32>
    let b: SIMD3<Int32>
    /// From `a` to `b`, plus the possible error of the measurement. Circles with a boundary farther from `b`
    /// are not compared with `a`.
    let step: Float
    /// If squares of distance and radius differ by less, the answer is left to an exact test.
    let close: Float
    /// Circles whose boundary is nearer to `b` than this are collected; negative for none.
    let within: Float

    /// A query in metres.
    ///
    /// - Parameters:
    ///   - margin: nearer to a boundary than this, the answer is left to an exact test.
    ///   - maxRadius: the radius of the largest circle, or more.
    @inline(__always)
    init(
      from a: EarthVector, to b: EarthVector, step: Double, margin: Double, maxRadius: Double, within: Double
    ) {
      self.a = SmallCircle.place(of: a)
      self.b = SmallCircle.place(of: b)
      self.step = Float((step + 2 * margin) * SmallCircle.units)
      self.within = Float(within * SmallCircle.units)
      close = Float(2 * margin * (maxRadius + margin) * (SmallCircle.units * SmallCircle.units))
    }
  }

  /// Measures circles.
  ///
  /// - Parameters:
  ///   - near: collects the circles that are near.
  ///   - hit: called with the slot of each circle whose boundary is between `a` and `b`, or too close to one
  ///     of them to decide.
  ///   - least: lowered to the distance in units from `b` to the nearest boundary, lane by lane.
  @inline(__always)
  static func measure(
    _ quads: UnsafePointer<CircleQuad>, count: Int, _ question: Question, least: inout SIMD4<Float>,
    _ near: inout NearCircles, _ hit: (Int32) -> Void
  ) {
    let bx = SIMD4(repeating: question.b.x)
    let by = SIMD4(repeating: question.b.y)
    let bz = SIMD4(repeating: question.b.z)
    let heeded = SIMD4(repeating: max(question.step, question.within))
    let within = SIMD4(repeating: question.within)
    var quad = quads
    let end = quads + count
    while quad < end {
      let square = squares(quad, from: bx, by, bz)
      let far = magnitude(square.squareRoot() - quad.pointee.radius)
      least.replace(with: far, where: far .< least)
      if any(far .< heeded) {
        hits(quad, question, squareB: square).forEach { hit(quad.pointee.slot[$0]) }
        (far .< within).forEach { near.add(quad.pointee[$0]) }
      }
      quad += 1
    }
  }

  /// The distance in metres that ``measure(_:count:_:least:_:_:)`` found.
  static func metres(_ least: SIMD4<Float>) -> Double {
    Double(min(min(least.x, least.y), min(least.z, least.w))) / SmallCircle.units
  }

  /// The squares of the distances from a point to the centres.
  @inline(__always)
  private static func squares(
    _ quad: UnsafePointer<CircleQuad>, from x: SIMD4<Int32>, _ y: SIMD4<Int32>, _ z: SIMD4<Int32>
  ) -> SIMD4<Float> {
    let dx = SIMD4<Float>(quad.pointee.x &- x)
    let dy = SIMD4<Float>(quad.pointee.y &- y)
    let dz = SIMD4<Float>(quad.pointee.z &- z)
    return dx * dx + dy * dy + dz * dz
  }

  /// Calls `body` with the slot of each circle that comes within this distance of a point.
  @inline(__always)
  static func forEachDisc(
    _ quads: UnsafePointer<CircleQuad>, count: Int, near point: EarthVector, within metres: Double,
    _ body: (Int32) -> Void
  ) {
    let place = SmallCircle.place(of: point)
    let x = SIMD4(repeating: place.x)
    let y = SIMD4(repeating: place.y)
    let z = SIMD4(repeating: place.z)
    let within = SIMD4(repeating: Float(metres * SmallCircle.units))
    for quad in quads..<quads + count {
      let far = squares(quad, from: x, y, z).squareRoot() - quad.pointee.radius - within
      (far .< 0).forEach { body(quad.pointee.slot[$0]) }
    }
  }

  /// Calls `body` with the slot of each circle that the straight way from `a` to `b` crosses at least `depth`
  /// metres deep, if neither end is in it. May include others.
  @inline(__always)
  static func forEachPassage(
    _ quads: UnsafePointer<CircleQuad>, count: Int, from a: EarthVector, to b: EarthVector, depth: Double,
    _ body: (Int32) -> Void
  ) {
    let start = SmallCircle.place(of: a)
    let way = SIMD3<Float>(SmallCircle.place(of: b) &- start)
    let wx = SIMD4(repeating: way.x)
    let wy = SIMD4(repeating: way.y)
    let wz = SIMD4(repeating: way.z)
    let square = wx * wx + wy * wy + wz * wz
    let needed = SIMD4(repeating: Float(max(0, depth) * SmallCircle.units))
    var quad = quads
    let end = quads + count
    while quad < end {
      let dx = SIMD4<Float>(quad.pointee.x &- SIMD4(repeating: start.x))
      let dy = SIMD4<Float>(quad.pointee.y &- SIMD4(repeating: start.y))
      let dz = SIMD4<Float>(quad.pointee.z &- SIMD4(repeating: start.z))
      let along = dx * wx + dy * wy + dz * wz
      // The circle must be deep enough, and its centre must be near the way.
      let room = quad.pointee.radius - needed
      let miss = (dx * dx + dy * dy + dz * dz) * square - along * along
      let within = room * room * square - miss
      let misses = (room .< 0) .| (along .< 0) .| (square .< along) .| (within .< 0)
      (.!misses).forEach { lane in
        if quad.pointee.slot[lane] >= 0 { body(quad.pointee.slot[lane]) }
      }
      quad += 1
    }
  }

  /// True where `a` and `b` are on two sides of a boundary, or one is too near to it.
  @inline(__always)
  private static func hits(
    _ quad: UnsafePointer<CircleQuad>, _ question: Question, squareB: SIMD4<Float>
  ) -> SIMDMask<SIMD4<Int32>> {
    let squareA = squares(
      quad, from: SIMD4(repeating: question.a.x), SIMD4(repeating: question.a.y),
      SIMD4(repeating: question.a.z))
    let square = quad.pointee.radius * quad.pointee.radius
    let pastA = squareA - square
    let pastB = squareB - square
    let close = SIMD4(repeating: question.close)
    return (pastA * pastB .< 0) .| (magnitude(pastA) .< close) .| (magnitude(pastB) .< close)
  }
}

/// The circles whose boundary is near a device, so that each fix is compared with few.
struct NearCircles: Sendable {
  /// The most circles: measured in about 50 ns, kept in 640 bytes.
  static let capacity = 32

  private(set) var quads: [CircleQuad] = []
  private var counted: Int32 = 0
  private var largest: Float = 0
  /// How many there are; more than the capacity if some are missing.
  var count: Int { Int(counted) }
  /// Radius of the largest, in metres, or more.
  var maxRadius: Double { Double(largest) }
  /// Nearer to a boundary than this many metres, an exact test must decide.
  var margin: Double { FenceGrid.margin(ofRadius: maxRadius) }

  /// True if all near circles are here.
  var isComplete: Bool { count <= NearCircles.capacity }

  mutating func removeAll() {
    quads.removeAll(keepingCapacity: true)
    counted = 0
    largest = 0
  }

  /// Prepares for circles of a grid with radii up to `maxRadius` metres: a number with few digits.
  mutating func cover(maxRadius: Double) { largest = max(largest, Float(maxRadius)) }

  mutating func add(_ circle: SmallCircle) {
    counted += 1
    guard count <= NearCircles.capacity else { return }
    let lane = (count - 1) % 4
    if lane == 0 {
      if quads.capacity == 0 { quads.reserveCapacity(NearCircles.capacity / 4) }
      quads.append(CircleQuad())
    }
    quads[quads.count - 1][lane] = circle
  }
}

/// The magnitudes of four numbers.
@inline(__always)
func magnitude(_ numbers: SIMD4<Float>) -> SIMD4<Float> {
  let bits = unsafeBitCast(numbers, to: SIMD4<UInt32>.self)
  return unsafeBitCast(bits & SIMD4(repeating: 0x7FFF_FFFF), to: SIMD4<Float>.self)
}

extension SIMDMask where Storage == SIMD4<Int32> {
  /// Calls `body` with each lane that is true, in ascending order.
  @inline(__always)
  func forEach(_ body: (Int) -> Void) {
    for lane in 0..<4 where self[lane] { body(lane) }
  }
}
