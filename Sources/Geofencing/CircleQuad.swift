/// Four circles, as points in space relative to some origin and the chords of their radii, in single precision.
struct CircleQuad: Sendable {
  /// Far from everything where there is none.
  var x = SIMD4<Float>(repeating: CircleQuad.nowhere)
  var y = SIMD4<Float>(repeating: 0)
  var z = SIMD4<Float>(repeating: 0)
  var radius = SIMD4<Float>(repeating: 0)
  var slot = SIMD4<Int32>(repeating: -1)

  /// An abscissa in metres whose square is finite and that no device comes near to.
  static let nowhere: Float = 1e15

  /// Measures circles against a step from `a` to `b`.
  ///
  /// - Parameters:
  ///   - origin: what the circles are relative to.
  ///   - close: by how much squares of distance and radius may differ where an answer is not given here.
  ///   - within: circles whose boundary is nearer to `b` than this are gathered; negative for none.
  ///   - near: where they are gathered.
  ///   - hit: called with the slot of each circle whose boundary is between `a` and `b`, or too close to one of them
  ///     to tell.
  @inline(__always)
  static func measure(
    _ quads: UnsafePointer<CircleQuad>, count: Int, around origin: SIMD3<Double>, from a: EarthVector,
    to b: EarthVector, close: Float, within: Float, _ near: inout NearCircles, _ hit: (Int32) -> Void
  ) {
    let ax = SIMD4(repeating: Float(a.x - origin.x))
    let ay = SIMD4(repeating: Float(a.y - origin.y))
    let az = SIMD4(repeating: Float(a.z - origin.z))
    let bx = SIMD4(repeating: Float(b.x - origin.x))
    let by = SIMD4(repeating: Float(b.y - origin.y))
    let bz = SIMD4(repeating: Float(b.z - origin.z))
    let close = SIMD4(repeating: close)
    let within = SIMD4(repeating: within)
    var quad = quads
    let end = quads + count
    while quad < end {
      let dax = quad.pointee.x - ax
      let day = quad.pointee.y - ay
      let daz = quad.pointee.z - az
      let dbx = quad.pointee.x - bx
      let dby = quad.pointee.y - by
      let dbz = quad.pointee.z - bz
      let radius = quad.pointee.radius
      let square = radius * radius
      let pastA = dax * dax + day * day + daz * daz - square
      let squareB = dbx * dbx + dby * dby + dbz * dbz
      let pastB = squareB - square
      let depthB = squareB.squareRoot() - radius
      // A negative number where the two are on two sides of the boundary, or one is too near to it. Signs are
      // gathered as bits: masks of comparisons compile to far more.
      let hits = bits(pastA * pastB) | bits(magnitude(pastA) - close) | bits(magnitude(pastB) - close)
      if isNegativeSomewhere(hits) {
        for lane in 0..<4 where hits[lane] >> 31 == 1 { hit(quad.pointee.slot[lane]) }
      }
      let nears = bits(magnitude(depthB) - within)
      if isNegativeSomewhere(nears) {
        for lane in 0..<4 where nears[lane] >> 31 == 1 {
          near.add(
            x: dbx[lane], y: dby[lane], z: dbz[lane], radius: radius[lane], slot: quad.pointee.slot[lane])
        }
      }
      quad += 1
    }
  }

  /// The distance in metres from `b`, seen from `origin`, to the nearest boundary.
  @inline(__always)
  static func nearest(
    _ quads: UnsafeBufferPointer<CircleQuad>, around origin: SIMD3<Double>, to b: EarthVector
  )
    -> Double
  {
    let bx = SIMD4(repeating: Float(b.x - origin.x))
    let by = SIMD4(repeating: Float(b.y - origin.y))
    let bz = SIMD4(repeating: Float(b.z - origin.z))
    var least = SIMD4<Float>(repeating: .infinity)
    for quad in quads {
      let dx = quad.x - bx
      let dy = quad.y - by
      let dz = quad.z - bz
      let far = magnitude((dx * dx + dy * dy + dz * dz).squareRoot() - quad.radius)
      least.replace(with: far, where: far .< least)
    }
    return Double(min(min(least.x, least.y), min(least.z, least.w)))
  }
}

/// The circles whose boundary is near a device, so that few are measured at each of its fixes.
struct NearCircles: Sendable {
  /// How many there may be: what is measured in some 50 ns, and kept in 640 bytes.
  static let capacity = 32

  private(set) var quads: [CircleQuad] = []
  /// How many there are; more than the capacity where some are missing.
  private(set) var count = 0
  /// Nearer to a boundary than this many metres, an answer must be found elsewhere.
  private(set) var margin = 0.0
  private var maxRadius = 0.0

  /// True where all that are near are here.
  var isComplete: Bool { count <= NearCircles.capacity }

  /// By how much squares of distance and radius may differ where an answer is not given here.
  var close: Float { Float(2 * margin * (maxRadius + margin)) }

  mutating func removeAll() {
    quads.removeAll(keepingCapacity: true)
    count = 0
    margin = 0
    maxRadius = 0
  }

  /// Makes ready for circles of a grid.
  mutating func cover(margin: Double, maxRadius: Double) {
    self.margin = max(self.margin, 2 * margin)
    self.maxRadius = max(self.maxRadius, maxRadius)
  }

  mutating func add(x: Float, y: Float, z: Float, radius: Float, slot: Int32) {
    count += 1
    guard count <= NearCircles.capacity else { return }
    let lane = (count - 1) % 4
    if lane == 0 {
      if quads.capacity == 0 { quads.reserveCapacity(NearCircles.capacity / 4) }
      quads.append(CircleQuad())
    }
    let last = quads.count - 1
    quads[last].x[lane] = x
    quads[last].y[lane] = y
    quads[last].z[lane] = z
    quads[last].radius[lane] = radius
    quads[last].slot[lane] = slot
  }
}

/// The bits of four numbers; the highest of each is its sign.
@inline(__always)
func bits(_ numbers: SIMD4<Float>) -> SIMD4<UInt32> { unsafeBitCast(numbers, to: SIMD4<UInt32>.self) }

/// The magnitudes of four numbers.
@inline(__always)
func magnitude(_ numbers: SIMD4<Float>) -> SIMD4<Float> {
  unsafeBitCast(bits(numbers) & SIMD4(repeating: 0x7FFF_FFFF), to: SIMD4<Float>.self)
}

/// True where one of four numbers, given as bits, is negative.
@inline(__always)
func isNegativeSomewhere(_ bits: SIMD4<UInt32>) -> Bool {
  let words = unsafeBitCast(bits, to: SIMD2<UInt64>.self)
  return (words.x | words.y) & 0x8000_0000_8000_0000 != 0
}
