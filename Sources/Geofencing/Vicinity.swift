import Geodesy

#if canImport(Glibc)
  import Glibc
#endif

/// How far a device may go before a boundary can matter. Saves work and is not part of what a state says.
struct Vicinity: Sendable {
  private var anchor = Point(
    coordinate: Coordinate(latitude: 0, longitude: 0),
    vector: EarthVector(x: Geodesic.equatorialRadius, y: 0, z: 0))
  private var cosine = 0.0
  /// Metres from the anchor within which there is no boundary.
  private var free = 0.0
  /// The index that it was measured in.
  private var version: UInt64 = 0
  /// How far to look for boundaries next time, in metres: as far again as was free the last time.
  private(set) var reach = 100.0

  /// More than there are metres in a degree of latitude, or of longitude on the equator, anywhere on WGS 84.
  private static let metresPerDegree = 111_700.0

  init() {}

  /// Notes that the device can go `free` metres from `point`.
  mutating func note(_ free: Double, around point: Point, in index: FenceIndex) {
    anchor = point
    cosine = point.cosineOfLatitude + 0.0034
    self.free = free
    version = index.version
    reach = min(2 * free, 50_000)
  }

  /// About the distance between two points in metres, to 1 % where they are near.
  static func metres(from a: Coordinate, to b: Coordinate) -> Double {
    let north = b.latitude - a.latitude
    guard abs(north) < 1, max(abs(a.latitude), abs(b.latitude)) < 85 else {
      return Geodesic.distance(from: a, to: b)
    }
    var east = abs(b.longitude - a.longitude)
    if east > 180 { east = 360 - east }
    guard east < 1 else { return Geodesic.distance(from: a, to: b) }
    let x = east * cos((a.latitude + b.latitude) * (.pi / 360)) * 111_320
    let y = north * 111_130
    return (x * x + y * y).squareRoot()
  }

  /// The point at `coordinate`, which is the anchor more often than not.
  func point(at coordinate: Coordinate) -> Point {
    anchor.coordinate == coordinate ? anchor : Point(coordinate)
  }

  /// True where no boundary lies between the anchor and `coordinate`.
  ///
  /// The way that is straight in latitude and longitude is no shorter than the geodesic, and its length is at most
  /// that with the longest degrees on it.
  func covers(_ coordinate: Coordinate, in index: FenceIndex) -> Bool {
    guard version == index.version else { return false }
    let north = abs(coordinate.latitude - anchor.coordinate.latitude)
    var east = abs(coordinate.longitude - anchor.coordinate.longitude)
    if east > 180 { east = 360 - east }
    let y = north * Vicinity.metresPerDegree
    let x = east * Vicinity.metresPerDegree * (cosine + north * (.pi / 180))
    return x * x + y * y < free * free
  }
}
