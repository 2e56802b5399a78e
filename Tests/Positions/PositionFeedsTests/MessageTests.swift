import FencepostGeodesy
import FencepostPositionFeeds
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@Suite("Messages")
struct MessageTests {
  private let registry = DeviceRegistry()
  private var reader: MessageReader { MessageReader(devices: registry) }
  private static let now = Instant(seconds: 1_777_622_400)

  private func lines(_ message: PositionMessage) -> [String] {
    message.fixes.map { "\(registry.name(of: $0.device)) \($0.line)" }
  }

  @Test(
    "The sender's program and the positions of each message",
    arguments: [
      (
        #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1777622400,"acc":12,"vel":36,"tid":"ph"}"#,
        PositionMessage.Kind.ownTracks, ["ph 2026-05-01T08:00:00Z 52.5,13.4 ±12.0 v 10.0"]
      ),
      (
        "{\n \"_type\": \"location\",\n \"lat\": 52.5, \"lon\": 13.4,\n \"tst\": 1777622400,\n \"topic\": \"owntracks/jane/bike\"\n}\n",
        .ownTracks, ["jane/bike 2026-05-01T08:00:00Z 52.5,13.4"]
      ),
      (#"{"_type":"lwt","tst":1777622400}"#, .ownTracks, []),
      (
        #"{"_type":"transition","event":"enter","desc":"Home","wtst":1,"lat":52.5,"lon":13.4,"acc":30,"tst":1777622400,"tid":"ph","t":"c"}"#,
        .ownTracks, ["ph 2026-05-01T08:00:00Z 52.5,13.4 ±30.0"]
      ),
      (
        #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{"action":"visit","timestamp":"2026-05-01T08:10:00Z","arrival_date":"2026-05-01T08:00:00Z","departure_date":null,"horizontal_accuracy":65}}]}"#,
        .overland,
        ["fallback 2026-05-01T08:00:00Z 52.5,13.4 ±65.0", "fallback 2026-05-01T08:10:00Z 52.5,13.4 ±65.0"]
      ),
      (
        #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{"action":"visit","timestamp":"2026-05-01T10:10:00Z","arrival_date":"2026-05-01T08:00:00Z","departure_date":"2026-05-01T10:00:00Z"}}]}"#,
        .overland,
        ["fallback 2026-05-01T08:00:00Z 52.5,13.4", "fallback 2026-05-01T10:00:00Z 52.5,13.4"]
      ),
      (
        #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","lat":1,"lon":2,"tst":3}]}"#, .ownTracks, []
      ),
      (
        """
        {"locations":[
        {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{"timestamp":"2026-05-01T08:00:00Z","horizontal_accuracy":5,"speed":-1,"device_id":"pad","wifi":"x"}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[13.5,52.5]},"properties":{"timestamp":"2026-05-01T08:00:10Z","horizontal_accuracy":5}}],
        "current":{}}
        """, .overland,
        ["pad 2026-05-01T08:00:00Z 52.5,13.4 ±5.0", "fallback 2026-05-01T08:00:10Z 52.5,13.5 ±5.0"]
      ),
      (#"{"locations":[]}"#, .overland, []),
      (
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{"time":"2026-05-01T08:00:00Z"}}"#,
        .overland, ["fallback 2026-05-01T08:00:00Z 52.5,13.4"]
      ),
      (
        #"{"location":{"timestamp":"2026-05-01T08:00:00.5Z","coords":{"latitude":52.5,"longitude":13.4,"accuracy":4,"speed":1.5,"heading":-1,"altitude":30},"is_moving":true},"device_id":"123456"}"#,
        .traccar, ["123456 2026-05-01T08:00:00.500Z 52.5,13.4 ±4.0 alt 30.0 v 1.5"]
      ),
      (
        #"{"extras":{"features":1},"location":{"timestamp":"2026-05-01T08:00:00Z","coords":{"latitude":52.5,"longitude":13.4}}}"#,
        .traccar, ["fallback 2026-05-01T08:00:00Z 52.5,13.4"]
      ),
      (
        #"{"locations":[{"properties":{"_type":"x","timestamp":"2026-05-01T08:00:00Z"},"geometry":{"type":"Point","coordinates":[13.4,52.5]}}]}"#,
        .overland, ["fallback 2026-05-01T08:00:00Z 52.5,13.4"]
      ),
    ])
  func kinds(text: String, kind: PositionMessage.Kind, expected: [String]) throws {
    let message = try reader.read(text.utf8, of: .named(orElse: "fallback"))
    #expect(message.kind == kind)
    #expect(lines(message) == expected)
    #expect(message.rejections.isEmpty)
  }

  @Test(
    "The charge of the battery, in percent",
    arguments: [
      (#"{"_type":"location","lat":52.5,"lon":13.4,"tst":1777622400,"batt":81}"#, UInt8?.some(81)),
      (#"{"_type":"location","lat":52.5,"lon":13.4,"tst":1777622400,"batt":-1}"#, nil),
      (#"{"_type":"location","lat":52.5,"lon":13.4,"tst":1777622400,"batt":1e300}"#, nil),
      (
        #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{"timestamp":"2026-05-01T08:00:00Z","battery_level":0.424,"battery_state":"charging"}}]}"#,
        42
      ),
      (
        #"{"location":{"timestamp":"2026-05-01T08:00:00Z","coords":{"latitude":52.5,"longitude":13.4},"battery":{"is_charging":false,"level":1}},"device_id":"1"}"#,
        100
      ),
      (
        #"{"location":{"timestamp":"2026-05-01T08:00:00Z","coords":{"latitude":52.5,"longitude":13.4},"battery":"low"},"device_id":"1"}"#,
        nil
      ),
      (
        #"[{"deviceId":1,"fixTime":"2026-05-01T08:00:00Z","latitude":52.5,"longitude":13.4,"valid":true,"attributes":{"batteryLevel":7,"motion":true}}]"#,
        7
      ),
    ])
  func battery(text: String, expected: UInt8?) throws {
    let message = try reader.read(text.utf8, of: .named(orElse: "fallback"))
    #expect(message.fixes.map(\.battery) == [expected])
  }

  @Test(
    "The charge of the battery in OsmAnd's protocol",
    arguments: [("0", UInt8?.some(0)), ("99.6", 100), ("x", nil)])
  func osmAndBattery(text: String, expected: UInt8?) throws {
    let all = fields("id=1&lat=1&lon=2&batt=\(text)")
    #expect(try reader.read(osmAnd: all, now: MessageTests.now).fixes.map(\.battery) == [expected])
  }

  @Test("A device that the transport gives wins over the message, and no segment starts")
  func given() throws {
    let text = #"{"_type":"location","lat":1,"lon":2,"tst":1777622400,"tid":"ph","topic":"owntracks/eve/x"}"#
    for _ in 0..<2 {
      let message = try reader.read(text.utf8, of: .given("ann/phone"))
      #expect(lines(message) == ["ann/phone 2026-05-01T08:00:00Z 1.0,2.0"])
    }
    #expect(registry.names == ["ann/phone"])
  }

  @Test("An invalid record is counted, and the others are kept")
  func rejections() throws {
    let batch = """
      {"locations":[{"type":"Feature","geometry":null,"properties":{"timestamp":"2026-05-01T08:00:00Z"}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,95]},"properties":{"timestamp":"2026-05-01T08:00:00Z"}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{"timestamp":"2026-05-01T08:00:00Z"}}]}
      """
    let message = try reader.read(batch.utf8, of: .given("x"))
    #expect(message.fixes.count == 1)
    #expect(message.rejections == [.badCoordinate: 2, .noTime: 1])
    #expect(message.rejected == 3)
  }

  @Test(
    "An unreadable message is refused",
    arguments: [
      ("", MessageError.notJSON), ("hello", .notJSON), ("{", .notJSON), ("[1,2", .notJSON),
      (#"{"_type":"location","lat":52.5,"lon""#, .notJSON), (#"{"_type":"location","lat":}"#, .notJSON),
      (#"{"locations":[{"type":"Feature","geometry":{"type":"Point""#, .notJSON),
      (#"{"_type":"encrypted","data":"c2VjcmV0"}"#, .encrypted),
      (#"{"data":"c2VjcmV0","_type":"encrypted"}"#, .encrypted),
      ("{}", .unknownKind), ("[]", .unknownKind), ("12", .unknownKind), (#"{"lat":1,"lon":2}"#, .unknownKind),
    ])
  func refused(text: String, error: MessageError) {
    #expect(throws: error) { try reader.read(text.utf8, of: .given("x")) }
  }

  @Test(
    "The fields of OsmAnd's protocol",
    arguments: [
      ("id=1&lat=52.5&lon=13.4&timestamp=1777622400", "1 2026-05-01T08:00:00Z 52.5,13.4"),
      ("id=1&lat=52.5&lon=13.4&timestamp=1777622400250", "1 2026-05-01T08:00:00.250Z 52.5,13.4"),
      (
        "deviceid=a b&lat=-1&lon=-2&timestamp=2026-05-01T10:00:00 02:00", "a b 2026-05-01T08:00:00Z -1.0,-2.0"
      ),
      ("id=1&location=52.5,13.4&timestamp=2026-05-01 08:00:00", "1 2026-05-01T08:00:00Z 52.5,13.4"),
      (
        "id=1&lat=52.5&lon=13.4&timestamp=1777622400&speed=10&bearing=90&altitude=30&accuracy=7&hdop=9&batt=80&x=",
        "1 2026-05-01T08:00:00Z 52.5,13.4 ±7.0 alt 30.0 v 5.144444444 to 90.0"
      ),
      (
        "id=1&lat=52.5&lon=13.4&timestamp=1777622400&heading=0&hdop=2&accuracy=0.0",
        "1 2026-05-01T08:00:00Z 52.5,13.4 to 0.0"
      ),
      (
        "id=1&lat=52.5&lon=13.4&timestamp=1777622400&hdop=2&valid=true",
        "1 2026-05-01T08:00:00Z 52.5,13.4 ±10.0"
      ),
      ("id=1&lat=52.5&lon=13.4", "1 2026-05-01T08:00:00Z 52.5,13.4"),
      (
        "id=1&lat=52.5&lon=13.4&altitude=NaN&speed=fast&bearing=N&accuracy=x&hdop=2",
        "1 2026-05-01T08:00:00Z 52.5,13.4 ±10.0"
      ),
    ])
  func osmAnd(query: String, expected: String) throws {
    let message = try reader.read(osmAnd: fields(query), now: MessageTests.now)
    #expect(message.kind == .osmAnd)
    #expect(lines(message) == [expected])
  }

  @Test(
    "Fields without a position",
    arguments: [
      ("lat=1&lon=2", MessageError.missing(field: "id")), ("id=&lat=1&lon=2", .missing(field: "id")),
      ("id=1&lon=2", .missing(field: "lat")), ("id=1&lat=1", .missing(field: "lon")),
      ("id=1&lat=x&lon=2", .unreadable(field: "lat", what: "number")),
      ("id=1&lat=nan&lon=2", .unreadable(field: "lat", what: "number")),
      ("id=1&lat=1&lon=1e999", .unreadable(field: "lon", what: "number")),
      ("id=1&lat=91&lon=2", .unreadable(field: "lat", what: "latitude from -90 to 90")),
      ("id=1&lat=1&lon=2&timestamp=soon", .unreadable(field: "timestamp", what: "time")),
      ("id=1&location=1", .unreadable(field: "location", what: "pair of latitude and longitude")),
    ])
  func badFields(query: String, error: MessageError) {
    #expect(throws: error) { try reader.read(osmAnd: fields(query), now: MessageTests.now) }
  }

  @Test(
    "An invalid position, or cells in place of one, is not a fix",
    arguments: [
      "id=1&lat=1&lon=2&valid=false", "id=1&cell=262,2,3,4", "id=1&wifi=00:11",
    ])
  func noFix(query: String) throws {
    let message = try reader.read(osmAnd: fields(query), now: MessageTests.now)
    #expect(message.fixes.isEmpty && message.rejections == [.noFix: 1])
  }

  @Test(
    "Random input gives no invalid position and never crashes", arguments: 0..<8)
  func mutilated(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let whole = [
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1777622400,"acc":12,"topic":"owntracks/a\\u0062/c"}"#,
      #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5,1]},"properties":{"timestamp":"2026-05-01T08:00:00Z","device_id":"x"}}]}"#,
      #"{"location":{"timestamp":"2026-05-01T08:00:00Z","coords":{"latitude":52.5,"longitude":13.4}},"device_id":"1"}"#,
    ].map { Array($0.utf8) }
    let odd = Array("{}[]\",:\\0-+.eE9 \n".utf8) + [0, 0x80, 0xFF]
    for _ in 0..<2_000 {
      var bytes = whole[Int.random(in: 0..<whole.count, using: &random)]
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = odd[Int.random(in: 0..<odd.count, using: &random)]
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(odd[Int.random(in: 0..<odd.count, using: &random)], at: place)
        default: bytes.removeSubrange(place...)
        }
      }
      let message = try? reader.read(bytes, of: .named(orElse: "x"))
      #expect((message?.fixes ?? []).allSatisfy { $0.coordinate.isValid })
      let field = String(decoding: bytes.prefix(40), as: UTF8.self)
      for name in ["lat", "lon", "timestamp", "location", "speed", "hdop", "accuracy"] {
        let all = [("id", "1"), (name, field), ("lat", "1"), ("lon", "2")].map { (name: $0.0, value: $0.1) }
        let message = try? reader.read(osmAnd: all, now: MessageTests.now)
        #expect((message?.fixes ?? []).allSatisfy { $0.coordinate.isValid })
      }
    }
  }

  private func fields(_ query: String) -> [(name: String, value: String)] {
    query.split(separator: "&").map { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), String(parts.dropFirst().first ?? ""))
    }
  }
}
