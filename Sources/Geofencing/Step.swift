import CalendarModel
import Geodesy

/// The way from one fix to the next.
struct Step {
  /// From the one's time to the other's; negative where that is earlier.
  let seconds: Double
  /// About the distance, to 1 % where they are near.
  let metres: Double
  /// How far the way may be off, in metres, from the accuracy of both of its ends.
  let slack: Double

  @inline(__always)
  init(from last: DeviceState.LastFix, to fix: DeviceState.LastFix) {
    seconds = fix.time.seconds(since: last.time)
    metres = Step.metres(from: last.coordinate, to: fix.coordinate)
    slack = (fix.accuracy ?? 0) + (last.accuracy ?? 0)
  }

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

  /// The cosine of an angle of at most π/2 either way, by its Taylor series, to 1e-6.
  @inline(__always)
  private static func cosine(_ angle: Double) -> Double {
    let s = angle * angle
    let s2 = s * s
    let low = (1 - s * (1.0 / 2)) + s2 * (1.0 / 24 - s * (1.0 / 720))
    return low + (s2 * s2) * (1.0 / 40_320 - s * (1.0 / 3_628_800))
  }
}
