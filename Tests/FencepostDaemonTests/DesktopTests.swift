import AlarmEngine
import CalendarModel
import CalendarStore
import Synchronization
import TestSupport
import Testing

@testable import FencepostDaemon

/// The desktop's notifications, as far as a test needs them.
private final class FakeDesktop {
  static let name = "org.freedesktop.Notifications"
  static let path = "/org/freedesktop/Notifications"

  private let standIn: DBusStandIn

  /// One that refuses to show what is called `refused`.
  init(
    _ bus: PrivateBus, capabilities: [String] = ["actions", "body", "body-markup"], refused: String? = nil
  ) throws {
    let counter = Counter()
    standIn = try DBusStandIn(bus, name: Self.name, path: Self.path) { call in
      switch call.member {
      case "GetCapabilities": [.array(capabilities.map { .string($0) }, of: "s")]
      case "Notify": call.arguments[3].text == refused ? nil : [.uint32(counter.next())]
      case "CloseNotification": []
      default: nil
      }
    }
  }

  private final class Counter: Sendable {
    private let count = Mutex<UInt32>(0)

    func next() -> UInt32 {
      count.withLock {
        $0 += 1
        return $0
      }
    }
  }

  /// What it was asked to show.
  var shown: [[DBusValue]] { standIn.calls.filter { $0.member == "Notify" }.map(\.arguments) }
  /// What it was asked to take away.
  var closed: [UInt32] {
    standIn.calls.filter { $0.member == "CloseNotification" }.compactMap { call in
      if case .uint32(let number) = call.arguments.first { number } else { nil }
    }
  }

  func act(_ number: UInt32, _ action: String) {
    standIn.emit(Self.path, Self.name, "ActionInvoked", [.uint32(number), .string(action)])
  }

  func close(_ number: UInt32, reason: UInt32) {
    standIn.emit(Self.path, Self.name, "NotificationClosed", [.uint32(number), .uint32(reason)])
  }

  func stop() { standIn.stop() }
}

@Suite("Notifications of the desktop", .enabled(if: PrivateBus.isInstalled, "dbus-daemon is not installed"))
struct DesktopTests {
  let fixture: DaemonFixture
  let bus: PrivateBus

  init() throws {
    fixture = try DaemonFixture()
    bus = try PrivateBus()
  }

  private func channel(_ text: String) throws -> DesktopChannel {
    guard case .desktop(let address) = try ChannelAddress(text) else {
      throw AddressError(text, "this is no desktop")
    }
    let surroundings = ChannelSurroundings(
      store: fixture.store, resolver: fixture.resolver, log: Log { _, _ in })
    let clock = fixture.clock
    return DesktopChannel(address, surroundings, bus: bus.bus) { clock.now }
  }

  private func deliveryLoop(_ text: String = "desktop?snooze=5m") throws -> DeliveryLoop {
    let clock = fixture.clock
    return DeliveryLoop(
      name: "desktop", channel: try channel(text), store: fixture.store, resolver: fixture.resolver,
      backoff: Backoff(most: 30), clock: { clock.now })
  }

  /// Lets the alarm of a reminder go off at a place.
  private func fire(_ title: String) throws {
    try fixture.reminder(title, DaemonFixture.alarm(.enter))
    let keeper = try fixture.keeper(channels: ["desktop"])
    let fixes = [fixture.fix(0, 500), fixture.fix(10, 0)]
    #expect(try keeper.take(fixes, at: fixture.clock.now).count == 1)
    fixture.clock.advance(by: 60)
  }

  private func item(_ title: String) throws -> CalendarItem {
    try #require(try fixture.store.read { try $0.item(.init(rawValue: title)) })
  }

  @Test("Says what, where and when, as the desktop can show it")
  func shown() throws {
    let desktop = try FakeDesktop(bus)
    try fire("Milk & <b>butter</b>")
    var loop = try deliveryLoop("desktop?urgency=critical")
    #expect(try loop.run() == nil)
    #expect(loop.lastError == nil)
    let arguments = try #require(desktop.shown.first)
    #expect(desktop.shown.count == 1)
    #expect(arguments.map(\.signature) == ["s", "u", "s", "s", "s", "as", "a{sv}", "i"])
    #expect(arguments[3].text == "Milk & <b>butter</b>", "the summary is no markup")
    #expect(arguments[4].text?.hasPrefix("Arrived at Place, 2026-05-02 08:00 (phone)\n") == true)
    #expect(
      arguments[5].elements?.compactMap(\.text) == [
        "fencepost.done", "Done", "fencepost.snooze", "Snooze", "default", "Seen",
      ])
    #expect(arguments[6]["urgency"] == .byte(2))
    #expect(arguments[7] == .int32(0))
  }

  @Test("Markup of a file is text", arguments: [true, false])
  func markup(isUnderstood: Bool) throws {
    let desktop = try FakeDesktop(bus, capabilities: isUnderstood ? ["body", "body-markup"] : ["body"])
    var alarm = DaemonFixture.alarm(at: 1)
    alarm.message = "<a href=\"x\">R&D</a>"
    try fixture.reminder("Milk", alarm)
    let keeper = try fixture.keeper(channels: ["desktop"])
    fixture.clock.advance(by: 2)
    _ = try keeper.wake(at: fixture.clock.now)
    var loop = try deliveryLoop()
    _ = try loop.run()
    let arguments = try #require(desktop.shown.first)
    let line = arguments[4].text?.split(separator: "\n").first.map(String.init)
    #expect(line == (isUnderstood ? "&lt;a href=\"x\"&gt;R&amp;D&lt;/a&gt;" : "<a href=\"x\">R&D</a>"))
    #expect(arguments[5].elements == [], "a desktop without actions is given none")
  }

  @Test("Done ticks the reminder off")
  func done() throws {
    let desktop = try FakeDesktop(bus)
    try fire("Milk")
    var loop = try deliveryLoop()
    _ = try loop.run()
    desktop.act(7, "fencepost.done")
    desktop.act(1, "somebody.else")
    desktop.act(1, "fencepost.done")
    #expect(try eventually { try item("Milk").reminder?.isCompleted == true })
    #expect(try item("Milk").alarms.first?.acknowledged == fixture.clock.now)
    #expect(try fixture.store.read { try $0.firings() }.first?.acknowledged == fixture.clock.now)
  }

  @Test("A notification that the desktop refuses leaves the others their buttons")
  func refusal() throws {
    let desktop = try FakeDesktop(bus, refused: "Bread")
    try fire("Milk")
    var loop = try deliveryLoop()
    #expect(try loop.run() == nil)
    try fixture.reminder("Bread", DaemonFixture.alarm(at: 100))
    fixture.clock.set(DaemonFixture.start.adding(seconds: 100))
    #expect(try fixture.keeper(channels: ["desktop"]).wake(at: fixture.clock.now).count == 1)
    #expect(try loop.run() != nil)
    #expect(loop.lastError?.contains("Notify") == true)
    desktop.act(1, "fencepost.done")
    #expect(try eventually { try item("Milk").reminder?.isCompleted == true })
  }

  @Test("Snooze lets it go off again, as often as it is said")
  func snooze() throws {
    let desktop = try FakeDesktop(bus)
    try fire("Milk")
    var loop = try deliveryLoop()
    let keeper = try fixture.keeper(channels: ["desktop"])
    for number in 1...3 {
      _ = try loop.run()
      #expect(desktop.shown.count == number)
      desktop.act(UInt32(number), "fencepost.snooze")
      let until = fixture.clock.now.adding(seconds: 300)
      #expect(try eventually { try item("Milk").alarms.contains { $0.trigger == .absolute(until) } })
      #expect(try item("Milk").alarms.count == 2)
      #expect(try keeper.wake(at: fixture.clock.now).isEmpty)
      #expect(try keeper.nextDue() == until)
      fixture.clock.set(until)
      #expect(try keeper.wake(at: until).count == 1)
    }
  }

  @Test("What is shown can be answered after the settings were read anew, as they say then")
  func replaced() throws {
    let desktop = try FakeDesktop(bus)
    try fire("Milk")
    var loop = try deliveryLoop()
    _ = try loop.run()
    loop.replace(try channel("desktop?snooze=1h"), resolver: fixture.resolver)
    _ = try loop.run()
    desktop.act(1, "fencepost.snooze")
    let until = fixture.clock.now.adding(seconds: 3_600)
    #expect(try eventually { try item("Milk").alarms.contains { $0.trigger == .absolute(until) } })
    #expect(desktop.shown.count == 1)
  }

  @Test(
    "Dismissed by somebody it was seen; expired it was not", arguments: [(2, true), (1, false), (3, false)])
  func dismissed(reason: Int, isSeen: Bool) throws {
    let desktop = try FakeDesktop(bus)
    try fire("Milk")
    try fixture.reminder("Bread", DaemonFixture.alarm(at: 100))
    let keeper = try fixture.keeper(channels: ["desktop"])
    fixture.clock.set(DaemonFixture.start.adding(seconds: 100))
    #expect(try keeper.wake(at: fixture.clock.now).count == 1)
    var loop = try deliveryLoop()
    _ = try loop.run()
    desktop.close(1, reason: UInt32(reason))
    // What comes later has arrived when this has.
    desktop.close(2, reason: 2)
    let seen = {
      Set(
        try fixture.store.read { try $0.firings() }.filter { $0.acknowledged != nil }.map(
          \.firing.item.rawValue))
    }
    #expect(try eventually { try seen().contains("Bread") })
    #expect(try seen().contains("Milk") == isSeen)
    #expect(try item("Milk").reminder?.isCompleted == false)
  }

  @Test("Answered elsewhere, it goes away")
  func answeredElsewhere() throws {
    let desktop = try FakeDesktop(bus)
    try fire("Milk")
    var loop = try deliveryLoop()
    _ = try loop.run()
    #expect(desktop.closed.isEmpty)
    let key = try #require(try fixture.store.read { try $0.firings() }.first?.firing.key)
    try fixture.store.write { writer in
      _ = try writer.respond(.acknowledge, to: key, at: fixture.clock.now, resolver: fixture.resolver)
    }
    _ = try loop.run()
    #expect(eventually { desktop.closed == [1] })
  }

  @Test("Without a desktop it is tried until there is one, and one that comes back is found again")
  func absent() throws {
    try fire("Milk")
    var loop = try deliveryLoop()
    var waits: [Double] = []
    for _ in 0..<7 {
      let next = try #require(try loop.run())
      waits.append(next.seconds(since: fixture.clock.now))
      fixture.clock.set(next)
      #expect(loop.lastError?.contains("org.freedesktop.Notifications") == true)
    }
    #expect(waits == [1, 2, 4, 8, 16, 30, 30])
    let first = try FakeDesktop(bus)
    #expect(try loop.run() == nil)
    #expect(first.shown.count == 1)
    first.stop()

    #expect(eventually { (try? PrivateBus.isFree(FakeDesktop.name, on: bus)) == true })
    let second = try FakeDesktop(bus, capabilities: [])
    try fixture.reminder("Bread", DaemonFixture.alarm(at: 1_000))
    fixture.clock.set(DaemonFixture.start.adding(seconds: 1_001))
    #expect(try fixture.keeper(channels: ["desktop"]).wake(at: fixture.clock.now).count == 1)
    #expect(try loop.run() == nil)
    #expect(second.shown.map { $0[5].elements } == [[]], "it can't do what the first one could")
    // Its first notification is not the first one's.
    second.close(1, reason: 2)
    #expect(
      try eventually {
        try !fixture.store.read { try $0.firings() }.filter { $0.acknowledged != nil }.isEmpty
      })
    let seen = try fixture.store.read { try $0.firings() }.filter { $0.acknowledged != nil }
    #expect(seen.map(\.firing.item.rawValue) == ["Bread"])
  }
}

extension PrivateBus {
  /// Whether nobody owns a name.
  fileprivate static func isFree(_ name: String, on bus: PrivateBus) throws -> Bool {
    let connection = try DBusConnection(bus.bus)
    let answer = try connection.call(
      "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      "NameHasOwner",
      [.string(name)])
    return answer.first == .bool(false)
  }
}
