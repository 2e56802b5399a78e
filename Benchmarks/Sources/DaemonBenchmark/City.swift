import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import Foundation

/// A square area with random reminders, and devices that move around in it.
struct City {
  /// The length of an edge in metres.
  static let size = 200_000.0
  static let corner = Coordinate(latitude: 51.5, longitude: 12.0)
  private static let metresPerLatitude = 111_250.0
  private static let metresPerLongitude = 68_700.0

  /// A person's position in metres from the corner, and their speed.
  struct Walker {
    var east: Double
    var north: Double
    var eastward: Double
    var northward: Double

    mutating func walk(_ seconds: Double) {
      east += eastward * seconds
      north += northward * seconds
      if east < 0 || east > City.size { eastward = -eastward }
      if north < 0 || north > City.size { northward = -northward }
    }

    var coordinate: Coordinate { City.coordinate(east: east, north: north) }
  }

  static func coordinate(east: Double, north: Double) -> Coordinate {
    Coordinate(
      latitude: corner.latitude + north / metresPerLatitude,
      longitude: corner.longitude + east / metresPerLongitude)
  }

  /// Walkers on foot and by bicycle.
  static func walkers(_ count: Int, _ random: inout SplitMix) -> [Walker] {
    (0..<count).map { _ in
      let speed = Double.random(in: 1...8, using: &random)
      let heading = Double.random(in: 0..<(2 * .pi), using: &random)
      return Walker(
        east: .random(in: 0...size, using: &random), north: .random(in: 0...size, using: &random),
        eastward: speed * sin(heading), northward: speed * cos(heading))
    }
  }

  /// Fills a store with reminders: nine of ten at a place, half of those for leaving, and one of ten at a
  /// time.
  static func fill(
    _ store: CalendarStore, reminders: Int, times: Range<Double>, _ random: inout SplitMix
  ) throws {
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    for start in stride(from: 0, to: reminders, by: 10_000) {
      let items = (start..<min(start + 10_000, reminders)).map { number in
        var item = CalendarItem(calendar: list.id, title: "Reminder \(number)", details: .reminder(.init()))
        item.alarms = [number % 10 == 0 ? timed(times, &random) : placed(number, &random)]
        return item
      }
      try store.write { try $0.saveAll(items) }
    }
  }

  private static func timed(_ times: Range<Double>, _ random: inout SplitMix) -> Alarm {
    let time = Double.random(in: times, using: &random)
    return Alarm(trigger: .absolute(Instant(microseconds: Int64(time * 1e6))))
  }

  private static func placed(_ number: Int, _ random: inout SplitMix) -> Alarm {
    let place = StructuredLocation(
      title: "Place \(number)",
      coordinate: coordinate(
        east: .random(in: 0...size, using: &random), north: .random(in: 0...size, using: &random)),
      radius: 100)
    return Alarm(proximity: ProximityTrigger(number % 2 == 0 ? .enter : .leave, at: place))
  }
}

/// The SplitMix generator of Steele, Lea and Flood, so that each run has the same city.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
