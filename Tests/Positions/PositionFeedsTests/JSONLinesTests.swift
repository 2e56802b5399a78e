import FencepostJSON
import FencepostPositionFeeds
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@testable import FencepostPositionFeeds

@Suite("OwnTracks and gpsd")
struct JSONLinesTests {
  @Test("OwnTracks: locations and transitions are fixes, other messages are not")
  func ownTracks() throws {
    let reading = try Reading(
      """
      {"_type":"lwt","tst":1777622400}
      {"_type":"location","lat":52.5,"lon":13.4,"tst":1777622400,"acc":12,"alt":34,"vel":36,"cog":270,"tid":"ph","batt":80}
      { "lon" : "13.4" , "lat" : "52.5" , "tst" : 1777622401, "_type" : "location", "inregions" : ["a,b", {"c":[]}, {}] }
      {"_type":"transition","lat":52.5,"lon":13.4,"tst":1777622402,"acc":30,"event":"enter","desc":"Home"}
      {"_type":"transition","wtst":0,"lat":52.5,"lon":13.4,"tst":1777622402,"acc":30,"event":"enter","desc":"Ours"}
      2026-05-01T08:00:03Z\t*                 \t{"_type":"location","topic":"owntracks/jane/bike","tid":"bk","lat":1,"lon":2,"tst":1777622403}

      {"_type":"location","lat":1,"lon":2,"tst":1777622404,"tid":"p\\u0068","topic":"short"}
      """, name: "day.rec")
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00Z 52.5,13.4 ±12.0 alt 34.0 v 10.0 to 270.0",
        "| 2026-05-01T08:00:01Z 52.5,13.4",
        "2026-05-01T08:00:02Z 52.5,13.4 ±30.0",
        "| 2026-05-01T08:00:03Z 1.0,2.0",
        "2026-05-01T08:00:04Z 1.0,2.0",
      ])
    #expect(reading.devices == ["day", "ph", "jane/bike"])
    #expect(reading.report.format == .ownTracks)
    #expect(reading.rejections.isEmpty)
  }

  @Test("OwnTracks: a phone's conclusions come with its position")
  func verdicts() throws {
    func verdict(_ fields: String) throws -> PhoneVerdict? {
      let reading = try Reading(#"{"lat":1,"lon":2,"tst":1777622400,\#(fields)}"#, name: "day.rec")
      return try #require(reading.fixes.first).verdict
    }
    let fence = WaypointKey(fence: 17)
    let cases: [(String, PhoneVerdict?)] = [
      (#""_type":"location""#, nil),
      (#""_type":"location","t":"u""#, nil),
      (#""_type":"location","t":"c""#, PhoneVerdict(.wakened)),
      (#""_type":"location","t":"v""#, PhoneVerdict(.visit)),
      (#""_type":"location","inrids":["a","fencepost-17"]"#, PhoneVerdict(.inside, of: fence)),
      (#""_type":"location","inrids":["a"]"#, PhoneVerdict(.inside, of: WaypointKey(text: "a"))),
      (#""_type":"location","inregions":[]"#, nil),
      (
        #""_type":"location","inrids":[],"inregions":["Home"]"#,
        PhoneVerdict(.inside, of: WaypointKey(name: "Home"))
      ),
      (
        #""_type":"location","inregions":["Home"],"inrids":["a"]"#,
        PhoneVerdict(.inside, of: WaypointKey(text: "a"))
      ),
      (#""_type":"transition","event":"enter""#, PhoneVerdict(.enter)),
      (#""_type":"transition","event":"dance""#, nil),
      (#""_type":"transition","event":"leave","rid":"fencepost-17""#, PhoneVerdict(.leave, of: fence)),
      (#""_type":"transition","event":"leave","wtst":17"#, PhoneVerdict(.leave, of: fence)),
      (
        #""rid":"x1","wtst":1700000000,"event":"enter","_type":"transition""#,
        PhoneVerdict(.enter, of: WaypointKey(text: "x1"))
      ),
      (
        #""_type":"transition","event":"enter","wtst":1700000000"#,
        PhoneVerdict(.enter, of: WaypointKey(text: "1700000000"))
      ),
    ]
    for (fields, expected) in cases { #expect(try verdict(fields) == expected, "\(fields)") }
    #expect(WaypointKey(text: WaypointKey.text(ofFence: 17)).fence == 17)
    for text in ["", "fencepost-", "fencepost-0", "fencepost--3", "fencepost-99999999999999999999", "x1"] {
      #expect(WaypointKey(text: text).fence == nil)
    }
  }

  @Test("The activity from a phone's motion sensors comes with its position")
  func motion() throws {
    let cases: [(String, Bool)] = [
      ("", false), (#","motionactivities":["stationary"]"#, true),
      (#","motionactivities":["walking"]"#, false),
      (#","motionactivities":["automotive","stationary"]"#, false), (#","motionactivities":[]"#, false),
      (#","motionactivities":["stationary","unknown"]"#, true), (#","motionactivities":[3,{}]"#, false),
      (#","motionactivities":"stationary""#, true), (#","motionactivities":null"#, false),
      (#","m":1"#, false),
    ]
    for (fields, expected) in cases {
      let ownTracks = try Reading(
        #"{"_type":"location","lat":1,"lon":2,"tst":1777622400\#(fields)}"#, name: "day.rec")
      #expect(try #require(ownTracks.fixes.first).isStill == expected, "\(fields)")
      let overland = try Reading(
        #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":{"#
          + #""timestamp":"2026-05-01T08:00:00Z"\#(fields.replacing("motionactivities", with: "motion"))}}]}"#,
        name: "day.json")
      #expect(try #require(overland.fixes.first).isStill == expected, "\(fields)")
    }
    let table = try Reading(
      "time,latitude,longitude,activity\n2026-05-01T08:00:00Z,1,2,STILL\n2026-05-01T08:00:09Z,1,2,walking",
      name: "day.csv")
    #expect(table.fixes.map(\.isStill) == [true, false])
  }

  @Test("gpsd: position reports with a fix")
  func gpsd() throws {
    let reading = try Reading(
      """
      {"class":"VERSION","release":"3.22","proto_major":3}
      {"class":"TPV","mode":1}
      {"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"2026-05-01T08:00:00.250Z","lat":52.5,"lon":13.4,"alt":80.1,"altMSL":34.5,"eph":4.5,"speed":1.5,"track":90.0}
      $GPRMC,080000,A,4800.000,N,01100.000,E,,,010526,,*00
      {"class":"SKY","satellites":[{"PRN":1,"used":true},{"PRN":2,"used":false}]}
      {"class":"TPV","mode":2,"time":"2026-05-01T08:00:01Z","lat":52.5,"lon":13.4,"epx":3,"epy":4}
      {"class":"TPV","mode":2,"lat":52.5,"lon":13.4}
      {"class":"TPV","mode":2,"time":"2026-05-01T08:00:02Z"}
      {"class":"TPV","mode":3,"time":"2026-05-01T08:00:03Z","lat":52.5,"lo
      """)
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00.250Z 52.5,13.4 ±4.5 alt 34.5 v 1.5 to 90.0",
        "2026-05-01T08:00:01Z 52.5,13.4 ±5.0",
      ])
    #expect(reading.report.format == .gpsd)
    #expect(reading.rejections == ["bad_coordinate:1@8", "no_fix:1@2", "no_time:1@7", "truncated:1@9"])
  }

  @Test(
    "Broken lines",
    arguments: [
      ("{\"_type\":\"location\",\"lat\":1,\"lon\":2}", "no_time"),
      ("{\"_type\":\"location\",\"lat\":1,\"lon\":2,\"tst\":\"noon\"}", "bad_time"),
      ("{\"_type\":\"location\",\"lat\":1,\"lon\":2,\"tst\":1e300}", "bad_time"),
      ("{\"_type\":\"location\",\"lat\":91,\"lon\":2,\"tst\":1}", "bad_coordinate"),
      ("{\"_type\":\"location\",\"lat\":null,\"lon\":2,\"tst\":1}", "bad_coordinate"),
      ("{\"_type\":\"location\",\"lat\":[1],\"lon\":2,\"tst\":1}", "bad_coordinate"),
      ("{\"_type\":\"location\",\"lat\":1,\"lon\":2,\"tst\":1", "malformed"),
      ("{\"_type\":\"location\",\"lat\":1,\"lon\":2,\"tst\":1}}", "malformed"),
      ("{\"_type\":\"location\" \"lat\":1,\"lon\":2,\"tst\":1}", "malformed"),
      ("{\"_type\":\"location\",\"lat\":1,\"lon\":2,\"tst\":1,}", "malformed"),
      ("{_type:\"location\"}", "malformed"), ("[1]", "malformed"), ("text", "malformed"), ("{", "malformed"),
    ])
  func broken(line: String, reason: String) throws {
    let good = "{\"_type\":\"location\",\"lat\":1,\"lon\":2,\"tst\":1}\n"
    let reading = try Reading(good + line + "\n" + good)
    #expect(reading.fixes.count == 2)
    #expect(reading.rejections == ["\(reason):1@2"])
  }

  @Test(
    "Valid JSON is skipped as a whole",
    arguments: [
      "1", "-1.5e3", "true", "null", "\"\"", "\"a\\\"b\\\\\"", "[]", "{}", "[[],[{}]]", " [ 1 , 2 ] ",
      "{\"a\":{\"b\":[1,{\"c\":2}]},\"d\":3}",
      String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
    ])
  func values(text: String) {
    Array("{\"k\":\(text),\"l\":0}".utf8).withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(buffer)
      var keys = 0
      let isObject = scanner.beginObject()
      #expect(isObject)
      while scanner.nextKey() != nil {
        keys += 1
        scanner.skipValue()
      }
      let isAtEnd = scanner.isAtEnd()
      #expect(!scanner.isBroken && isAtEnd && keys == 2)
    }
  }

  @Test(
    "Invalid JSON is malformed",
    arguments: [
      "", "tru", "01x", "\"", "\"\\", "[", "[1", "[1,", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
      "{1:2}", "{]", "[}", "nan",
      String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
      String(repeating: "[", count: 100_000),
    ])
  func notValues(text: String) {
    Array(text.utf8).withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(buffer)
      scanner.skipValue()
      #expect(scanner.isBroken)
    }
  }
}
