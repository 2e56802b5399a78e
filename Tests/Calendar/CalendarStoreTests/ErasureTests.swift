import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostTestSupport
import Foundation
import Testing

@Suite("Erasing the positions of devices")
struct ErasureTests {
  let directory: TemporaryDirectory
  let store: CalendarStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try CalendarStore(path: directory.path("calendar.sqlite"))
  }

  /// The bytes of the store, with the files that SQLite puts beside it.
  private func bytes() throws -> Data {
    try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted().reduce(into: Data()) {
      $0 += try Data(contentsOf: directory.url.appendingPathComponent($1))
    }
  }

  private static func pattern(_ value: Double) -> Data {
    withUnsafeBytes(of: value.bitPattern.bigEndian) { Data($0) }
  }

  @Test("Nothing of them remains in the store's files")
  func nothingLeft() throws {
    let name = "tracker-of-somebody"
    let places = (0..<500).map { Coordinate(latitude: 41.123456 + Double($0) / 1_000, longitude: 2.654321) }
    let fixes = places.enumerated().map { Fix(time: Instant(seconds: Int64($0) * 60), coordinate: $1) }
    for part in stride(from: 0, to: fixes.count, by: 50) {
      try store.write { writer in
        var step = LedgerStep()
        step.lastFixes[name] = fixes[part]
        step.fenceStates[name] = Array("state of \(name)".utf8)
        step.history[name] = Array(fixes[part..<part + 50])
        try writer.record(step)
      }
    }
    let before = try bytes()
    #expect(before.range(of: Data(name.utf8)) != nil)
    #expect(before.range(of: Self.pattern(places[250].latitude)) != nil)

    try store.write { try $0.forgetDevices(named: nil) }
    #expect(try store.emptyLog())
    let after = try bytes()
    #expect(after.range(of: Data(name.utf8)) == nil)
    for place in places { #expect(after.range(of: Self.pattern(place.latitude)) == nil) }
  }

  @Test("While a reader is active, emptying the log fails and says so")
  func reader() throws {
    let impatient = try CalendarStore(path: store.path, timeout: 0)
    try store.write {
      try $0.saveLastFix(
        Fix(time: Instant(seconds: 1), coordinate: .init(latitude: 1, longitude: 2)), of: "x")
    }
    try store.read { reader in
      _ = try reader.devices()
      try impatient.write { try $0.forgetDevices() }
      #expect(try !impatient.emptyLog())
    }
    #expect(try impatient.emptyLog())
  }
}
