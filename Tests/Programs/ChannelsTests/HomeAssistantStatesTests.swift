import FencepostAddresses
import FencepostAlarmEngine
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostMQTT
import FencepostMQTTTestSupport
import FencepostSystem
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostChannels

@Suite("Devices, presence and the next alarm in Home Assistant")
struct HomeAssistantStatesTests {
  let fixture: LiveAlarmFixture

  init() throws { fixture = try LiveAlarmFixture() }

  private func go(_ seconds: Double, _ metres: Double) throws {
    let engine = try fixture.engine()
    _ = try engine.process([fixture.fix(seconds, metres, device: "Ann's phone")], at: fixture.clock.now)
  }

  private func object(_ payload: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any])
  }

  private func makeStates() -> HomeAssistantStates {
    HomeAssistantStates(base: "fencepost/events", resolver: fixture.resolver)
  }

  private func saveHome() throws {
    try fixture.store.write {
      try $0.saveNamedPlace(
        StructuredLocation(title: "Home", coordinate: LiveAlarmFixture.home, radius: 100))
    }
  }

  /// The keys that Home Assistant's documentation has for each component, of those that may be here.
  private static let known: [String: Set<String>] = [
    "device_tracker": ["json_attributes_topic", "source_type"],
    "binary_sensor": ["state_topic", "device_class"],
    "sensor": ["state_topic", "device_class", "icon"],
  ]

  @Test("Each entity is announced in the documented form, with a topic for each state")
  func announcements() throws {
    try saveHome()
    try fixture.reminder("Tea", LiveAlarmFixture.alarm(at: 5_000))
    try go(0, 20)
    var entities = makeStates()
    let messages = try entities.changes(in: fixture.store)
    let announced = messages.filter { $0.topic.hasSuffix("/config") }
    let states = Dictionary(uniqueKeysWithValues: messages.map { ($0.topic, $0.payload) })
    #expect(announced.count == 3 && messages.count == 6)
    var ids: Set<String> = []
    for message in announced {
      let form = /homeassistant\/([a-z_]+)\/([a-zA-Z0-9_-]+)\/([a-zA-Z0-9_-]+)\/config/
      let parts = try #require(message.topic.wholeMatch(of: form))
      let json = try object(message.payload)
      let common: Set<String> = ["name", "unique_id", "qos", "device", "origin"]
      let known = try #require(Self.known[String(parts.output.1)])
      #expect(Set(json.keys) == common.union(known))
      #expect((json["device"] as? [String: Any])?["identifiers"] is [String])
      #expect((json["origin"] as? [String: Any])?["name"] as? String == "Fencepost")
      ids.insert(try #require(json["unique_id"] as? String))
      let topic = try #require(json["state_topic"] as? String ?? json["json_attributes_topic"] as? String)
      let state = try #require(states[topic])
      switch parts.output.1 {
      case "device_tracker":
        #expect(json["name"] is NSNull && json["source_type"] as? String == "gps")
        let attributes = try object(state)
        #expect(attributes["latitude"] is Double && attributes["longitude"] is Double)
        #expect(attributes["gps_accuracy"] is Double)
      case "binary_sensor":
        #expect(json["name"] as? String == "At Home" && json["device_class"] as? String == "presence")
        #expect(state == "ON")
      default:
        #expect(json["device_class"] as? String == "timestamp")
        #expect(Instant(rfc3339: state) == LiveAlarmFixture.start.adding(seconds: 5_000))
      }
    }
    #expect(ids.count == 3)
  }

  @Test("Only what has changed is published; what is gone is removed")
  func changes() throws {
    try saveHome()
    try go(0, 20)
    var states = makeStates()
    for message in try states.changes(in: fixture.store) { states.record(message) }
    #expect(try states.changes(in: fixture.store).isEmpty)
    try go(60, 2_000)
    let moved = try states.changes(in: fixture.store)
    #expect(moved.count == 2 && moved.contains { $0.payload == "OFF" })
    for message in moved { states.record(message) }
    try fixture.store.write { _ = try $0.removeNamedPlace("Home") }
    let gone = try states.changes(in: fixture.store)
    #expect(gone.contains { $0.topic.contains("/binary_sensor/") && $0.payload.isEmpty })
    for message in gone { states.record(message) }
    #expect(try states.changes(in: fixture.store).isEmpty)
  }

  @Test(
    "They are retained at a broker, if the address asks for them",
    .enabled(if: Broker.isInstalled, "mosquitto is not installed"), arguments: [true, false])
  func broker(tellsStates: Bool) throws {
    let broker = try Broker()
    try go(0, 20)
    let address = "mqtt://127.0.0.1:\(broker.port)?format=homeassistant&states=\(tellsStates)"
    let channel = try ChannelAddress(address).open(
      ChannelContext(store: fixture.store, resolver: fixture.resolver, log: Log { _, _ in }))
    #expect(channel.followsDevices == tellsStates)
    try channel.review(fixture.store)
    let client = try MQTTClient(broker.feed())
    try client.connect()
    try client.subscribe(to: ["homeassistant/#"])
    let wanted = tellsStates ? 3 : 1
    let stop = Pipe()
    DispatchQueue.global().asyncAfter(deadline: .now() + 30) { stop.fileHandleForWriting.write(Data([0])) }
    var topics: [String] = []
    while topics.count < wanted {
      let received = try client.receive(stop: stop.fileHandleForReading.fileDescriptor)
      try #require(!received.isEmpty, "only \(topics) came")
      let areRetained = received.allSatisfy(\.isRetained)
      #expect(areRetained)
      topics += received.map(\.topic)
      try client.acknowledge()
    }
    #expect(topics.count == wanted)
  }

  @Test("Only Home Assistant's form has states", arguments: ["", "&format=owntracks"])
  func addresses(format: String) {
    #expect(throws: AddressError.self) { try ChannelAddress("mqtt://h?states=true\(format)") }
  }
}
