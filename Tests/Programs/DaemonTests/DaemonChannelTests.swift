import FencepostAddresses
import FencepostAlarmEngine
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostChannels
import FencepostSystem
import FencepostWebPush
import FencepostWebPush
import Synchronization
import Testing

@testable import FencepostDaemon

@Suite("Channels of the daemon's settings")
struct DaemonChannelTests {
  /// A channel that counts what it gets.
  private final class CountingChannel: Channel, Sendable {
    private let counter = Mutex(0)
    var count: Int { counter.withLock { $0 } }

    func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) { counter.withLock { $0 += 1 } }
  }

  private let entry = LedgerEntry(
    number: 1,
    firing: Firing(
      kind: .enter, time: LiveAlarmFixture.start, alarm: .init(rawValue: "a"), item: .init(rawValue: "i")),
    context: FiringContext(
      itemTitle: "Milk", isReminder: true, list: .init(rawValue: "LIST-ID"), listTitle: "Errands",
      message: nil))

  private func configuration(_ texts: String...) throws -> DaemonConfiguration {
    var configuration = DaemonConfiguration(socket: "")
    configuration.deliveries = try texts.map { try .init($0) }
    return configuration
  }

  @Test("A repeated channel delivers once what any of its filters accepts")
  func twice() throws {
    let twice = try configuration("-?list=Work", "exec:/bin/ring", "-?list=Errands", "-?kind=enter")
    #expect(try twice.channels().map(\.description) == ["-", "exec:/bin/ring"])
    #expect(twice.channels(for: .firing(entry)) == ["exec:/bin/ring", "-"])
  }

  @Test(
    "Two channels with the same name in the ledger are an error, which shows how they differ",
    arguments: [
      ("https://example.org/?token=a", "https://example.org/?token=b", "a value after '?'"),
      ("mailto:a@b?from=c@d", "mailto:a@b?kind=enter", "'from' or 'sendmail'"),
      ("desktop", "desktop?snooze=1h&kind=enter", "'snooze'"),
      ("mqtt://ann:a@h", "mqtt://ann:b@h", "the password, 'states', 'add' or 'cafile'"),
    ])
  func ambiguous(first: String, second: String, words: String) throws {
    let both = try configuration(first, second)
    let error = #expect(throws: AddressError.self) { try both.channels() }
    #expect(error?.description.contains("differ only in") == true)
    #expect(error?.description.contains(words) == true)
  }

  @Test("One desktop can have channels with different urgencies")
  func urgencies() throws {
    let both = try configuration("desktop?urgency=critical&kind=enter", "desktop?urgency=low&kind=absolute")
    #expect(try both.channels().map(\.description) == ["desktop?urgency=critical", "desktop?urgency=low"])
    #expect(try configuration("desktop?urgency=normal").channels().map(\.description) == ["desktop"])
  }

  @Test(
    "A daemon with a server pushes without further settings, and each subscription has a channel of its own")
  func configuration() throws {
    var configuration = DaemonConfiguration(socket: "/s")
    configuration.deliveries = [try .init("-")]
    let subscription = StoredPushSubscription(
      id: "a", endpoint: "https://push.example.net/1", publicKey: [], secret: [], answerKey: [],
      owner: .client("c"),
      created: .epoch)
    var second = subscription
    second.id = "b"
    func names(_ configuration: DaemonConfiguration) -> [String] {
      configuration.addressed(to: [subscription, second]).deliveries.map(\.description)
    }
    #expect(names(configuration) == ["-"])
    configuration.server = try ServerAddress("http://127.0.0.1:8787?host=home.example")
    #expect(names(configuration) == ["-", "webpush:a", "webpush:b"])
    #expect(configuration.addressed(to: []).deliveries.map(\.description) == ["-"])
    let channel = try #require(configuration.addressed(to: [subscription]).deliveries.last).channel
    guard case .webPush(let address) = channel else { throw DeliveryFailure("no channel") }
    #expect(address.contact == "https://home.example")
    configuration.deliveries = [
      try .init("webpush?kind=enter&contact=mailto:a@example.org&allow-host=ntfy.home.arpa")
    ]
    #expect(names(configuration) == ["webpush:a?kind=enter", "webpush:b?kind=enter"])
    #expect(configuration.addressed(to: []).push.reach.allowedHosts == ["ntfy.home.arpa"])
  }

  @Test("A channel that returns during a pause is paused")
  func returnsDuringPause() throws {
    let fixture = try LiveAlarmFixture()
    try fixture.reminder("Milk", LiveAlarmFixture.alarm(at: 1))
    let engine = try fixture.engine(channels: ["test"])
    fixture.clock.advance(by: 10)
    #expect(try engine.wake(at: fixture.clock.now).count == 1)
    let channel = CountingChannel()
    let worker = ChannelWorker(
      DeliveryLoop(
        name: "test", channel: channel, store: fixture.store, resolver: fixture.resolver,
        clock: { [clock = fixture.clock] in clock.now }), log: Log { _, _ in })
    let status = SharedDaemonStatus(nil)
    status.show([], [], retired: [worker])
    status.set(SharedDaemonStatus.Pause(since: nil, until: nil))
    try worker.start()
    #expect(worker.replace(channel, resolver: fixture.resolver))
    status.show([], [worker], retired: [])
    worker.stop(until: .wallClock().adding(seconds: 20))
    #expect(worker.hasGone)
    #expect(channel.count == 0)
    #expect(try fixture.store.read { try $0.pendingDeliveries(channel: "test").count } == 1)
  }
}
