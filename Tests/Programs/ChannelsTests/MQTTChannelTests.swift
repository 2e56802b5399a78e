import FencepostAlarmTestSupport
import FencepostMQTTTestSupport
import FencepostSystem
import FencepostMQTT
import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostTestSupport
import Foundation
import Glibc
import Testing

@testable import FencepostChannels

@Suite("Publishing to a broker", .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct MQTTChannelTests {
  let broker: Broker
  let fixture: LiveAlarmFixture

  init() throws {
    broker = try Broker()
    fixture = try LiveAlarmFixture()
    try fixture.reminder("Milk", LiveAlarmFixture.alarm(.enter))
    try fixture.reminder("Tea", LiveAlarmFixture.alarm(at: 5))
    let engine = try fixture.engine(channels: ["mqtt"])
    _ = try engine.process([fixture.fix(0, 1_000, device: "ann/phone")], at: fixture.clock.now)
    fixture.clock.advance(by: 10)
    #expect(
      try engine.process([fixture.fix(10, 0, device: "ann/phone")], at: fixture.clock.now).count == 2)
  }

  private func deliveryLoop(_ text: String) throws -> DeliveryLoop { try deliveryLoop(over: channel(text)) }

  private func channel(_ text: String) throws -> any Channel {
    try ChannelAddress(text).open(
      ChannelContext(store: fixture.store, resolver: fixture.resolver, log: Log { _, _ in }))
  }

  private func deliveryLoop(over channel: any Channel) throws -> DeliveryLoop {
    let clock = fixture.clock
    return DeliveryLoop(
      name: "mqtt", channel: channel, store: fixture.store, resolver: fixture.resolver,
      clock: { clock.now })
  }

  /// Delivers everything; the broker accepts all of it.
  private func deliverAll(_ loop: inout DeliveryLoop) throws {
    let next = try loop.run()
    #expect(next == nil)
    #expect(loop.lastError == nil)
  }

  /// The `count` messages at `filter` while `body` runs.
  private func messages(
    _ filter: String, count: Int, during body: () throws -> Void
  ) throws -> [MQTTClient.Message] {
    let client = try MQTTClient(broker.feed())
    try client.connect()
    try client.subscribe(to: [filter])
    try body()
    // A missing message fails the test instead of blocking it.
    let stop = Pipe()
    DispatchQueue.global().asyncAfter(deadline: .now() + 30) {
      stop.fileHandleForWriting.write(Data([0]))
    }
    var all: [MQTTClient.Message] = []
    while all.count < count {
      let received = try client.receive(stop: stop.fileHandleForReading.fileDescriptor)
      if received.isEmpty { throw Counterpart.Failure(description: "only \(all.count) messages came") }
      all += received
      try client.acknowledge()
    }
    return all
  }

  private func object(_ message: MQTTClient.Message) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any])
  }

  @Test("Firings are published as their usual JSON, not retained")
  func json() throws {
    var loop = try deliveryLoop("mqtt://127.0.0.1:\(broker.port)/home/alarms")
    let all = try messages("#", count: 2) {
      try deliverAll(&loop)
    }
    #expect(all.map(\.topic) == ["home/alarms", "home/alarms"])
    #expect(all.allSatisfy { !$0.isRetained })
    #expect(try Set(all.map { try object($0)["kind"] as? String ?? "" }) == ["enter", "absolute"])
    #expect(try all.allSatisfy { try object($0)["id"] is String })
  }

  @Test("OwnTracks' transitions are published for places only")
  func ownTracks() throws {
    var loop = try deliveryLoop("mqtt://127.0.0.1:\(broker.port)?format=owntracks")
    let all = try messages("#", count: 1) {
      try deliverAll(&loop)
    }
    #expect(all.map(\.topic) == ["owntracks/ann/phone/event"])
    let transition = try object(all[0])
    #expect(transition["_type"] as? String == "transition" && transition["event"] as? String == "enter")
    #expect(transition["desc"] as? String == "Place" && transition["tid"] as? String == "ne")
    #expect((transition["tst"] as? Int).map { $0 > 1_777_701_600 && $0 <= 1_777_701_610 } == true)
    #expect(transition["acc"] as? Double == 5 && transition["wtst"] is Int)
  }

  @Test(
    "A device with any name has a valid topic",
    arguments: [
      ("ann/phone", "owntracks/ann/phone/event"), ("a\u{1}b", "owntracks/fencepost/a_b/event"),
      ("+\u{301}", "owntracks/fencepost/_\u{301}/event"), ("#/\u{85}\u{FFFF}", "owntracks/_/__/event"),
      ("\0", "owntracks/fencepost/_/event"),
    ])
  func topics(device: String, topic: String) throws {
    var loop = try deliveryLoop("mqtt://127.0.0.1:\(broker.port)?format=owntracks")
    try deliverAll(&loop)
    fixture.clock.advance(by: 60)
    let engine = try fixture.engine(channels: ["mqtt"])
    let fixes = [fixture.fix(50, 1_000, device: device), fixture.fix(60, 0, device: device)]
    #expect(try engine.process(fixes, at: fixture.clock.now).count == 1)
    let all = try messages("#", count: 1) { try deliverAll(&loop) }
    #expect(all.map(\.topic) == [topic])
  }

  @Test("An invalid message is given up, and one for an unreachable broker is retried")
  func refused() throws {
    let client = try MQTTClient(broker.feed())
    try client.connect()
    func failure(_ topic: String) -> MQTTFailure? {
      do throws(MQTTFailure) {
        try client.publish("", to: topic)
        return nil
      } catch {
        return error
      }
    }
    #expect(failure("a\u{1}b")?.isFinal == true)
    #expect(failure("a/+")?.isFinal == true)
    #expect(failure("a") == nil)
    broker.stop()
    #expect(failure("a")?.isFinal == false)
  }

  @Test("Home Assistant gets the retained announcement first, then the events")
  func homeAssistant() throws {
    let channel = try channel("mqtt://127.0.0.1:\(broker.port)/home/alarms?format=homeassistant")
    // Before the first delivery.
    try channel.review(fixture.store)
    var loop = try deliveryLoop(over: channel)
    // A later subscriber gets the retained configuration.
    let all = try messages("#", count: 3) { try deliverAll(&loop) }
    let configuration = try object(try #require(all.first))
    #expect(all[0].isRetained && all[0].topic.hasPrefix("homeassistant/event/fencepost_"))
    #expect(all[0].topic.hasSuffix("/alarm/config"))
    #expect(configuration["state_topic"] as? String == "home/alarms")
    let types = try #require(configuration["event_types"] as? [String])
    for message in all.dropFirst() {
      let event = try object(message)
      #expect(message.topic == "home/alarms" && !message.isRetained)
      #expect(types.contains(event["event_type"] as? String ?? ""))
      #expect(event["event_type"] as? String == event["kind"] as? String)
    }
  }

  @Test("The announcement is repeated after the broker lost it")
  func announcesAgain() throws {
    let channel = try channel("mqtt://127.0.0.1:\(broker.port)/home/alarms?format=homeassistant")
    try channel.review(fixture.store)
    // Like a broker that keeps nothing after its end.
    broker.stop(SIGKILL)
    try? FileManager.default.removeItem(atPath: broker.directory.path("mosquitto.db"))
    var loop = try deliveryLoop(over: channel)
    #expect(try loop.run() != nil)
    try broker.start()
    fixture.clock.advance(by: 60)
    let all = try messages("#", count: 3) { try deliverAll(&loop) }
    #expect(all.map(\.topic).contains { $0.hasSuffix("/alarm/config") })
  }

  @Test("A channel is not reviewed during the pause after a failure")
  func leftAlone() throws {
    final class Counting: Channel {
      var reviews = 0
      func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) { throw DeliveryFailure("no") }
      func review(_ store: CalendarStore) { reviews += 1 }
    }
    let channel = Counting()
    var loop = try deliveryLoop(over: channel)
    for _ in 0..<5 { #expect(try loop.run() != nil) }
    #expect(channel.reviews == 1)
  }

  @Test("An unreachable broker is retried, and the backlog is delivered when it is back")
  func away() throws {
    broker.stop()
    var loop = try deliveryLoop("mqtt://127.0.0.1:\(broker.port)")
    #expect(try loop.run() != nil)
    #expect(loop.lastError == "can't connect to 127.0.0.1:\(broker.port): Connection refused")
    try broker.start()
    fixture.clock.advance(by: 60)
    let all = try messages("fencepost/firings", count: 2) { try deliverAll(&loop) }
    #expect(all.count == 2)
    // The channel reconnects to a broker that disappeared without a message.
    try fixture.reminder("Bread", LiveAlarmFixture.alarm(at: 100))
    fixture.clock.advance(by: 100)
    #expect(try fixture.engine(channels: ["mqtt"]).wake(at: fixture.clock.now).count == 1)
    broker.stop(SIGKILL)
    #expect(try loop.run() != nil)
    try broker.start()
    fixture.clock.advance(by: 60)
    let last = try messages("fencepost/firings", count: 1) { try deliverAll(&loop) }
    #expect(last.count == 1)
  }
}
