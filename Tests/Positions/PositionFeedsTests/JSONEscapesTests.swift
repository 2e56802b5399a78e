import FencepostSpatiotemporal
import Testing

@testable import FencepostPositionFeeds

@Suite("Escapes in JSON traces")
struct JSONEscapesTests {
  @Test("Keys, values, names of lists and of devices may contain escapes")
  func everywhere() throws {
    let timeline = try Reading(
      #"""
      {"semantic\u0053egments":[{"start\u0054ime":"2026-05-01T10:00:00\u002b02:00","endTime":"2026-05-01T09:00:00Z",
        "visit":{"topCandidate":{"placeLocation":{"latLng":"52.5\u00b0, 13.4\u00b0"}}}}]}
      """#)
    #expect(
      timeline.lines == ["| 2026-05-01T08:00:00Z 52.5,13.4", "2026-05-01T09:00:00Z 52.5,13.4"])
    let geoJSON = try Reading(
      #"""
      {"type":"FeatureCollection","features":[{"geometry":{"type":"\u0050oint","coordinates":["\u00313.4",52.5]},
        "properties":{"time":"2026\/05\/01 08:00:00","device":"J\u00fcrgens \ud83d\udcf1"}}]}
      """#)
    #expect(geoJSON.lines == ["| 2026-05-01T08:00:00Z 52.5,13.4"])
    #expect(geoJSON.devices.last == "Jürgens 📱")
    let ownTracks = try Reading(
      #"""
      {"_type":"location","lat":52.5,"lon":13.4,"tst":1777622400,"topic":"owntracks\/j\u00e4ne\/bike\/event"}
      {"_type":"location","lat":52.5,"lon":13.4,"tst":1777622401,"topic":"owntracks/jäne/bike"}
      {"_typ\u0065":"\u006cocation","lat":52.5,"lon":13.4,"tst":1777622402,"topic":"owntracks/jäne"}
      """#)
    #expect(ownTracks.devices == ["trace", "jäne/bike"])
    #expect(ownTracks.fixes.map(\.device.rawValue) == [1, 1, 0])
  }
}
