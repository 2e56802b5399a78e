import CoreLocation
import Foundation
import Testing

@Suite("CoreLocation")
struct CoreLocationTests {
  private let gate = CLLocation(latitude: 52.516275, longitude: 13.377704)
  private let tower = CLLocation(latitude: 52.520803, longitude: 13.409420)

  @Test("Distances are geodesics on WGS 84, in metres, the same in both directions")
  func distance() {
    // From pyproj's Geod.
    #expect(abs(gate.distance(from: tower) - 2_211.1097935784) < 1e-6)
    #expect(gate.distance(from: tower) == tower.distance(from: gate))
    #expect(gate.distance(from: gate) == 0)
    let pole = CLLocation(latitude: 90, longitude: 0)
    #expect(abs(pole.distance(from: CLLocation(latitude: -90, longitude: 77)) - 20_003_931.4586) < 0.001)
  }

  @Test("A circle contains everything within its radius, also over the antimeridian and at the poles")
  func circle() {
    let region = CLCircularRegion(center: gate.coordinate, radius: 2_300, identifier: "gate")
    #expect(region.contains(tower.coordinate))
    #expect(
      !CLCircularRegion(center: gate.coordinate, radius: 2_000, identifier: "").contains(tower.coordinate))
    let line = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 0, longitude: 179.999), radius: 500, identifier: "line")
    #expect(line.contains(CLLocationCoordinate2D(latitude: 0, longitude: -179.999)))
    let pole = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 90, longitude: 0), radius: 200_000, identifier: "pole")
    #expect(pole.contains(CLLocationCoordinate2D(latitude: 89, longitude: 123)))
    #expect(!region.contains(CLLocationCoordinate2D(latitude: .nan, longitude: 0)))
    #expect(!region.contains(kCLLocationCoordinate2DInvalid))
    let copy = region.copy() as? CLCircularRegion
    #expect(copy?.isEqual(region) == true)
    #expect(copy?.radius == 2_300)
  }

  @Test(
    "Valid coordinates",
    arguments: [
      (0.0, 0.0, true), (90, 180, true), (90.1, 0, false), (0, -180.1, false), (.nan, 0, false),
      (.infinity, 0, false),
    ])
  func validity(_ latitude: Double, _ longitude: Double, _ isValid: Bool) {
    #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(latitude, longitude)) == isValid)
  }

  @Test("Values that a short initializer omits are unknown")
  func defaults() {
    #expect(gate.horizontalAccuracy == 0)
    #expect(gate.verticalAccuracy == -1)
    #expect(gate.speed == -1 && gate.course == -1)
    #expect(abs(gate.timestamp.timeIntervalSinceNow) < 60)
    #expect(gate.floor == nil)
  }

  @Test("An archived position keeps every value")
  func archive() throws {
    let position = CLLocation(
      coordinate: gate.coordinate, altitude: 34, horizontalAccuracy: 5, verticalAccuracy: 8, course: 90,
      speed: 1.5,
      timestamp: Date(timeIntervalSince1970: 1_000))
    let data = try NSKeyedArchiver.archivedData(withRootObject: position, requiringSecureCoding: true)
    let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
    #expect(read.coordinate.latitude == position.coordinate.latitude)
    #expect(read.course == 90 && read.speed == 1.5 && read.altitude == 34)
    #expect(read.timestamp == position.timestamp)
  }
}
