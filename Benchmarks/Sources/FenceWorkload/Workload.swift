public import CFenceGrid
import FencepostGeodesy
import Glibc

/// SplitMix64, so that each run uses the same numbers.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }

  /// A number of the standard normal distribution (Box and Muller).
  mutating func normal() -> Double {
    (-2 * log(number(1e-12...1))).squareRoot() * cos(number(0...(2 * .pi)))
  }
}

/// A city 60 km across, in metres east and north of its centre.
enum City {
  static let middle = Coordinate(latitude: 52.52, longitude: 13.405)
  static let half = 30_000.0

  static func coordinate(east: Double, north: Double) -> Coordinate {
    Coordinate(
      latitude: middle.latitude + north / 111_195,
      longitude: middle.longitude + east / (111_195 * cos(middle.latitude * .pi / 180)))
  }
}

/// The distribution of fences.
public enum Spread: String, CaseIterable {
  case city
  case world
}

/// `count` circles of 50 to 500 m, either all over the city, or in clusters, one of which is in the city.
public func circles(_ count: Int, _ spread: Spread) -> [GridCircle] {
  var random = Seeded(state: UInt64(count) * 2 + (spread == .city ? 0 : 1))
  let towns = (0..<2_000).map { _ in
    Coordinate(latitude: random.number(-55...65), longitude: random.number(-179...179))
  }
  return (0..<count).map { _ in
    let place: Coordinate
    switch (spread, random.number(0...1)) {
    case (.city, _), (.world, ..<0.015):
      place = City.coordinate(
        east: random.number(-City.half...City.half), north: random.number(-City.half...City.half))
    case (.world, ..<0.7):
      let town = towns[Int.random(in: 0..<towns.count, using: &random)]
      place = Coordinate(
        latitude: town.latitude + random.normal() * 0.1, longitude: town.longitude + random.normal() * 0.1)
    default:
      place = Coordinate(latitude: random.number(-55...70), longitude: random.number(-179...179))
    }
    return GridCircle(
      latitude: place.latitude, longitude: max(-180, min(180, place.longitude)),
      radius: random.number(50...500))
  }
}

/// `steps` positions of each of `devices`, `seconds` apart, ordered by time: trips on foot and by car with
/// stops in between, with errors that drift.
public func positions(devices: Int, steps: Int, seconds: Double) -> [GridPosition] {
  struct Walker {
    var east: Double
    var north: Double
    var velocity = (east: 0.0, north: 0.0)
    var left = 0.0
    var error = (east: 0.0, north: 0.0)
  }
  var random = Seeded(state: 7)
  var walkers = (0..<devices).map { _ in
    Walker(east: random.number(-24_000...24_000), north: random.number(-24_000...24_000))
  }
  var all: [GridPosition] = []
  all.reserveCapacity(devices * steps)
  for step in 0..<steps {
    for device in walkers.indices {
      var walker = walkers[device]
      if walker.left <= 0 {
        let isStop = random.number(0...1) < 0.35
        let isDrive = random.number(0...1) < 0.6
        let speed = isStop ? 0 : isDrive ? random.number(8...18) : random.number(1.1...1.7)
        let length = isDrive ? random.number(1_000...8_000) : random.number(200...1_500)
        walker.left = isStop ? random.number(60...1_800) : length / speed
        // Towards a point in the city, so that every walker stays in it.
        let east = random.number(-24_000...24_000) - walker.east
        let north = random.number(-24_000...24_000) - walker.north
        let far = max(1, (east * east + north * north).squareRoot())
        walker.velocity = (speed * east / far, speed * north / far)
      }
      walker.left -= seconds
      walker.east += walker.velocity.east * seconds
      walker.north += walker.velocity.north * seconds
      let kept = exp(-seconds / 20)
      let fresh = 2.5 * (1 - kept * kept).squareRoot()
      walker.error = (
        walker.error.east * kept + random.normal() * fresh,
        walker.error.north * kept + random.normal() * fresh
      )
      walkers[device] = walker
      let place = City.coordinate(
        east: walker.east + walker.error.east, north: walker.north + walker.error.north)
      all.append(
        GridPosition(
          device: UInt32(device), accuracy: Float(random.number(3...25).rounded()),
          microseconds: 1_767_225_600_000_000 + Int64(Double(step) * seconds * 1e6), latitude: place.latitude,
          longitude: place.longitude))
    }
  }
  return all
}
