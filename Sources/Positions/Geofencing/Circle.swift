import FencepostGeodesy
import FencepostSpatiotemporal

/// A circle on the ellipsoid, prepared for many queries.
struct Circle: Sendable {
  let center: Coordinate
  /// Geodesic radius in metres.
  let radius: Double
  let centerVector: EarthVector
  /// A point at a shorter chord is inside, at a longer one outside. In between the geodesic decides.
  let chord: ClosedRange<Double>

  /// The circle; `nil` if it contains nothing (see ``Fence``).
  init?(center: Coordinate, radius: Double) {
    guard center.isValid else { return nil }
    self.init(center: center, radius: radius, centerVector: EarthVector(center))
  }

  /// The same for a centre whose vector is known. The vector is NaN if the centre is not on the globe.
  @inline(__always)
  init?(center: Coordinate, radius: Double, centerVector: EarthVector) {
    guard radius >= 0, centerVector.x.isFinite else { return nil }
    self.center = center
    self.radius = radius
    self.centerVector = centerVector
    chord = radius <= ChordBounds.reach ? ChordBounds.chord(ofGeodesic: radius) : 0...(.infinity)
  }

  /// True if the geodesic distance from the centre is at most the radius.
  ///
  /// Costs a few nanoseconds, and a geodesic where `vector` is within a micrometre or so of the boundary.
  @inline(__always)
  func contains(_ vector: EarthVector, _ coordinate: Coordinate) -> Bool {
    let metres = vector.distance(to: centerVector)
    if metres < chord.lowerBound { return true }
    if metres > chord.upperBound { return false }
    return isReached(coordinate)
  }

  @inline(never)
  private func isReached(_ coordinate: Coordinate) -> Bool {
    Geodesic.distance(from: center, to: coordinate) <= radius
  }

  /// The distance in metres from the boundary to `vector`; negative inside.
  ///
  /// Good to 1 % of the arc's excess over its chord: a millimetre at 30 km.
  func depth(_ vector: EarthVector) -> Double {
    ChordBounds.geodesic(ofChord: vector.distance(to: centerVector)) - radius
  }

  /// A lower bound, in metres, on how far `vector` can move before it meets the boundary.
  func clearance(_ vector: EarthVector) -> Double {
    let metres = vector.distance(to: centerVector)
    return max(0, chord.lowerBound - metres, metres - chord.upperBound)
  }
}
