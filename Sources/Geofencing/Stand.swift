import Geodesy
import Spatiotemporal

/// Where a device has not moved away from for a while, as far as its fixes can tell.
///
/// A phone that lies still wanders about its place by tens of metres, for minutes at a time. That its fixes agree on one
/// side of a boundary nearby says little then: it has not crossed it as long as none of them is farther from where it
/// lay down than both may be off.
struct Stand: Hashable, Sendable {
  /// Where it was first.
  private(set) var coordinate: Coordinate
  /// Metres: the accuracy of that.
  private(set) var accuracy: Double
  /// Since when.
  private(set) var since: Instant
  private var metresPerDegreeEast: Double
  /// How many fixes there were, up to 255. Last, where it takes a byte in a state.
  private(set) var count: UInt8 = 1

  /// How many times the accuracy of both fixes a device must be away to have moved.
  private static let reach = 1.5
  /// How long, in seconds, and for how many fixes it must have been there to be resting.
  private static let leastSeconds = 300.0
  private static let leastFixes: UInt8 = 4

  init(_ coordinate: Coordinate, accuracy: Double, since: Instant, count: UInt8 = 1) {
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.since = since
    self.count = count
    metresPerDegreeEast = Step.metresPerDegreeEast(atLatitude: coordinate.latitude)
  }

  /// Before the first fix: no place is near to it.
  static let nowhere = Stand(
    Coordinate(latitude: .nan, longitude: .nan), accuracy: 0, since: .distantPast, count: 0)

  /// Takes in a fix: it is still there, or stands somewhere else from now on.
  @inline(__always)
  mutating func note(_ coordinate: Coordinate, accuracy: Double, at time: Instant) {
    let y = (coordinate.latitude - self.coordinate.latitude) * Step.metresPerDegreeNorth
    let x = (coordinate.longitude - self.coordinate.longitude) * metresPerDegreeEast
    let most = Stand.reach * (self.accuracy + accuracy)
    if x * x + y * y <= most * most {
      if count < .max { count += 1 }
    } else {
      self = Stand(coordinate, accuracy: accuracy, since: time)
    }
  }

  /// True where it has been there long enough at `time` to be taken to rest.
  func isResting(at time: Instant) -> Bool {
    count >= Stand.leastFixes && time.seconds(since: since) >= Stand.leastSeconds
  }
}
