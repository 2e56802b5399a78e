public import FencepostGeodesy

/// How long a person takes to get somewhere: a rule of thumb that needs no map.
///
/// Roads are about 1.3 times as long as the straight line. In a town, a door-to-door trip makes some 30 km/h on them, on
/// motorways 80. 40 km/h along the straight line, and ten minutes for parking and walking, is enough for both.
public struct TravelEstimate: Hashable, Sendable {
  /// The speed along the straight line, in metres per second.
  public var speed: Double

  /// The usual speed: 40 km/h.
  public static let usualSpeed = 40 / 3.6
  /// The seconds that every trip takes in addition.
  private static let extra = 600.0
  /// Who is closer, in metres, is there already.
  private static let nearest = 300.0
  /// Who is farther away, in metres, does not come from there: the flight home starts where the journey ends.
  private static let farthest = 200_000.0

  /// An estimate.
  public init(speed: Double = TravelEstimate.usualSpeed) { self.speed = speed }

  /// The seconds from one place to another, rounded up to five minutes; `nil` if a person is there already, or will not come
  /// from so far away.
  public func seconds(from start: Coordinate, to end: Coordinate) -> Int? {
    guard start.isValid, end.isValid, speed > 0 else { return nil }
    let distance = Geodesic.distance(from: start, to: end)
    guard (Self.nearest...Self.farthest).contains(distance) else { return nil }
    let seconds = distance / speed + Self.extra
    // A crawl must not become a number that does not fit.
    return seconds < 86_400 ? Int((seconds / 300).rounded(.up)) * 300 : nil
  }
}
