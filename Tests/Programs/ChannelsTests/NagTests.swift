import FencepostActions
import FencepostAddresses
import FencepostAlarmEngine
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostSystem
import Testing

@testable import FencepostChannels

@Suite("Alarms that are told again until somebody answers")
struct NagTests {
  let fixture: LiveAlarmFixture
  private let channel = Recorder()

  /// Remembers what it is told, and may fail.
  private final class Recorder: Channel {
    var told: [(key: String, id: String, line: String)] = []
    var fails = false

    func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
      if fails { throw DeliveryFailure("no") }
      told.append((delivery.notice.key, delivery.identifier, line))
    }
  }

  init() throws { fixture = try LiveAlarmFixture() }

  private func makeLoop(_ nag: Nag? = Nag(every: 300, atMost: 3)) -> DeliveryLoop {
    let clock = fixture.clock
    return DeliveryLoop(
      name: "nag", channel: channel, store: fixture.store, resolver: fixture.resolver,
      backoff: Backoff(most: 30), clock: { clock.now }, nag: { _ in nag })
  }

  private func fire(_ alarm: Alarm = LiveAlarmFixture.alarm(.enter)) throws {
    try fixture.reminder("Milk", alarm)
    let engine = try fixture.engine(channels: ["nag"])
    #expect(
      try engine.process([fixture.fix(0, 500), fixture.fix(10, 0)], at: fixture.clock.now).count == 1)
  }

  /// Runs until nothing is left; the seconds between the times.
  private func run(_ loop: inout DeliveryLoop) throws -> [Double] {
    var waits: [Double] = []
    while waits.count < 50, let next = try loop.run() {
      waits.append(next.seconds(since: fixture.clock.now))
      fixture.clock.set(next)
    }
    return waits
  }

  @Test("It is told so often at most, as one firing with a count and an identifier for each time")
  func bound() throws {
    try fire()
    var loop = makeLoop()
    #expect(try run(&loop) == [300, 300, 300])
    #expect(channel.told.count == 4)
    #expect(Set(channel.told.map(\.key)).count == 1 && Set(channel.told.map(\.id)).count == 4)
    #expect(channel.told.map { $0.line.contains("\"repeat\":") } == [false, true, true, true])
    #expect(channel.told.last?.line.hasSuffix(",\"repeat\":3}") == true)
    #expect(try fixture.store.read { try $0.firings() }.count == 1)
  }

  @Test(
    "An answer ends it",
    arguments: ["acknowledge", "snooze", "complete", "completed", "removed", "elsewhere"])
  func answered(how: String) throws {
    try fire()
    var loop = makeLoop()
    #expect(try loop.run() != nil)
    fixture.clock.advance(by: 60)
    let (now, resolver) = (fixture.clock.now, fixture.resolver)
    let key = try #require(try fixture.store.read { try $0.firings() }.first).firing.key
    try fixture.store.write { writer in
      var item = try #require(try writer.reader.item(.init(rawValue: "Milk")))
      switch how {
      case "acknowledge": try writer.respond(.acknowledge, to: key, at: now, resolver: resolver)
      case "snooze":
        try writer.respond(.snooze(until: now.adding(seconds: 9_000)), to: key, at: now, resolver: resolver)
      case "complete": try writer.respond(.complete, to: key, at: now, resolver: resolver)
      case "completed": _ = try writer.complete(item, at: now, resolver: resolver)
      case "removed": _ = try writer.remove(item.id)
      default:
        item.alarms[0].acknowledged = now
        try writer.save(item)
      }
    }
    #expect(try run(&loop).count == 1)
    #expect(channel.told.count == 1)
  }

  @Test("A killed daemon tells it neither too early nor twice, and goes on counting")
  func restart() throws {
    try fire()
    var waits: [Double] = []
    // Each time another loop, as after a crash; and one in between, which must not tell it early.
    while waits.count < 9 {
      var loop = makeLoop()
      guard let due = try loop.run() else { break }
      waits.append(due.seconds(since: fixture.clock.now))
      var restarted = makeLoop()
      #expect(try restarted.run() == due)
      fixture.clock.set(due)
    }
    #expect(waits == [300, 300, 300])
    #expect(channel.told.count == 4)
  }

  @Test("A failure in between is retried, and the count stays")
  func failure() throws {
    try fire()
    var loop = makeLoop(Nag(every: 300, atMost: 1))
    fixture.clock.set(try #require(try loop.run()))
    channel.fails = true
    fixture.clock.set(try #require(try loop.run()))
    channel.fails = false
    #expect(try run(&loop).isEmpty)
    #expect(channel.told.count == 2)
  }

  @Test(
    "The alarm's own interval wins, then the list's, then the channel's; it is one firing in any case",
    arguments: [
      (120, 600, 300, [120, 120]), (120, nil, nil, [120, 120]),
      (nil, 3_600, 300, Array(repeating: 3_600, count: 12)),
      (nil, nil, 300, [300, 300, 300]), (nil, nil, nil, []),
    ] as [(Int?, Int?, Double?, [Double])])
  func precedence(own: Int?, ofList: Int?, ofChannel: Double?, waits: [Double]) throws {
    var list = fixture.list
    list.alarms.nag = ofList.map { CalendarDuration(seconds: $0) }
    try fixture.store.write { [list] in try $0.save(list) }
    for isAtPlace in [true, false] {
      channel.told = []
      let elapsed = fixture.clock.now.seconds(since: LiveAlarmFixture.start)
      var alarm =
        isAtPlace ? LiveAlarmFixture.alarm(.enter) : LiveAlarmFixture.alarm(at: elapsed + 15)
      if let own {
        alarm.repeatCount = 2
        alarm.repeatInterval = CalendarDuration(seconds: own)
      }
      try fixture.reminder(isAtPlace ? "Milk" : "Tea", alarm)
      let engine = try fixture.engine(channels: ["nag"])
      fixture.clock.advance(by: 15)
      let fired =
        isAtPlace
        ? try engine.process([fixture.fix(0, 500), fixture.fix(10, 0)], at: fixture.clock.now)
        : try engine.wake(at: fixture.clock.now)
      #expect(fired.count == 1)
      var loop = makeLoop(ofChannel.map { Nag(every: $0, atMost: 3) })
      #expect(try run(&loop) == waits)
      #expect(channel.told.count == waits.count + 1 && Set(channel.told.map(\.key)).count == 1)
      #expect(try engine.nextDue() == nil)
    }
  }

  @Test("A later firing of the same alarm takes the place of the one before")
  func superseded() throws {
    let alarm = LiveAlarmFixture.alarm(.enter)
    try fire(alarm)
    var loop = makeLoop()
    _ = try loop.run()
    let engine = try fixture.engine(channels: ["nag"])
    let away = [fixture.fix(60, 0), fixture.fix(120, 2_000), fixture.fix(180, 2_000), fixture.fix(240, 0)]
    fixture.clock.advance(by: 240)
    #expect(try engine.process(away, at: fixture.clock.now).count == 1)
    #expect(try run(&loop).count == 4)
    #expect(channel.told.count == 5 && Set(channel.told.map(\.key)).count == 2)
  }

  @Test("What waits for an answer is not pending for status")
  func status() throws {
    try fire()
    var loop = makeLoop()
    _ = try loop.run()
    #expect(try fixture.store.read { try $0.pendingDeliveryCounts() }.isEmpty)
  }

  @Test(
    "Addresses",
    arguments: [
      ("-?nag=5m", 300.0, 12), ("-?nag=90s&nag-times=3", 90, 3), ("-?list=A&nag=1d", 86_400, 12),
      ("-?nag=1h30m", 5_400, 12),
    ])
  func addresses(text: String, seconds: Double, most: Int) throws {
    let channel = try FilteredChannel(text)
    #expect(channel.filter.nag == Nag(every: seconds, atMost: most))
    #expect(try FilteredChannel(channel.description) == channel)
  }

  @Test(
    "Invalid intervals are refused", arguments: ["-?nag=30s", "-?nag=2d", "-?nag=x", "-?nag=5m&nag-times=0"])
  func refused(text: String) { #expect(throws: AddressError.self) { try FilteredChannel(text) } }
}
