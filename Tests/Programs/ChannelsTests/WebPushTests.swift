import FencepostAddresses
import FencepostActions
import FencepostAlarmTestSupport
import FencepostSystem
import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostCryptography
import FencepostRecurrence
import FencepostTestSupport
import FencepostWebPush
import FencepostWebServer
import Foundation
import Testing

@testable import FencepostChannels

@Suite("Pushing alarms to browsers")
struct WebPushTests {
  private let fixture: LiveAlarmFixture
  private let registry: ClientRegistry

  init() throws {
    fixture = try LiveAlarmFixture()
    let clock = fixture.clock
    registry = ClientRegistry(store: fixture.store) { clock.now }
  }

  /// A browser that is signed in, behind a push service.
  private func subscribe(to service: PushService) throws -> StoredPushSubscription {
    let key = try registry.beginSession(browser: "test")
    let principal = try #require(try registry.principal(sessionKey: key))
    return try registry.subscribe(
      principal, endpoint: service.endpoint, publicKey: service.key.publicKey, secret: service.secret)
  }

  private func loop(_ subscription: StoredPushSubscription, _ service: PushService) throws -> DeliveryLoop {
    let address = try ChannelAddress("webpush?allow-host=\(service.host)")
    let own = try #require(FilteredChannel(address).addressed(to: [subscription]).first).channel
    let context = ChannelContext(
      store: fixture.store, resolver: fixture.resolver,
      log: Log(threshold: .error) { _, _ in })
    let clock = fixture.clock
    return DeliveryLoop(
      name: own.description, channel: try own.open(context), store: fixture.store,
      resolver: fixture.resolver,
      backoff: own.backoff, clock: { clock.now })
  }

  /// Lets alarms go off for a channel.
  private func fire(_ titles: [String], to subscription: StoredPushSubscription) throws {
    let now = fixture.clock.now.seconds(since: LiveAlarmFixture.start)
    for (index, title) in titles.enumerated() {
      try fixture.reminder(title, LiveAlarmFixture.alarm(at: now + Double(index + 1)))
    }
    let engine = try fixture.engine(channels: ["webpush:\(subscription.id)"])
    fixture.clock.advance(by: 10)
    #expect(try engine.wake(at: fixture.clock.now).count == titles.count)
  }

  private func object(_ message: PushService.Message) throws -> [String: Any] {
    let text = try #require(message.content)
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("Each alarm reaches the browser once, with what it shows and a token that answers it")
  func pushes() throws {
    let service = try PushService()
    let subscription = try subscribe(to: service)
    try fire(["Milk <b>", "Bread"], to: subscription)
    var loop = try loop(subscription, service)
    #expect(try loop.run() == nil && loop.lastError == nil)
    #expect(try loop.run() == nil && service.messages.count == 2)
    let alarm = try object(service.messages[0])
    #expect(alarm["title"] as? String == "Milk <b>" && alarm["reminder"] as? Bool == true)
    let token = try #require(alarm["token"] as? String)
    let id = try #require(alarm["id"] as? String)
    let principal = try registry.principal(HTTPCredentials(authorization: "Bearer \(token)", token: nil))
    #expect(principal?.way == .answer(id, revision: nil))
    #expect(try fixture.store.read { try $0.firing(key: id) } != nil)
    #expect(service.messages[0].headers["topic"] == alarm["tag"] as? String)
    #expect(service.messages[0].headers["topic"] != service.messages[1].headers["topic"])
    #expect(service.messages[0].headers["urgency"] == "high")
  }

  @Test("A snoozed alarm takes the place of the first, where that still waits")
  func snooze() throws {
    let service = try PushService()
    let subscription = try subscribe(to: service)
    try fire(["Milk"], to: subscription)
    var loop = try loop(subscription, service)
    #expect(try loop.run() == nil)
    let id = try #require(try object(service.messages[0])["id"] as? String)
    for minutes in [10.0, 20.0] {
      let now = fixture.clock.now
      let last = try #require(try fixture.store.read { try $0.firings(limit: 1).first?.firing.key })
      _ = try fixture.store.write {
        try $0.respond(
          .snooze(until: now.adding(seconds: minutes * 60)), to: last, at: now, resolver: fixture.resolver)
      }
      let engine = try fixture.engine(channels: ["webpush:\(subscription.id)"])
      fixture.clock.advance(by: minutes * 60 + 1)
      #expect(try engine.wake(at: fixture.clock.now).count == 1)
      #expect(try loop.run() == nil)
    }
    #expect(service.messages.count == 3)
    #expect(try object(service.messages[2])["id"] as? String != id)
    #expect(Set(service.messages.compactMap { $0.headers["topic"] }).count == 1)
  }

  @Test("A service that is busy is asked again when it says so, and the alarm comes once")
  func busy() throws {
    let service = try PushService { count in
      count == 0 ? HTTPResponse(status: 429, headers: ["Retry-After": "300"]) : HTTPResponse(status: 201)
    }
    let subscription = try subscribe(to: service)
    try fire(["Milk"], to: subscription)
    var loop = try loop(subscription, service)
    let next = try #require(try loop.run())
    #expect(next.seconds(since: fixture.clock.now) >= 300)
    #expect(loop.lastError == "the push service answered 429")
    fixture.clock.set(next)
    #expect(try loop.run() == nil && loop.lastError == nil)
    #expect(service.messages.count == 2)
    #expect(try object(service.messages[1])["title"] as? String == "Milk")
  }

  @Test(
    "A subscription that is gone is forgotten, and nothing waits for it", arguments: [404, 410] as [UInt32])
  func gone(status: UInt32) throws {
    let service = try PushService { _ in HTTPResponse(status: status) }
    let subscription = try subscribe(to: service)
    try fire(["Milk", "Bread"], to: subscription)
    var loop = try loop(subscription, service)
    #expect(try loop.run() == nil)
    #expect(service.messages.count == 1)
    #expect(try fixture.store.read { try $0.pushSubscriptions() }.isEmpty)
    #expect(try fixture.store.read { try $0.pendingDeliveryCounts() }.isEmpty)
  }

  @Test("After signing out, nothing more comes")
  func signedOut() throws {
    let service = try PushService()
    let subscription = try subscribe(to: service)
    var loop = try loop(subscription, service)
    try fixture.store.write { _ = try $0.removeWebSessions() }
    try fire(["Milk"], to: subscription)
    #expect(try loop.run() == nil)
    #expect(service.messages.isEmpty)
    #expect(try fixture.store.read { try $0.failedDeliveryCounts() } == ["webpush:\(subscription.id)": 1])
  }

  @Test("A client that may see one list gets alarms of that list alone")
  func lists() throws {
    let service = try PushService()
    let other = ItemCalendar(source: fixture.list.source, title: "Other", entities: .reminders)
    try fixture.store.write { try $0.save(other) }
    for (list, count) in [(other.id, 0), (fixture.list.id, 1)] {
      let (user, password) = try registry.add("app \(count)", rights: [.read], lists: [list])
      let principal = try #require(
        try registry.principal(HTTPCredentials(authorization: "Bearer \(user):\(password)", token: nil)))
      let subscription = try registry.subscribe(
        principal, endpoint: service.endpoint, publicKey: service.key.publicKey, secret: service.secret)
      try fire(["Milk \(count)"], to: subscription)
      var loop = try loop(subscription, service)
      #expect(try loop.run() == nil)
      #expect(service.messages.count == count)
      fixture.clock.advance(by: 100)
    }
  }

  @Test("A client of some lists does not learn which device it was; its answer token works all the same")
  func hiddenDevice() throws {
    let service = try PushService()
    let (user, password) = try registry.add("app", rights: [.read, .write], lists: [fixture.list.id])
    let principal = try #require(
      try registry.principal(HTTPCredentials(authorization: "Bearer \(user):\(password)", token: nil)))
    let subscription = try registry.subscribe(
      principal, endpoint: service.endpoint, publicKey: service.key.publicKey, secret: service.secret)
    let item = try fixture.reminder("Milk", LiveAlarmFixture.alarm(.enter))
    var step = LedgerStep()
    step.firings = [
      Firing(
        kind: .enter, time: fixture.clock.now, alarm: item.alarms[0].id, item: item.id,
        place: item.alarms[0].proximity?.location,
        crossing: Firing.Crossing(
          device: "anns-phone", position: fixture.fix(0, 0).coordinate, accuracy: 8, isInterpolated: false))
    ]
    try fixture.store.write { [step] in try $0.record(step) { _ in ["webpush:\(subscription.id)"] } }
    var loop = try loop(subscription, service)
    #expect(try loop.run() == nil)
    let alarm = try object(try #require(service.messages.first))
    #expect(alarm["title"] as? String == "Milk")
    #expect(!"\(alarm)".contains("anns-phone"))
    let token = try #require(alarm["token"] as? String)
    let answerer = try #require(
      try registry.principal(HTTPCredentials(authorization: "Bearer \(token)", token: nil)))
    #expect(answerer.way == .answer(try #require(alarm["id"] as? String), revision: nil))
  }

  @Test("An alarm with very long texts still comes")
  func long() throws {
    let service = try PushService()
    let subscription = try subscribe(to: service)
    let title = String(repeating: "e\u{301}", count: 5_000)
    var item = try fixture.reminder("long", LiveAlarmFixture.alarm(at: 1))
    item.title = title
    item.notes = String(repeating: "long notes ", count: 2_000)
    item.location = title
    try fixture.store.write { [item] in try $0.save(item) }
    let engine = try fixture.engine(channels: ["webpush:\(subscription.id)"])
    fixture.clock.advance(by: 10)
    #expect(try engine.wake(at: fixture.clock.now).count == 1)
    var loop = try loop(subscription, service)
    #expect(try loop.run() == nil && loop.lastError == nil)
    let alarm = try object(try #require(service.messages.first))
    #expect((alarm["title"] as? String)?.unicodeScalars.count == 200)
  }

  @Test(
    "Wrong words in the address are named",
    arguments: ["webpush?contact=me", "webpush?snooze=1", "webpush:x"])
  func addresses(text: String) { #expect(throws: AddressError.self) { try ChannelAddress(text) } }

  @Test("A test alarm says that no browser has asked, or is pushed with its mark")
  func testAlarm() throws {
    let service = try PushService()
    let subscription = try subscribe(to: service)
    let test = try TestAlarm(
      resolver: fixture.resolver, now: fixture.clock.now, log: Log(threshold: .error) { _, _ in },
      subscribers: fixture.store)
    let address = try ChannelAddress("webpush?allow-host=\(service.host)")
    #expect(throws: DeliveryFailure.self) { try test.deliver(over: address) }
    for delivery in FilteredChannel(address).addressed(to: [subscription]) {
      try test.deliver(over: delivery.channel)
    }
    #expect(try object(try #require(service.messages.first))["title"] as? String == "Test alarm")
  }
}
