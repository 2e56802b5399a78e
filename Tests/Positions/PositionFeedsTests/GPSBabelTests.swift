import FencepostPositionFeeds
import FencepostSpatiotemporal
import FencepostTestSupport
import Foundation
import Testing

@Suite("gpsbabel")
struct GPSBabelTests {
  private static var isInstalled: Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/gpsbabel")
    }
  }

  @Test(
    "Names of formats",
    arguments: [
      ("igc", true), ("unicsv,utc=0", true), ("xcsv,style=a.b:c-d", true), ("70mai", true), ("", false),
      ("-o", false), ("igc -o gpx", false), ("igc;ls", false), ("xcsv,style=/etc/passwd", false),
    ])
  func names(name: String, isFormat: Bool) {
    #expect((GPSBabelFormat(name) != nil) == isFormat)
  }

  @Test("gpsbabel reads a flight that no reader here understands", .enabled(if: isInstalled))
  func flight() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(
      "AXXXABC\r\nHFDTE010526\r\nB0800005230000N01324000EA0003400040\r\nB0800105230600N01324000EA0003400040\r\n",
      to: "-flight of 'mine'.igc")
    let format = try #require(GPSBabelFormat("igc"))
    let registry = DeviceRegistry()
    let reader = try TraceReader(path: path, convertedFrom: format, devices: registry)
    #expect(
      try reader.rest().map { "\($0.time.rfc3339()) \($0.coordinate)" }.prefix(2) == [
        "2026-05-01T08:00:00Z 52.5,13.4", "2026-05-01T08:00:10Z 52.51,13.4",
      ])
    #expect(reader.report.format == .gpx)
    #expect(registry.names == ["-flight of 'mine'"])
  }

  @Test("gpsbabel reports files that it cannot read", .enabled(if: isInstalled))
  func failure() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("nothing", to: "a.txt")
    let format = try #require(GPSBabelFormat("no_such_format"))
    #expect(throws: FeedError(trace: path, problem: .conversionFailed(format: "no_such_format"))) {
      try TraceReader(path: path, convertedFrom: format, devices: DeviceRegistry()).rest()
    }
  }
}
