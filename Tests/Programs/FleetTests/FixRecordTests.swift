import FencepostCalendarModel
import FencepostGeodesy
import FencepostTestSupport
import Testing

@testable import FencepostFleet

@Suite("Positions as bytes of the log")
struct FixRecordTests {
  private static let plain = Fix(
    time: Instant(microseconds: 1_767_225_600_123_457),
    coordinate: Coordinate(latitude: 52.123456789, longitude: -13.4))
  private static var full: Fix {
    Fix(
      time: Instant(microseconds: -5), coordinate: Coordinate(latitude: -0.0, longitude: 180),
      horizontalAccuracy: 4.5, altitude: -3, speed: 0, course: 359.9, startsSegment: true,
      verdict: PhoneVerdict(.leave, of: WaypointKey(text: "home")), isStill: true)
  }

  @Test("come back as they were, to the bit")
  func roundTrip() {
    let visit = Fix(
      time: .epoch, coordinate: Coordinate(latitude: 1, longitude: 2), verdict: PhoneVerdict(.wakened))
    let fixes = [Self.plain, Self.full, visit]
    #expect(FixRecord.read(FixRecord.bytes(fixes)) == fixes)
    #expect(FixRecord.read(FixRecord.bytes([])) == [])
  }

  @Test("can be what a phone sends")
  func phone() {
    let json = #"{"_type":"location","tst":1767225600,"lat":52.5,"lon":13.25,"acc":10}"#
    let read = FixRecord.read(Array(json.utf8))
    #expect(read?.map(\.coordinate) == [Coordinate(latitude: 52.5, longitude: 13.25)])
    #expect(read?.first?.time == Instant(seconds: 1_767_225_600))
  }

  @Test("are rejected if they are damaged", arguments: [0, 1, 2, 66, 68])
  func damaged(length: Int) {
    let bytes = FixRecord.bytes([Self.plain])
    let cut = length < bytes.count ? Array(bytes.prefix(length)) : bytes + [0]
    #expect(length == 1 ? FixRecord.read(cut) == [] : FixRecord.read(cut) == nil)
  }
}

@Suite("Subjects of a fleet")
struct FleetSubjectTests {
  @Test(
    "name a device and are read again",
    arguments: ["phone", "ann/phone", "a.b c", "", "%", "ä>*", "2.5", "-"])
  func devices(name: String) {
    let subject = FleetSubjects.positions(of: name, partitions: 64)
    #expect(subject.split(separator: ".", omittingEmptySubsequences: false).count == 5)
    #expect(!subject.contains { " *>".contains($0) })
    #expect(FleetSubjects.kind(of: subject) == .positions(device: name))
    #expect(FleetSubjects.partition(inSubject: subject).map { (0..<64).contains($0) } == true)
  }

  @Test(
    "number partitions by FNV-1a",
    arguments: [("", 0x811c_9dc5 as UInt32), ("a", 0xe40c_292c), ("foobar", 0xbf9c_f968)])
  func partitions(token: String, hash: UInt32) {
    #expect(FleetSubjects.partition(of: token, of: 64) == Int(hash % 64))
    #expect(FleetSubjects.partition(of: token, of: 1) == 0)
  }

  @Test(
    "that mean nothing are unknown",
    arguments: ["", "fencepost", "fencepost.log.1", "fencepost.log.1.x", "fencepost.log.1.d.%zz.y"])
  func unknown(subject: String) { #expect(FleetSubjects.kind(of: subject) == nil) }
}
