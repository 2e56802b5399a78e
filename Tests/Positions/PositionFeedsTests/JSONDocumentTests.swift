import FencepostPositionFeeds
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@testable import FencepostPositionFeeds

@Suite("JSON documents")
struct JSONDocumentTests {
  @Test(
    "OwnTracks' messages in an array, and from the recorder's API",
    arguments: [
      ("[", "]"), ("{\"count\":2,\"data\":[", "]}"), ("{\"data\" : [ ", " ] , \"status\":200}"),
    ])
  func ownTracks(before: String, after: String) throws {
    let reading = try Reading(
      before + """
        {"_type":"location","lat":52.5,"lon":13.4,"tst":1777622400,"acc":12,"vel":36,"topic":"owntracks/jane/bike"},
        {"_type":"lwt","tst":1777622400},
        {"_type":"location","lat":52.5,"lon":13.5,"tst":1777622401,"tid":"bk","topic":"owntracks/jane/bike"},
        {"_type":"location","lat":52.5}
        """ + after)
    #expect(
      reading.lines == ["| 2026-05-01T08:00:00Z 52.5,13.4 ±12.0 v 10.0", "2026-05-01T08:00:01Z 52.5,13.5"])
    #expect(reading.devices.last == "jane/bike")
    #expect(reading.report.format == .ownTracksArray)
    #expect(reading.rejections == ["bad_coordinate:1@4"])
  }

  @Test("Traccar's positions")
  func traccar() throws {
    let reading = try Reading(
      """
      [{"id":1,"deviceId":7,"protocol":"osmand","deviceTime":"2026-05-01T07:59:59.000+00:00",
        "fixTime":"2026-05-01T08:00:00.000+00:00","outdated":false,"valid":true,"latitude":52.5,"longitude":13.4,
        "altitude":34,"speed":10,"course":90,"accuracy":5,"attributes":{"batteryLevel":50,"latitude":1},"network":null},
       {"id":2,"deviceId":8,"deviceTime":"2026-05-01T08:00:01Z","valid":true,"latitude":52.5,"longitude":13.5,"accuracy":0},
       {"id":3,"deviceId":7,"fixTime":"2026-05-01T08:00:02Z","valid":false,"latitude":0,"longitude":0}]
      """)
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00Z 52.5,13.4 ±5.0 alt 34.0 v 5.144444444 to 90.0",
        "| 2026-05-01T08:00:01Z 52.5,13.5",
      ])
    #expect(reading.devices.suffix(2) == ["7", "8"])
    #expect(reading.report.format == .traccar)
    #expect(reading.rejections == ["no_fix:1@5"])
  }

  @Test(
    "Polarsteps' export of a trip",
    arguments: [("{\"locations\": [", "]}"), ("[", "]")])
  func polarsteps(before: String, after: String) throws {
    let reading = try Reading(
      before + """
        {"lat": 52.5, "lon": 13.4, "time": 1777622400.5},
        {"lat": 52.6, "lng": 13.5, "time": "2026-05-01T10:00:01+02:00", "type": "place_visit"},
        {"lat": 52.6, "time": 1777622402}
        """ + after)
    #expect(reading.lines == ["| 2026-05-01T08:00:00.500Z 52.5,13.4", "2026-05-01T08:00:01Z 52.6,13.5"])
    #expect(reading.report.format == .polarsteps)
    #expect(reading.rejections == ["bad_coordinate:1@3"])
  }

  @Test("An end without a place takes a waypoint of its journey, or gives no fix")
  func emptyEnds() throws {
    let semantic = try Reading(
      """
      {"timelineObjects": [
        {"activitySegment": {"startLocation": {}, "endLocation": {"latitudeE7": 526000000, "longitudeE7": 134000000},
          "duration": {"startTimestamp": "2026-05-01T08:00:00Z", "endTimestamp": "2026-05-01T08:10:00Z"},
          "waypointPath": {"waypoints": [{"latE7": 525000000, "lngE7": 134000000}, {"latE7": 525500000, "lngE7": 134000000}]}}},
        {"activitySegment": {"startLocation": {}, "endLocation": {},
          "duration": {"startTimestamp": "2026-05-01T09:00:00Z", "endTimestamp": "2026-05-01T09:10:00Z"},
          "simplifiedRawPath": {"points": [{"latE7": 527000000, "lngE7": 134000000, "timestamp": "2026-05-01T09:05:00Z"}]}}},
        {"activitySegment": {"startLocation": {}, "endLocation": {},
          "duration": {"startTimestamp": "2026-05-01T10:00:00Z", "endTimestamp": "2026-05-01T10:10:00Z"}}}]}
      """)
    #expect(
      semantic.lines == [
        "| 2026-05-01T08:00:00Z 52.5,13.4", "2026-05-01T08:10:00Z 52.6,13.4",
        "2026-05-01T09:05:00Z 52.7,13.4",
      ])
    #expect(semantic.rejections == ["bad_coordinate:1@9"])
    let timeline = try Reading(
      """
      {"semanticSegments": [
        {"startTime": "2026-05-01T08:00:00Z", "endTime": "2026-05-01T08:10:00Z",
         "activity": {"start": {}, "end": {"latLng": "52.5°, 13.4°"}}}]}
      """)
    #expect(timeline.lines == ["| 2026-05-01T08:10:00Z 52.5,13.4"])
    #expect(timeline.rejections.isEmpty)
  }

  @Test("Both kinds of Google's Records.json")
  func googleRecords() throws {
    let reading = try Reading(
      """
      {
        "locations": [{
          "latitudeE7": 525000000, "longitudeE7": 134000000, "accuracy": 12, "velocity": 2, "heading": 90,
          "altitude": 34, "activity": [{"activity": [{"type": "STILL"}], "timestamp": "2020-01-01T00:00:00Z"}],
          "deviceTag": -577680260, "timestamp": "2026-05-01T08:00:00.500Z"
        }, {
          "timestampMs": "1777622401000", "latitudeE7": 4240000000, "longitudeE7": -134000000
        }, {
          "accuracy": 5, "timestamp": "2026-05-01T08:00:02Z"
        }]
      }
      """)
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00.500Z 52.5,13.4 ±12.0 alt 34.0 v 2.0 to 90.0",
        "| 2026-05-01T08:00:01Z -5.4967296,-13.4",
      ])
    #expect(reading.devices.contains("-577680260"))
    #expect(reading.report.format == .googleRecords)
    #expect(reading.rejections == ["bad_coordinate:1@10"])
  }

  @Test("Google's Semantic Location History")
  func semanticHistory() throws {
    let reading = try Reading(
      """
      {"timelineObjects": [{"activitySegment": {
        "startLocation": {"latitudeE7": 525000000, "longitudeE7": 134000000},
        "endLocation": {"latitudeE7": 525000000, "longitudeE7": 136000000},
        "duration": {"startTimestamp": "2026-05-01T08:00:00Z", "endTimestamp": "2026-05-01T08:10:00Z"},
        "waypointPath": {"waypoints": [{"latE7": 1, "lngE7": 2}]},
        "simplifiedRawPath": {"points": [
          {"latE7": 525000000, "lngE7": 135000000, "accuracyMeters": 8, "timestamp": "2026-05-01T08:05:00Z"}]}}},
       {"placeVisit": {"location": {"latitudeE7": 525000000, "longitudeE7": 136000000, "name": "Home"},
        "duration": {"startTimestampMs": "1777623000000", "endTimestampMs": "1777626000000"},
        "otherCandidateLocations": [{"latitudeE7": 1}]}}]}
      """)
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00Z 52.5,13.4", "2026-05-01T08:05:00Z 52.5,13.5 ±8.0",
        "2026-05-01T08:10:00Z 52.5,13.6",
        "2026-05-01T08:10:00Z 52.5,13.6", "2026-05-01T09:00:00Z 52.5,13.6",
      ])
    #expect(reading.report.format == .googleSemanticHistory)
    #expect(reading.rejections.isEmpty)
  }

  @Test("A visit with candidates only is at the first of them")
  func visitsOfCandidates() throws {
    for location in ["", #""location": {"placeId": "x"},"#] {
      let reading = try Reading(
        """
        {"timelineObjects": [{"placeVisit": {\(location)
          "duration": {"startTimestampMs": "1777623000000", "endTimestampMs": "1777626000000"},
          "otherCandidateLocations": [{"latitudeE7": 525000000, "longitudeE7": 136000000}, {"latitudeE7": 1}]}}]}
        """)
      #expect(
        reading.lines.map { $0.replacing("| ", with: "") } == [
          "2026-05-01T08:10:00Z 52.5,13.6", "2026-05-01T09:00:00Z 52.5,13.6",
        ])
    }
  }

  @Test("Android's timeline")
  func androidTimeline() throws {
    let reading = try Reading(
      """
      {"semanticSegments": [
        {"startTime": "2026-05-01T10:00:00.000+02:00", "endTime": "2026-05-01T12:00:00.000+02:00",
         "timelinePath": [{"point": "52.5°, 13.4°", "time": "2026-05-01T10:07:00.000+02:00"},
                          {"point": "nowhere", "time": "2026-05-01T10:08:00.000+02:00"}]},
        {"startTime": "2026-05-01T12:00:00.000+02:00", "endTime": "2026-05-01T13:00:00.000+02:00",
         "visit": {"hierarchyLevel": 0, "topCandidate": {"placeId": "x", "placeLocation": {"latLng": "52.5°, -13.5°"}}}},
        {"startTime": "2026-05-01T13:00:00.000+02:00", "endTime": "2026-05-01T13:10:00.000+02:00",
         "activity": {"start": {"latLng": "52.5°, 13.5°"}, "end": {"latLng": "52.5°, 13.6°"}, "distanceMeters": 9}}],
       "rawSignals": [{"wifiScan": {"deliveryTime": "x"}},
        {"position": {"LatLng": "52.5°, 13.6°", "accuracyMeters": 13, "altitudeMeters": 34, "source": "WIFI",
         "timestamp": "2026-05-01T11:20:00Z", "speedMetersPerSecond": 0.5}}],
       "userLocationProfile": {"frequentPlaces": [{"placeLocation": "1°, 2°"}]}}
      """)
    #expect(
      reading.lines == [
        "| 2026-05-01T08:07:00Z 52.5,13.4", "2026-05-01T10:00:00Z 52.5,-13.5",
        "2026-05-01T11:00:00Z 52.5,-13.5",
        "2026-05-01T11:00:00Z 52.5,13.5", "2026-05-01T11:10:00Z 52.5,13.6",
        "2026-05-01T11:20:00Z 52.5,13.6 ±13.0 alt 34.0 v 0.5",
      ])
    #expect(reading.report.format == .googleTimeline)
    #expect(reading.rejections == ["bad_coordinate:1@4"])
  }

  @Test("The timeline of iOS, where the start may come after values that need it")
  func iOSTimeline() throws {
    let reading = try Reading(
      """
      [{"endTime": "2026-05-01T09:00:00.000Z", "timelinePath": [
          {"point": "geo:52.5,13.4", "durationMinutesOffsetFromStartTime": "7"},
          {"durationMinutesOffsetFromStartTime": "9", "point": "geo:52.5,13.5"}], "startTime": "2026-05-01T08:00:00.000Z"},
       {"endTime": "2026-05-01T10:00:00.000Z", "startTime": "2026-05-01T09:00:00.000Z",
        "visit": {"topCandidate": {"placeLocation": "geo:52.5,13.6"}, "probability": "0.8"}},
       {"endTime": "2026-05-01T10:30:00.000Z", "startTime": "2026-05-01T10:00:00.000Z",
        "activity": {"start": "geo:52.5,13.6", "end": "geo:52.5,13.7", "distanceMeters": "9"}}]
      """)
    #expect(
      reading.lines == [
        "| 2026-05-01T08:07:00Z 52.5,13.4", "2026-05-01T08:09:00Z 52.5,13.5",
        "2026-05-01T09:00:00Z 52.5,13.6",
        "2026-05-01T10:00:00Z 52.5,13.6", "2026-05-01T10:00:00Z 52.5,13.6", "2026-05-01T10:30:00Z 52.5,13.7",
      ])
    #expect(reading.report.format == .googleTimeline)
  }

  @Test(
    "Names of the document and its records show the format, and deeper names don't count",
    arguments: [
      (
        #"[{"fixTime":"2026-05-01T08:00:00Z","latitude":1,"longitude":2,"attributes":{"features":1,"_type":"x"},"geometry":null}]"#,
        TraceFormat.traccar
      ),
      (
        #"{"network":{"cellTowers":[{"locations":1}]},"fixTime":"2026-05-01T08:00:00Z","latitude":1,"longitude":2}"#,
        .traccar
      ),
      (
        #"{"type":"FeatureCollection","metadata":{"_type":"y","locations":[]},"features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":{"time":1}}]}"#,
        .geoJSON
      ),
      (
        #"{"type":"Feature","properties":{"time":1},"geometry":{"type":"Point","coordinates":[2,1]}}"#,
        .geoJSON
      ),
      (
        #"{"locations":[{"properties":{"_type":"x","timestamp":1},"geometry":{"type":"Point","coordinates":[2,1]}}]}"#,
        .overland
      ),
      (
        #"{"extras":{"features":1},"location":{"timestamp":1,"coords":{"latitude":1,"longitude":2}},"device_id":"x"}"#,
        .traccarClient
      ),
      (#"{"data":[{"inregions":["_type"],"_type":"location","lat":1,"lon":2,"tst":1}]}"#, .ownTracksArray),
    ])
  func deepNames(text: String, format: TraceFormat) throws {
    let reading = try Reading(text)
    #expect(reading.report.format == format)
    #expect(reading.fixes.count == 1)
  }

  @Test("Visits and journeys during a path come in order of time")
  func overlappingSegments() throws {
    func visit(_ start: String, _ end: String, _ longitude: Double) -> String {
      """
      {"startTime": "2026-05-01T\(start)Z", "endTime": "2026-05-01T\(end)Z",
       "visit": {"topCandidate": {"placeLocation": {"latLng": "52.5°, \(longitude)°"}}}}
      """
    }
    let reading = try Reading(
      """
      {"semanticSegments": [
        {"startTime": "2026-05-01T08:00:00Z", "endTime": "2026-05-01T10:00:00Z", "timelinePath": [
          {"point": "52.5°, 1°", "time": "2026-05-01T08:15:00Z"},
          {"point": "52.5°, 2°", "time": "2026-05-01T08:25:00Z"},
          {"point": "52.5°, 5°", "time": "2026-05-01T09:50:00Z"}]},
        \(visit("08:10:00", "08:12:00", 0)),
        \(visit("08:30:00", "09:30:00", 3)),
        {"startTime": "2026-05-01T09:30:00Z", "endTime": "2026-05-01T09:40:00Z",
         "activity": {"start": {"latLng": "52.5°, 3°"}, "end": {"latLng": "52.5°, 4°"}}},
        {"startTime": "2026-05-01T10:00:00Z", "endTime": "2026-05-01T12:00:00Z", "timelinePath": [
          {"point": "52.5°, 6°", "time": "2026-05-01T10:01:00Z"}]}],
       "rawSignals": [{"position": {"LatLng": "52.5°, 7°", "timestamp": "2026-05-01T09:00:00Z"}}]}
      """)
    #expect(
      reading.lines == [
        "| 2026-05-01T08:10:00Z 52.5,0.0", "2026-05-01T08:12:00Z 52.5,0.0",
        "2026-05-01T08:15:00Z 52.5,1.0", "2026-05-01T08:25:00Z 52.5,2.0",
        "2026-05-01T08:30:00Z 52.5,3.0", "2026-05-01T09:30:00Z 52.5,3.0", "2026-05-01T09:30:00Z 52.5,3.0",
        "2026-05-01T09:40:00Z 52.5,4.0", "2026-05-01T09:50:00Z 52.5,5.0", "2026-05-01T10:01:00Z 52.5,6.0",
        "2026-05-01T09:00:00Z 52.5,7.0",
      ])
    #expect(reading.rejections.isEmpty)
  }

  @Test("A path longer than the queue keeps every point")
  func longPath() throws {
    let count = GoogleTimeline.maximumWaiting + 100
    let points = (0..<count).map { #"{"point":"1,2","time":"\#(Instant(seconds: Int64($0)).rfc3339())"}"# }
    let reading = try Reading(
      #"[{"startTime":"1970-01-01T00:00:00Z","timelinePath":[\#(points.joined(separator: ","))]}]"#)
    #expect(reading.fixes.map(\.time.wholeSeconds) == Array(0..<Int64(count)))
  }

  @Test("A truncated document keeps what came before")
  func truncated() throws {
    let start =
      "{\"locations\": [\n{\"latitudeE7\": 525000000, \"longitudeE7\": 134000000, \"timestamp\": \"2026-05-01T08:00:00Z\"},\n"
    let reading = try Reading(start + "{\"latitudeE7\": 5250", name: "Records.json")
    #expect(reading.fixes.count == 1)
    #expect(
      reading.report.interruption?.description
        == "Records.json:3: ends in the middle: the file is truncated")
    #expect(
      message("{\"locations\": [\n{\"latitudeE7\": 5250", name: "Records.json")
        == "Records.json:2: ends in the middle: the file is truncated")
  }

  @Test("A record that is not JSON is skipped")
  func malformed() throws {
    let reading = try Reading(
      """
      [{"_type":"location","lat":1,"lon":2,"tst":1},
      {"_type":"location","lat":1,"lon":2,"tst":2,},
      {"_type":"location" "lat":1,"lon":2,"tst":3},
      {"_type":"location","lat":1,"lon":2,"tst":04x},
      "words", 5, null, [1, {"_type":"location"}],
      {"_type":"location","lat":1,"lon":2,"tst":6}]
      """)
    #expect(reading.fixes.map(\.time.wholeSeconds) == [1, 6])
    #expect(reading.rejections == ["malformed:3@2"])
  }
}
