import FencepostPositionFeeds
import FencepostSpatiotemporal
import Testing

@Suite("GeoJSON and Overland")
struct GeoJSONTests {
  @Test("A point's time may have any name of a CSV column")
  func points() throws {
    let reading = try Reading(
      """
      {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5,34]},
         "properties":{"time":"2026-05-01T08:00:00Z","accuracy":12,"speed":1.5,"bearing":270,"name":"a \\"]}"}},
        {"type":"Feature","properties":{"timestamp":1777622401000,"nested":{"time":5}},
         "geometry":{"coordinates":[13.5,52.5],"type":"Point"}},
        {"type":"Feature","timestamp":1777622402,"geometry":{"type":"Point","coordinates":[13.6,52.5]}},
        {"type":"Feature","properties":{"time":0},"geometry":null},
        {"type":"Feature","properties":{"time":"noon"},"geometry":{"type":"Point","coordinates":[1,2]}},
        {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}},
        {"type":"Feature","properties":{"time":0},"geometry":{"type":"Point","coordinates":["x",[]]}},
        {"type":"Feature","properties":{"time":0},"geometry":{"type":"Polygon","coordinates":[[[1,2],[3,4],[1,2]]]}},
        {"type":"Feature","properties":{"time":0},"geometry":{"type":"Point","coordinates":[1,2}},
        {"type":"Feature","properties":{"time":1777622403},"geometry":{"type":"Point","coordinates":[13.7,52.5]}}
      ],"bbox":[1,2,3,4]}
      """, name: "walk.geojson")
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00Z 52.5,13.4 ±12.0 alt 34.0 v 1.5 to 270.0", "2026-05-01T08:00:01Z 52.5,13.5",
        "2026-05-01T08:00:02Z 52.5,13.6", "2026-05-01T08:00:03Z 52.5,13.7",
      ])
    #expect(reading.report.format == .geoJSON)
    #expect(reading.rejections == ["bad_coordinate:2@7", "bad_time:1@8", "malformed:1@12", "no_time:1@9"])
    #expect(reading.report.interruption == nil)
  }

  @Test(
    "Lines with a time for each position, in any of the places for times",
    arguments: [
      #""geometry":{"type":"LineString","coordinates":[[13.4,52.5,3],[13.5,52.5]]},"properties":{"coordTimes":["2026-05-01T08:00:00Z",1777622401]}"#,
      #""properties":{"times":["2026-05-01T08:00:00Z","2026-05-01T08:00:01Z","2026-05-01T08:00:02Z"]},"geometry":{"type":"LineString","coordinates":[[13.4,52.5,3],[13.5,52.5]]}"#,
      #""properties":{"coordinateProperties":{"heart":[1,2],"times":["2026-05-01T08:00:00Z","2026-05-01T08:00:01Z"]}},"geometry":{"type":"LineString","coordinates":[[13.4,52.5,3],[13.5,52.5]]}"#,
    ])
  func lines(members: String) throws {
    let reading = try Reading("{\"type\":\"Feature\",\(members)}")
    #expect(reading.lines == ["| 2026-05-01T08:00:00Z 52.5,13.4 alt 3.0", "2026-05-01T08:00:01Z 52.5,13.5"])
    #expect(reading.rejections.isEmpty)
  }

  @Test("Lines belong to their devices")
  func devices() throws {
    let lines = ["ann", "bob"].map {
      #"{"type":"Feature","properties":{"device":"\#($0)","times":[1,2]},"geometry":{"type":"LineString","coordinates":[[13.4,52.5],[13.5,52.5]]}}"#
    }
    let reading = try Reading(#"{"type":"FeatureCollection","features":[\#(lines.joined(separator: ","))]}"#)
    #expect(reading.devices == ["trace", "ann", "bob"])
    #expect(reading.fixes.map(\.device.rawValue) == [1, 1, 2, 2])
    #expect(reading.report.segments == 2)
  }

  @Test(
    "A moment called date, and the dilution of precision",
    arguments: [
      (#""date":"2026-05-01T08:00:00Z","hdop":2"#, "| 2026-05-01T08:00:00Z 2.0,1.0 ±10.0"),
      (
        #""hdop":2,"accuracy":3,"date":"noon","time":"2026-05-01T08:00:00Z""#,
        "| 2026-05-01T08:00:00Z 2.0,1.0 ±3.0"
      ),
      (#""time":"2026-05-01T08:00:00Z","date":"noon""#, "| 2026-05-01T08:00:00Z 2.0,1.0"),
    ])
  func otherNames(properties: String, expected: String) throws {
    let reading = try Reading(
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{\#(properties)}}"#)
    #expect(reading.lines == [expected])
  }

  @Test("The parts of a broken line are segments; positions without a time are rejected")
  func multiLine() throws {
    let reading = try Reading(
      """
      {"type":"Feature","geometry":{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6]],[[7,8]]]},
      "properties":{"coordTimes":[[1,null],[3]]}}
      """)
    #expect(reading.lines == ["| 1970-01-01T00:00:01Z 2.0,1.0", "| 1970-01-01T00:00:03Z 6.0,5.0"])
    #expect(reading.rejections == ["no_time:2@2"])
  }

  @Test("Overland: several batches in sequence")
  func overland() throws {
    let reading = try Reading(
      """
      {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{
        "timestamp":"2026-05-01T08:00:00Z","altitude":34,"speed":-1,"horizontal_accuracy":5,"vertical_accuracy":3,
        "motion":["walking"],"battery_level":0.5,"wifi":"","device_id":"phone"}},
        {"type":"Feature","properties":{"timestamp":"2026-05-01T08:00:00Z","action":"visit"}}]}
      {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.5,52.5]},"properties":{
        "timestamp":"2026-05-01T08:00:01Z","device_id":"phone"}}]}
      """)
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00Z 52.5,13.4 ±5.0 alt 34.0", "2026-05-01T08:00:01Z 52.5,13.5",
      ])
    #expect(reading.report.format == .overland)
    #expect(reading.devices.last == "phone")
    #expect(reading.rejections == ["bad_coordinate:1@4"])
  }

  @Test("Overland: a visit may begin or end at a time that iOS does not know")
  func unknownEnds() throws {
    let reading = try Reading(
      """
      {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{
        "timestamp":"2026-05-01T08:10:00Z","action":"visit","arrival_date":"2026-05-01T08:00:00Z",
        "departure_date":"4001-01-01T00:00:00Z"}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{
        "timestamp":"2026-05-01T09:10:00Z","action":"visit","arrival_date":"0001-01-01T00:00:00Z",
        "departure_date":"2026-05-01T09:00:00Z"}}]}
      """)
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00Z 52.5,13.4", "2026-05-01T08:10:00Z 52.5,13.4",
        "2026-05-01T09:00:00Z 52.5,13.4",
      ])
    #expect(reading.fixes.map(\.verdict?.kind) == [.visit, .visit, .departure])
    #expect(reading.rejections.isEmpty)
  }

  @Test("Shapes without times are not a trace")
  func timeless() {
    #expect(
      message(
        #"{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}"#,
        name: "a") == "a: has no times (2 points without one); a trace needs the time of each position")
    #expect(message(#"{"type":"FeatureCollection","features":[]}"#, name: "a") == "a: has no positions")
  }
}
