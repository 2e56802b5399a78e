import FencepostMQTTTestSupport
import FencepostCalendarModel
import FencepostTestSupport
import Testing

@testable import FencepostLiveFeeds

/// Acknowledging a message only after it was stored relies on undocumented behaviour of libmosquitto: with an
/// external thread, it writes nothing by itself. So these tests inspect the packets.
@Suite("Acknowledgements over MQTT", .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct MQTTAcknowledgementTests {
  private static func location(_ second: Int) -> String {
    #"{"_type":"location","lat":52.5,"lon":13.4,"tst":\#(1_777_622_400 + second),"tid":"ph"}"#
  }

  private static func fix(_ second: Int) -> String { "ann/phone \(1_777_622_400 + second) 52.5,13.4" }

  private static func publish(_ seconds: Range<Int>, to broker: Broker) throws {
    for second in seconds { try broker.publish(("owntracks/ann/phone", location(second))) }
  }

  /// A feed behind a relay.
  private func run(_ relay: MQTTRelay) throws -> FeedHarness {
    guard case .mqtt(let address) = try FeedAddress("mqtt://127.0.0.1:\(relay.port)") else {
      throw Counterpart.Failure(description: "no MQTT")
    }
    let harness = try FeedHarness(.mqtt(address))
    let stop = harness.stopDescriptor
    harness.setHolding(true)
    harness.run(attempts: 1_000) { MQTTFeed(address, identity: "test", interruptedBy: stop) }
    #expect(eventually { harness.status.current.state == .open })
    return harness
  }

  private func end(_ harness: FeedHarness) {
    harness.stop()
    #expect(eventually { harness.hasEnded })
  }

  @Test("A message is acknowledged only after its positions are committed")
  func afterCommit() throws {
    let broker = try Broker()
    let relay = try MQTTRelay(to: broker.port)
    let harness = try run(relay)
    try Self.publish(0..<5, to: broker)
    // All messages have arrived, and some wait for their commit.
    #expect(eventually { relay.count(.publish) == 5 && !harness.fixes.isEmpty })
    #expect(relay.count(.publishAnswer) == 0)
    harness.setHolding(false)
    #expect(eventually { relay.count(.publishAnswer) == 5 })
    #expect(harness.fixes == (0..<5).map(Self.fix))
    #expect(relay.count(.publish, isRepeated: true) == 0)
    end(harness)
    #expect(harness.failures.isEmpty)
  }

  @Test("After a lost connection, unacknowledged messages come again")
  func dropped() throws {
    let broker = try Broker()
    let relay = try MQTTRelay(to: broker.port)
    let harness = try run(relay)
    try Self.publish(0..<5, to: broker)
    #expect(eventually { relay.count(.publish) == 5 && !harness.fixes.isEmpty })
    relay.cut()
    harness.setHolding(false)
    // All of them are repeated over a new connection, marked as duplicates.
    #expect(eventually { relay.count(.publish, isRepeated: true) >= 5 })
    // One may be acknowledged for both of its arrivals.
    #expect(eventually { relay.acknowledgedCount == 5 })
    #expect(!harness.failures.isEmpty)
    #expect(Set(harness.fixes) == Set((0..<5).map(Self.fix)))
    end(harness)
    // Otherwise the broker could see the next connection before the last acknowledgement.
    #expect(eventually { relay.count(.disconnect) == 1 && relay.isQuiet })
    // After that, never again.
    let next = try run(relay)
    next.setHolding(false)
    try Self.publish(5..<6, to: broker)
    #expect(eventually { !next.fixes.isEmpty })
    #expect(next.fixes == [Self.fix(5)])
    end(next)
  }
}
