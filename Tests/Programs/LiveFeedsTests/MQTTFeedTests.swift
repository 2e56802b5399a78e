import FencepostMQTTTestSupport
import FencepostMQTT
import FencepostCalendarModel
import FencepostTestSupport
import Glibc
import Testing

@testable import FencepostLiveFeeds

@Suite("Positions over MQTT", .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct MQTTFeedTests {
  private static func location(_ second: Int, _ latitude: Double = 52.5, extra: String = "") -> String {
    #"{"_type":"location","lat":\#(latitude),"lon":13.4,"tst":\#(1_777_622_400 + second),"tid":"ph"\#(extra)}"#
  }

  private static func fix(_ second: Int, _ device: String = "ann/phone") -> String {
    "\(device) \(1_777_622_400 + second) 52.5,13.4"
  }

  /// A feed that runs until its harness stops it.
  private func run(
    _ address: MQTTAddress, attempts: Int = 1, identity: String = "test"
  ) throws -> FeedHarness {
    let harness = try FeedHarness(.mqtt(address))
    let stop = harness.stopDescriptor
    harness.run(attempts: attempts) { MQTTFeed(address, identity: identity, interruptedBy: stop) }
    return harness
  }

  /// Ends a feed like a daemon, and waits for its end.
  private func end(_ harness: FeedHarness) {
    harness.stop()
    #expect(eventually { harness.hasEnded })
  }

  @Test("The topic names the device, and other messages are ignored")
  func messages() throws {
    let broker = try Broker()
    let harness = try run(broker.feed())
    #expect(eventually { harness.status.current.state == .open })
    try broker.publish(
      ("owntracks/ann/phone", Self.location(0, extra: #","topic":"owntracks/eve/x""#)),
      ("owntracks/ann/phone/waypoint", Self.location(1)), ("elsewhere/ann/phone", Self.location(1)),
      ("owntracks/ann/phone", #"{"_type":"lwt","tst":1}"#), ("owntracks/ann/phone", ""),
      ("owntracks/ann/phone", "hello"), ("owntracks/ann/phone", Self.location(2, 95)),
      ("owntracks/bob/pad", Self.location(2)))
    #expect(eventually { harness.fixes.count == 2 && harness.status.current.rejected == 2 })
    #expect(harness.fixes == [Self.fix(0), Self.fix(2, "bob/pad")])
    #expect(harness.log.count == 1 && harness.log[0].contains("not JSON"))
    end(harness)
    #expect(harness.failures.isEmpty)
  }

  @Test("OwnTracks' transitions on their own topic are positions")
  func transitions() throws {
    let broker = try Broker()
    let harness = try run(broker.feed())
    #expect(eventually { harness.status.current.state == .open })
    let transition =
      #"{"_type":"transition","wtst":1,"lat":52.5,"lon":13.4,"tst":1777622401,"acc":30,"tid":"ph","event":"enter","desc":"Home","t":"c"}"#
    try broker.publish(
      ("owntracks/ann/phone", Self.location(0)), ("owntracks/ann/phone/event", transition),
      // The daemon's own channel publishes such messages.
      ("owntracks/fencepost/phone/event", transition.replacing("\"wtst\":1", with: "\"wtst\":0")),
      ("owntracks/ann/phone", Self.location(2)))
    #expect(eventually { harness.fixes.count == 3 })
    #expect(harness.fixes == [Self.fix(0), Self.fix(1), Self.fix(2)])
    end(harness)
  }

  @Test("Retained messages come first, with their own time")
  func retained() throws {
    let broker = try Broker()
    try broker.publish(("owntracks/ann/phone", Self.location(-86_400)), isRetained: true)
    let harness = try run(broker.feed())
    #expect(eventually { harness.fixes == [Self.fix(-86_400)] })
    end(harness)
  }

  @Test("Messages wait while the daemon is away, even if the broker restarts")
  func away() throws {
    let broker = try Broker()
    end(
      try {
        let first = try run(broker.feed())
        #expect(eventually { first.status.current.state == .open })
        return first
      }())
    try broker.publish(("owntracks/ann/phone", Self.location(0)), ("owntracks/ann/phone", Self.location(1)))
    broker.stop()
    try broker.start()
    try broker.publish(("owntracks/ann/phone", Self.location(2)))
    let second = try run(broker.feed())
    #expect(eventually { second.fixes.count == 3 })
    #expect(second.fixes == [Self.fix(0), Self.fix(1), Self.fix(2)])
    end(second)
    // A daemon with another store has another session without messages.
    let other = try run(broker.feed(), identity: "another")
    #expect(eventually { other.status.current.state == .open })
    try broker.publish(("owntracks/ann/phone", Self.location(3)))
    #expect(eventually { !other.fixes.isEmpty })
    #expect(other.fixes == [Self.fix(3)])
    end(other)
  }

  @Test("A message that can't be stored is not acknowledged, and comes again")
  func acknowledged() throws {
    let broker = try Broker()
    let harness = try FeedHarness(.mqtt(try broker.feed()))
    let (address, stop) = (try broker.feed(), harness.stopDescriptor)
    harness.setKeeping(false)
    harness.run(attempts: 3) { MQTTFeed(address, identity: "test", interruptedBy: stop) }
    #expect(eventually { harness.status.current.state == .open })
    try broker.publish(("owntracks/ann/phone", Self.location(0)))
    #expect(eventually { harness.hasEnded })
    #expect(harness.fixes == [Self.fix(0), Self.fix(0), Self.fix(0)])
    #expect(harness.failures == Array(repeating: "positions can't be stored at the moment", count: 3))

    let engine = try run(broker.feed())
    #expect(eventually { engine.fixes == [Self.fix(0)] })
    try broker.publish(("owntracks/ann/phone", Self.location(1)))
    #expect(eventually { engine.fixes.count == 2 })
    end(engine)
    let next = try run(broker.feed())
    try broker.publish(("owntracks/ann/phone", Self.location(2)))
    #expect(eventually { !next.fixes.isEmpty })
    #expect(next.fixes == [Self.fix(2)])
    end(next)
  }

  @Test("The feed reconnects to a broker that was killed, and nothing is lost")
  func killed() throws {
    let broker = try Broker()
    let harness = try run(broker.feed(), attempts: 1_000)
    #expect(eventually { harness.status.current.state == .open })
    try broker.publish(("owntracks/ann/phone", Self.location(0)))
    #expect(eventually { harness.fixes.count == 1 })
    broker.stop(SIGKILL)
    #expect(eventually { !harness.failures.isEmpty })
    try broker.start()
    // The subscription can't be observed from outside, so publish until a message arrives.
    let isHeard = try eventually {
      try broker.publish(("owntracks/ann/phone", Self.location(1)))
      return harness.fixes.contains(Self.fix(1))
    }
    #expect(isHeard)
    end(harness)
    #expect(harness.failures[0].contains("connection"))
  }

  @Test("Many messages at once are all stored, in their order")
  func many() throws {
    let broker = try Broker()
    let harness = try run(broker.feed())
    #expect(eventually { harness.status.current.state == .open })
    let client = try MQTTClient(broker.feed())
    try client.connect()
    for second in 0..<500 { try client.publish(Self.location(second), to: "owntracks/ann/phone") }
    #expect(eventually { harness.fixes.count == 500 })
    #expect(harness.fixes == (0..<500).map { Self.fix($0) })
    end(harness)
  }

  @Test("A missing password and a refused subscription are errors")
  func passwords() throws {
    let broker = try Broker(isProtected: true)
    func failure(_ address: MQTTAddress) throws -> String? {
      let harness = try run(address)
      #expect(eventually { harness.hasEnded })
      return harness.failures.first
    }
    for address in [try broker.feed(), try broker.feed(user: "ann:wrong")] {
      #expect(
        try failure(address) == "127.0.0.1:\(broker.port): Connection Refused: not authorised.")
    }
    let harness = try run(broker.feed(user: "ann:s3cret"))
    #expect(eventually { harness.status.current.state == .open })
    end(harness)
  }

  @Test(
    "A broker is trusted if an authority has signed its certificate for its name",
    .enabled(if: Broker.canEncrypt, "openssl is not installed"))
  func encrypted() throws {
    let broker = try Broker(isEncrypted: true)
    let own = "owntracks/+/+?cafile=\(broker.authorities)"
    let harness = try run(broker.feed(own, scheme: "mqtts", host: "localhost"))
    #expect(eventually { harness.status.current.state == .open })
    let client = try MQTTClient(broker.feed(own, scheme: "mqtts", host: "localhost"))
    try client.connect()
    for second in 0..<50 { try client.publish(Self.location(second), to: "owntracks/ann/phone") }
    #expect(eventually { harness.fixes.count == 50 })
    end(harness)

    for (rest, host) in [("", "localhost"), (own, "127.0.0.1")] {
      let refusing = try run(broker.feed(rest, scheme: "mqtts", host: host))
      #expect(eventually { refusing.hasEnded })
      #expect(refusing.failures.first?.isEmpty == false && refusing.fixes.isEmpty)
    }
    let missing = try run(broker.feed("?cafile=/nonexistent", scheme: "mqtts"))
    #expect(eventually { missing.hasEnded })
    #expect(missing.failures.first?.contains("/nonexistent") == true)
  }

  @Test("An unreachable broker is an error")
  func unreachable() throws {
    let broker = try Broker()
    broker.stop()
    let harness = try run(broker.feed())
    #expect(eventually { harness.hasEnded })
    #expect(harness.failures == ["can't connect to 127.0.0.1:\(broker.port): Connection refused"])
  }

  @Test(
    "The device of a topic",
    arguments: [
      ("owntracks/ann/phone", "ann/phone"), ("a/b/c/d", "c/d"), ("phone", "phone"),
      ("/ann/phone/", "ann/phone"), ("owntracks/ann/phone/event", "ann/phone"), ("ann/event", "ann/event"),
      ("owntracks/ann/event", "ann/event"),
    ])
  func devices(topic: String, device: String) {
    #expect(MQTTFeed.device(of: topic) == device)
  }

  @Test("The client identifier has 23 letters and digits, and is the same at each start")
  func names() throws {
    guard case .mqtt(let a) = try FeedAddress("mqtt://h/a/#"),
      case .mqtt(let b) = try FeedAddress("mqtt://h/b/#")
    else { return }
    let names = [
      MQTTFeed(a, identity: "1").clientID, MQTTFeed(a, identity: "1").clientID,
      MQTTFeed(b, identity: "1").clientID, MQTTFeed(a, identity: "2").clientID,
    ]
    #expect(names[0] == names[1] && Set(names).count == 3)
    #expect(names.allSatisfy { $0.count == 23 && $0.allSatisfy(\.isASCII) })
  }
}
