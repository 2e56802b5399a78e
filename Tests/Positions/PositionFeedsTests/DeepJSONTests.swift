import FencepostPositionFeeds
import FencepostSpatiotemporal
import Testing

@Suite("Deeply nested JSON")
struct DeepJSONTests {
  static let levels = 50_000

  /// The start of a record up to the nested value, with a key for it.
  static let places = [
    (
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":"#,
      "coordinateProperties"
    ),
    (#"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"coordinateProperties":"#, "times"),
    (#"{"type":"Feature","geometry":"#, "geometry"), (#"{"locations":[{"geometry":"#, "coordinates"),
    (#"{"_type":"location","x":"#, "_type"), (#"[{"_type":"location","lat":"#, "lat"),
    (#"{"class":"TPV","sats":"#, "class"), (#"[{"fixTime":1,"latitude":1,"attributes":"#, "fixTime"),
    (#"{"device_id":1,"coords":1,"location":"#, "coords"),
    (#"{"locations":[{"latitudeE7":1,"activity":"#, "activity"),
    (#"{"timelineObjects":[{"placeVisit":"#, "location"),
    (#"{"semanticSegments":[{"visit":"#, "topCandidate"),
    (#"{"rawSignals":[{"position":"#, "position"), (#"[{"startTime":1,"activity":"#, "start"),
  ]

  @Test("It is refused or skipped, in a trace and in a message", arguments: places)
  func nested(start: String, name: String) {
    for (open, close) in [("{\"\(name)\":", "}"), ("[", "]")] {
      let text =
        start + String(repeating: open, count: Self.levels) + "1"
        + String(repeating: close, count: Self.levels)
      #expect((try? Reading(text))?.fixes.count ?? 0 <= 1)
      let message = try? MessageReader(devices: DeviceRegistry()).read(text.utf8, of: .given("x"))
      #expect(message?.fixes.isEmpty ?? true)
    }
  }
}
