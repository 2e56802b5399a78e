import FencepostGeodesy
import FencepostSpatiotemporal

@testable import FencepostCartography

/// A small map with one of everything.
enum SampleMap {
  static let start = Instant(seconds: 1_777_708_800)  // 2026-05-02T08:00:00Z

  static func point(_ seconds: Double, _ latitude: Double, _ longitude: Double) -> TrackPoint {
    TrackPoint(
      time: start.adding(seconds: seconds), coordinate: Coordinate(latitude: latitude, longitude: longitude),
      accuracy: 8)
  }

  static var map: TraceMap {
    var map = TraceMap(title: "Two on the way", clock: LocalClock(utcOffset: 7200))
    map.tracks = [
      Track(
        device: "phone",
        segments: [
          [point(0, 52.50, 13.40), point(300, 52.502, 13.404), point(600, 52.505, 13.404)],
          [point(900, 52.506, 13.41), point(1200, 52.506, 13.416)],
        ]),
      Track(device: "watch", segments: [[point(100, 52.503, 13.412)]]),
    ]
    map.fences = [
      MapFence(
        title: "Bakery", region: .circle(center: Coordinate(latitude: 52.505, longitude: 13.404), radius: 90),
        notes: ["Buy rolls", "Bring the tin back"], wasCrossed: true),
      MapFence(
        title: "Park",
        region: .polygons([
          Polygon(
            exterior: [(52.501, 13.410), (52.501, 13.414), (52.503, 13.414), (52.503, 13.410)].map {
              Coordinate(latitude: $0.0, longitude: $0.1)
            },
            holes: [
              [(52.5015, 13.411), (52.5015, 13.412), (52.502, 13.412)].map {
                Coordinate(latitude: $0.0, longitude: $0.1)
              }
            ])
        ])),
    ]
    map.alarms = [
      MapAlarm(
        kind: .enter, time: start.adding(seconds: 500), wentOffAt: start.adding(seconds: 520),
        title: "Buy rolls",
        place: "Bakery", device: "phone", position: Coordinate(latitude: 52.5045, longitude: 13.404)),
      MapAlarm(kind: .time, time: start.adding(seconds: 1050), title: "Ring the bell"),
    ]
    map.strays = [Coordinate(latitude: 52.504, longitude: 13.413)]
    map.omissions = ["and 3 more devices"]
    map.counts = MapCounts(fixes: 12_345, rejected: 67, metres: 1540)
    return map
  }

  /// Places side by side, thirty alarms at one of them, and an hour without a fix.
  static var crowdedMap: TraceMap {
    var map = TraceMap(title: "Crowded")
    map.tracks = [
      Track(
        device: "phone",
        segments: [[point(0, 52.5, 13.40), point(300, 52.5, 13.42)], [point(4000, 52.49, 13.42)]])
    ]
    map.fences = (0..<12).map { index in
      MapFence(
        title: "A place with a long name, number \(index)",
        region: .circle(
          center: Coordinate(
            latitude: 52.49 + Double(index % 4) * 0.0003, longitude: 13.42 + Double(index / 4) * 0.0004),
          radius: 20), wasCrossed: index % 2 == 0)
    }
    map.alarms = (0..<30).map { index in
      MapAlarm(
        kind: .enter, time: start.adding(seconds: 3000), wentOffAt: start.adding(seconds: 4000),
        title: "A reminder with so many words that it takes two lines, number \(index)", place: "A place",
        device: "phone", position: Coordinate(latitude: 52.49, longitude: 13.42),
        gap: start.adding(seconds: 300)...start.adding(seconds: 4000))
    }
    return map
  }

  /// Text with a special meaning in every format on the way.
  static let hostile =
    "</script><img src=x onerror=alert(1)>'\"&amp; \u{0}\u{1B}[2J\u{202E} ]]> --> ${1} \\u003c\u{2028}é"

  static var hostileMap: TraceMap {
    var map = map
    map.title = hostile
    map.tracks[0].device = hostile
    for index in map.fences.indices { map.fences[index].title = hostile }
    map.fences[0].notes = [hostile]
    map.alarms[0].title = hostile
    map.alarms[0].place = hostile
    map.omissions = [hostile]
    return map
  }
}
