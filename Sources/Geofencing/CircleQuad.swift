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
  ///   - step: the metres from `a` to `b`, and what the measurement may be off: circles whose boundary is farther from `b`
  ///     are not held against `a`.
  ///   - close: by how much squares of distance and radius may differ where an answer is not given here.
  ///   - within: circles whose boundary is nearer to `b` than this are gathered; negative for none.
  ///   - near: where they are gathered.
  ///   - hit: called with the slot of each circle whose boundary is between `a` and `b`, or too close to one of them
  ///     to tell.
  /// - Returns: the distance in metres from `b` to the nearest boundary.
  @inline(__always)
  @discardableResult
  static func measure(
    _ quads: UnsafePointer<CircleQuad>, count: Int, around origin: SIMD3<Double>, from a: EarthVector,
    to b: EarthVector, step: Float, close: Float, within: Float, _ near: inout NearCircles,
    _ hit: (Int32) -> Void
  ) -> Double {
    let bx = SIMD4(repeating: Float(b.x - origin.x))
    let by = SIMD4(repeating: Float(b.y - origin.y))
    let bz = SIMD4(repeating: Float(b.z - origin.z))
    let heeded = SIMD4(repeating: max(step, within))
    var least = SIMD4<Float>(repeating: .infinity)
    var quad = quads
    let end = quads + count
    while quad < end {
      let dx = quad.pointee.x - bx
      let dy = quad.pointee.y - by
      let dz = quad.pointee.z - bz
      let square = dx * dx + dy * dy + dz * dz
      let far = magnitude(square.squareRoot() - quad.pointee.radius)
      least.replace(with: far, where: far .< least)
      // Signs are gathered as bits: masks of comparisons compile to far more.
      if isNegativeSomewhere(bits(far - heeded)) {
        let crossed = hits(quad.pointee, around: origin, from: a, squareB: square, close: close)
        for lane in 0..<4 where crossed[lane] >> 31 == 1 { hit(quad.pointee.slot[lane]) }
        for lane in 0..<4 where far[lane] < within {
          near.add(
            x: dx[lane], y: dy[lane], z: dz[lane], radius: quad.pointee.radius[lane],
            slot: quad.pointee.slot[lane])
        }
      }
      quad += 1
    }
    return Double(min(min(least.x, least.y), min(least.z, least.w)))
  }

  /// A negative number where `a` and `b` are on two sides of a boundary, or one is too near to it.
  @inline(__always)
  private static func hits(
    _ quad: CircleQuad, around origin: SIMD3<Double>, from a: EarthVector, squareB: SIMD4<Float>, close: Float
  ) -> SIMD4<UInt32> {
    let dx = quad.x - SIMD4(repeating: Float(a.x - origin.x))
    let dy = quad.y - SIMD4(repeating: Float(a.y - origin.y))
    let dz = quad.z - SIMD4(repeating: Float(a.z - origin.z))
    let square = quad.radius * quad.radius
    let pastA = dx * dx + dy * dy + dz * dz - square
    let pastB = squareB - square
    let close = SIMD4(repeating: close)
    return bits(pastA * pastB) | bits(magnitude(pastA) - close) | bits(magnitude(pastB) - close)
  }

  /// The distance in metres from `b`, seen from `origin`, to the nearest boundary.
  @inline(__always)
  static func nearest(
    _ quads: UnsafeBufferPointer<CircleQuad>, around origin: SIMD3<Double>, to b: EarthVector
  ) -> Double {
    guard let base = quads.baseAddress else { return .infinity }
    var none = NearCircles()
    return measure(
      base, count: quads.count, around: origin, from: b, to: b, step: -1, close: 0, within: -1, &none
    ) { _ in }
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
