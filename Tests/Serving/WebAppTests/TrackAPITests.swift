import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostJSON
import Testing

@testable import FencepostWebApp

@Suite("Tracks over the API")
struct TrackAPITests {
  /// Keeps positions, and asks for the track of a day.
  private func track(_ day: String, _ fixes: [Fix], points: Int = 5_000) throws -> JSONValue {
    let fixture = try WebAppFixture()
    try fixture.store.write { writer in
      try writer.saveFenceState([], of: "phone")
      try writer.addHistory(fixes, of: "phone")
    }
    return try fixture.json("GET", "/tracks?device=phone&day=\(day)&points=\(points)")
  }

  @Test("Without a device, it is that of the one that moved last")
  func lastDevice() throws {
    let fixture = try WebAppFixture()
    #expect(try fixture.json("GET", "/tracks")["device"]?.isNull == true)
    let noon = try #require(Instant(rfc3339: "2026-04-30T12:00:00+02:00"))
    try fixture.store.write { writer in
      for (name, minutes) in [("bike", 0.0), ("phone", 5), ("tablet", -5)] {
        let fix = Fix(
          time: noon.adding(seconds: minutes * 60), coordinate: Coordinate(latitude: 51, longitude: 13))
        try writer.saveLastFix(fix, of: name)
        try writer.addHistory([fix], of: name)
      }
    }
    let track = try fixture.json("GET", "/tracks?day=2026-04-30")
    #expect(track["device"]?.text == "phone" && track["points"]?.list?.count == 1)
  }

  @Test("The days of a clock change have 23 and 25 hours")
  func lengths() throws {
    let autumn = try track("2026-10-25", [])
    #expect(
      autumn["from"]?.text == "2026-10-25T00:00:00+02:00"
        && autumn["until"]?.text == "2026-10-26T00:00:00+01:00")
    let spring = try track("2027-03-28", [])
    #expect(
      spring["from"]?.text == "2027-03-28T00:00:00+01:00"
        && spring["until"]?.text == "2027-03-29T00:00:00+02:00")
  }

  @Test("A long track is thinned, and keeps its ends")
  func thinning() throws {
    let start = try #require(Instant(rfc3339: "2026-04-30T00:00:00+02:00"))
    // A curve, on which each position matters.
    let fixes = (0..<5_000).map { index in
      let angle = Double(index) / 5_000
      return Fix(
        time: start.adding(seconds: Double(index) * 10),
        coordinate: Coordinate(latitude: 50 + angle * angle, longitude: 10 + angle))
    }
    let track = try track("2026-04-30", fixes, points: 200)
    let points = try #require(track["points"]?.list)
    #expect(track["fixes"]?.integer == 5_000 && (2...200).contains(points.count))
    #expect(points.first?.list?.compactMap(\.number) == [0, 50, 10])
    #expect(points.last?.list?.first?.number == 49_990)
  }
}
