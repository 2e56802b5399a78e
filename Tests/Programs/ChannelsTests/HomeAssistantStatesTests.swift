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
    var fix = fixture.fix(seconds, metres, device: "Ann's phone")
    fix.battery = 64
    _ = try engine.process([fix], at: fixture.clock.now)
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
    "sensor": ["state_topic", "availability_topic", "availability_template", "device_class", "icon"],
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
    #expect(announced.count == 3 && messages.count == 7)
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
        #expect(attributes["battery_level"] as? Int == 64)
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

  @Test("While nothing is armed, the next alarm is not available, and its sensor gets no state")
  func nothingArmed() throws {
    var states = makeStates()
    func topics() throws -> [String: String] {
      let messages = try states.changes(in: fixture.store)
      for message in messages { states.record(message) }
      return Dictionary(uniqueKeysWithValues: messages.map { ($0.topic, $0.payload) })
        .filter { !$0.key.hasSuffix("/config") }
    }
    #expect(try topics() == ["fencepost/events/next": "None"])
    let tea = try fixture.reminder("Tea", LiveAlarmFixture.alarm(at: 5_000))
    _ = try fixture.engine()
    #expect(try topics().keys.sorted() == ["fencepost/events/next", "fencepost/events/next/time"])
    try fixture.store.write { _ = try $0.remove(tea.id) }
    #expect(try topics() == ["fencepost/events/next": "None"])
    #expect(try topics().isEmpty)
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

  @Test(
    "What is typed there becomes a reminder, and the entity's state says so",
    arguments: [
      ("Milk tomorrow 9am", "Added: Milk, 2026-05-03 09:00"),
      ("Bread at Home", "Added: Bread, arriving at Home"),
      ("Tea @Nowhere", "Not added: there is no place 'Nowhere'"),
      ("Tea friday at 33", "Not added: 'friday at 33'"), (" ", "Not added: "),
    ])
  func lines(text: String, state: String) throws {
    try saveHome()
    let channel = try MQTTChannelAddress.adder(port: 1)
    let clock = fixture.clock
    let adder = try HomeAssistantAdder(channel, context) { clock.now }
    defer { adder.stop() }
    #expect(adder.add(text).hasPrefix(state), "\(adder.add(text))")
    let added = try fixture.store.read { try $0.reminders() }
    #expect(added.isEmpty != state.hasPrefix("Added"))
    for item in added {
      let step = try #require(try fixture.store.read { try $0.lastSteps(of: item.id) }.first)
      #expect(step.command == "add \(item.title)" && step.author == .pages)
    }
  }

  @Test(
    "A line of the broker is added once, and the entity is available only while somebody waits for lines",
    .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
  func typed() throws {
    let broker = try Broker()
    let client = try MQTTClient(broker.feed())
    try client.connect()
    try client.subscribe(to: ["homeassistant/text/#", "alarms/#"])
    let adder = try HomeAssistantAdder(try MQTTChannelAddress.adder(port: broker.port), context)
    let stop = Pipe()
    DispatchQueue.global().asyncAfter(deadline: .now() + 120) { stop.fileHandleForWriting.write(Data([0])) }
    var waiting: [MQTTClient.Message] = []
    func next(_ topic: String) throws -> String {
      while true {
        if let index = waiting.firstIndex(where: { $0.topic == topic }) {
          return String(decoding: waiting.remove(at: index).payload, as: UTF8.self)
        }
        let received = try client.receive(stop: stop.fileHandleForReading.fileDescriptor)
        try #require(!received.isEmpty, "nothing came of \(topic)")
        try client.acknowledge()
        waiting += received
      }
    }
    let json = try object(try next(adder.announcement.topic))
    #expect(json["command_topic"] as? String == "alarms/add" && json["max"] as? Int == 255)
    #expect(json["state_topic"] as? String == "alarms/added")
    #expect(try next("alarms/add/availability") == "online")
    try client.publish("Milk", to: "alarms/add")
    #expect(try next("alarms/added") == "Added: Milk")
    #expect(try fixture.store.read { try $0.reminders() }.map(\.title) == ["Milk"])
    adder.stop()
    #expect(try next("alarms/add/availability") == "offline")
  }

  private var context: ChannelContext {
    ChannelContext(store: fixture.store, resolver: fixture.resolver, log: Log { _, _ in })
  }

  @Test("Only Home Assistant's form has states", arguments: ["", "&format=owntracks"])
  func addresses(format: String) {
    #expect(throws: AddressError.self) { try ChannelAddress("mqtt://h?states=true\(format)") }
  }
}

extension MQTTChannelAddress {
  /// The broker at a port of this machine, below `alarms`.
  fileprivate static func adder(port: UInt16) throws -> MQTTAddress {
    var words = try AddressParameters("mqtt://127.0.0.1:\(port)/alarms?format=homeassistant&add=true")
    return try MQTTChannelAddress(&words).broker
  }
}
