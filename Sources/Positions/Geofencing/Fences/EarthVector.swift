import FencepostGeodesy

#if canImport(Glibc)
  import Glibc
#endif

/// A point of WGS 84's surface in Earth-centred, Earth-fixed metres (EPSG:4978).
///
/// Straight-line distances between such points need no trigonometry and have no special cases at the
/// antimeridian or the poles. They bound the geodesic distance closely (``ChordBounds``).
struct EarthVector: Hashable, Sendable {
  var x: Double
  var y: Double
  var z: Double

  init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The point of the surface at `coordinate`.
  init(_ coordinate: Coordinate) {
    let f = Geodesic.flattening
    let e2 = f * (2 - f)
    // Latitude in the first lane, longitude in the second.
    let (sines, cosines) = Trigonometry.ofDegrees(SIMD2(coordinate.latitude, coordinate.longitude))
    let n = Geodesic.equatorialRadius / (1 - e2 * sines.x * sines.x).squareRoot()
    x = n * cosines.x * cosines.y
    y = n * cosines.x * sines.y
    z = n * (1 - e2) * sines.x
  }

  static func - (a: EarthVector, b: EarthVector) -> EarthVector {
    EarthVector(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }

  static func + (a: EarthVector, b: EarthVector) -> EarthVector {
    EarthVector(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
  }

  func scaled(_ factor: Double) -> EarthVector { EarthVector(x: x * factor, y: y * factor, z: z * factor) }

  func cross(_ other: EarthVector) -> EarthVector {
    EarthVector(x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  /// The vector of length 1 in the same direction; `nil` for the zero vector.
  var unit: EarthVector? {
    let length = dot(self).squareRoot()
    return length > 0 && length.isFinite ? scaled(1 / length) : nil
  }

  func dot(_ other: EarthVector) -> Double { x * other.x + y * other.y + z * other.z }

  /// The straight-line distance in metres.
  func distance(to other: EarthVector) -> Double {
    let way = self - other
    return way.dot(way).squareRoot()
  }
}

/// Bounds on the geodesic distance between two points of the ellipsoid, from their straight-line distance.
///
/// A geodesic is a space curve. Its curvature is the ellipsoid's normal curvature along it, which lies
/// between the curvatures of two circles. By Schur's comparison theorem its chord is no shorter than that of
/// an arc of the same length on the smaller circle. Without torsion it would be no longer than on the larger
/// one. Torsion is at most half the difference of the principal curvatures (0.34 % of a curvature), and
/// lengthens the chord in the second order. The larger circle is taken 1 % too large to cover it.
enum ChordBounds {
  /// Radius of the tightest curve: the meridian at the equator.
  static let smallest = 6_335_439.0
  /// Radius of the widest curve, the poles' 6,399,594 m, and 1 % for torsion.
  static let largest = 6_464_000.0
  /// Beyond this many metres geodesics decide alone.
  static let reach = 5_000_000.0
  /// Up to this many metres an arc exceeds its chord by less than ``mostShortExcess`` metres.
  static let short = 1_000.0
  static let mostShortExcess = 1e-5
  /// Covers rounding in coordinates of the Earth's size, in metres.
  static let rounding = 1e-7

  /// The shortest and the longest chord, in metres, of a geodesic of `metres` (0 to ``reach``).
  static func chord(ofGeodesic metres: Double) -> ClosedRange<Double> {
    if metres < short {
      // The arc's excess over the chord is less than 1.1 micrometres, where x - x³/6 is exact enough for the
      // sine.
      let excess = metres * metres * metres / 24
      return max(
        0, metres - excess / (smallest * smallest) - rounding)...(metres - excess / (largest * largest)
        + rounding)
    }
    let low = 2 * smallest * sin(metres / (2 * smallest))
    let high = 2 * largest * sin(metres / (2 * largest))
    return (low - rounding)...(high + rounding)
  }

  /// The approximate geodesic distance for a chord; within 1 % of the arc's excess over the chord.
  @inline(__always)
  static func geodesic(ofChord metres: Double) -> Double {
    let x = metres / (2 * Geodesic.meanRadius)
    return x < 0.01 ? metres * (1 + x * x / 6) : 2 * Geodesic.meanRadius * asin(min(1, x))
  }
}

/// A coordinate and its place in space.
struct Point: Sendable {
  let coordinate: Coordinate
  let vector: EarthVector

  init(coordinate: Coordinate, vector: EarthVector) {
    self.coordinate = coordinate
    self.vector = vector
  }

  init(_ coordinate: Coordinate) { self.init(coordinate: coordinate, vector: EarthVector(coordinate)) }

  /// The point of the surface in the direction of a vector from the Earth's centre. Exact for vectors that
  /// end on the surface.
  init(_ direction: EarthVector) {
    let f = Geodesic.flattening
    let aside = (direction.x * direction.x + direction.y * direction.y).squareRoot()
    let latitude = atan2(direction.z, (1 - f) * (1 - f) * aside) * (180 / .pi)
    let longitude = atan2(direction.y, direction.x) * (180 / .pi)
    self.init(
      Coordinate(latitude: min(90, max(-90, latitude)), longitude: min(180, max(-180, longitude))))
  }

  /// The cosine of the latitude, or up to 0.0034 less.
  var cosineOfLatitude: Double {
    (vector.x * vector.x + vector.y * vector.y).squareRoot() / Geodesic.equatorialRadius - 0.0034
  }
}

/// Sines and cosines of two angles at once: four calls of the C library take five times as long, and
/// a fix of one of 1,000 devices among 1,000 fences 16 % more instructions.
enum Trigonometry {
  /// The sines and cosines of angles in degrees, of at most ±360, to two units in the fourth place. The same
  /// on every machine.
  ///
  /// First removes whole right angles, which is exact in degrees. The rest, 45° at most, goes into Taylor's
  /// series.
  @inline(__always)
  static func ofDegrees(_ degrees: SIMD2<Double>) -> (sines: SIMD2<Double>, cosines: SIMD2<Double>) {
    // Adding 1.5 × 2^52 leaves no bits for fractions: the lowest bits count right angles.
    let rounder = 6_755_399_441_055_744.0
    let counted = degrees * (1.0 / 90) + rounder
    let angle = (degrees - (counted - rounder) * 90) * (Double.pi / 180)
    let square = angle * angle
    let sine =
      angle * series(square, (1, -6, 120, -5_040, 362_880, -39_916_800, 6_227_020_800, -1_307_674_368_000))
    let fourth = square * square
    let eighth = fourth * fourth
    let cosine =
      series(square, (1, -2, 24, -720, 40_320, -3_628_800, 479_001_600, -87_178_291_200))
      + eighth * eighth * (1.0 / 20_922_789_888_000)
    let (sin0, cos0) = turn(sine.x, cosine.x, by: counted.x.bitPattern)
    let (sin1, cos1) = turn(sine.y, cosine.y, by: counted.y.bitPattern)
    return (SIMD2(sin0, sin1), SIMD2(cos0, cos1))
  }

  /// Sine and cosine of an angle plus `count` right angles; only the lowest two bits count.
  @inline(__always)
  private static func turn(_ sine: Double, _ cosine: Double, by count: UInt64) -> (Double, Double) {
    let (sin, cos) = count & 1 == 0 ? (sine, cosine) : (cosine, sine)
    return (count & 2 == 0 ? sin : -sin, (count &+ 1) & 2 == 0 ? cos : -cos)
  }

  /// The sum of the powers of `x` from 0 to 7, each divided by a number.
  @inline(__always)
  private static func series(
    _ x: SIMD2<Double>, _ by: (Double, Double, Double, Double, Double, Double, Double, Double)
  ) -> SIMD2<Double> {
    // In pairs, because each step of one long sum would wait for the one before.
    let x2 = x * x
    let low = pair(x, by.0, by.1) + x2 * pair(x, by.2, by.3)
    let high = pair(x, by.4, by.5) + x2 * pair(x, by.6, by.7)
    return low + (x2 * x2) * high
  }

  @inline(__always)
  private static func pair(_ x: SIMD2<Double>, _ by0: Double, _ by1: Double) -> SIMD2<Double> {
    SIMD2(repeating: 1 / by0) + x * (1 / by1)
  }
}
