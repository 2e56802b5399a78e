import FencepostActions
import FencepostAddresses
import FencepostAlarmEngine
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostDBus
import FencepostDBusTestSupport
import FencepostSystem
import FencepostTestSupport
import Dispatch
import Synchronization
import Testing

@testable import FencepostChannels

/// A stand-in for the desktop's notifications.
private final class FakeDesktop {
  static let name = "org.freedesktop.Notifications"
  static let path = "/org/freedesktop/Notifications"

  private let standIn: DBusStandIn

  /// It rejects notifications with the title `refused`.
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

  /// The arguments of `Notify` calls.
  var shown: [[DBusValue]] { standIn.calls.filter { $0.member == "Notify" }.map(\.arguments) }
  /// The numbers of closed notifications.
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

@Suite("Desktop notifications", .enabled(if: PrivateBus.isInstalled, "dbus-daemon is not installed"))
struct DesktopTests {
  let fixture: LiveAlarmFixture
  let bus: PrivateBus

  init() throws {
    fixture = try LiveAlarmFixture()
    bus = try PrivateBus()
  }

  private func channel(
    _ text: String, open: @escaping @Sendable (String) -> Void = { _ in },
    answerSuggestion: SuggestionAnswer.Handler? = nil, backends: [String: String] = [:]
  ) throws -> DesktopChannel {
    guard case .desktop(let address) = try ChannelAddress(text) else {
      throw AddressError(text, "this is no desktop")
    }
    let context = ChannelContext(
      store: fixture.store, resolver: fixture.resolver, log: Log { _, _ in },
      answerSuggestion: answerSuggestion)
    let clock = fixture.clock
    // Without a desktop of the surroundings.
    let none = [
      "XDG_DESKTOP_PORTAL_DIR": "/nowhere", "XDG_CONFIG_HOME": "/nowhere", "XDG_DATA_HOME": "/nowhere",
    ]
    let backends = PortalBackends(
      environment: none.merging(["XDG_CONFIG_DIRS": "/nowhere", "XDG_DATA_DIRS": "/nowhere"]) { $1 }.merging(
        backends
      ) { $1 })
    return DesktopChannel(
      address, context, bus: bus.bus, backends: backends, clock: { clock.now }, open: open)
  }

  private func deliveryLoop(
    _ text: String = "desktop?snooze=5m", answerSuggestion: SuggestionAnswer.Handler? = nil,
    backends: [String: String] = [:]
  ) throws -> DeliveryLoop {
    let clock = fixture.clock
    let channel = try channel(text, answerSuggestion: answerSuggestion, backends: backends)
    return DeliveryLoop(
      name: "desktop", channel: channel, store: fixture.store,
      resolver: fixture.resolver,
      backoff: Backoff(most: 30), clock: { clock.now })
  }

  /// Triggers the alarm of a reminder at a place.
  private func fire(_ title: String) throws {
    try fixture.reminder(title, LiveAlarmFixture.alarm(.enter))
    let engine = try fixture.engine(channels: ["desktop"])
    let fixes = [fixture.fix(0, 500), fixture.fix(10, 0)]
    #expect(try engine.process(fixes, at: fixture.clock.now).count == 1)
    fixture.clock.advance(by: 60)
  }

  @Test("A suggestion can't be snoozed, and disappears when it is answered elsewhere")
  func suggestion() throws {
    let desktop = try FakeDesktop(bus)
    defer { desktop.stop() }
    var suggestion = Suggestion(kind: "taxi", title: "Taxi", content: "{}", found: fixture.clock.now)
    try fixture.store.write { [suggestion, now = fixture.clock.now] writer in
      try writer.save(suggestion)
      try writer.addDeliveries(of: suggestion, over: ["desktop"], at: now)
    }
    var loop = try deliveryLoop()
    #expect(try loop.run() == nil)
    let shown = try #require(desktop.shown.first)
    #expect(shown[3].text == "Taxi")
    #expect(shown[5].elements?.compactMap(\.text) == ["fencepost.done", "Seen", "default", "Seen"])
    suggestion.state = .rejected
    try fixture.store.write { [suggestion] in try $0.save(suggestion) }
    #expect(try loop.run() == nil)
    #expect(eventually { desktop.closed == [1] })
  }

  @Test("The button of a booking answers it once")
  func suggestionButton() throws {
    let desktop = try FakeDesktop(bus)
    defer { desktop.stop() }
    let suggestion = Suggestion(kind: "taxi", title: "Taxi", content: "{}", found: fixture.clock.now)
    let revision = suggestion.revision
    try fixture.store.write { [now = fixture.clock.now] writer in
      try writer.save(suggestion)
      try writer.addDeliveries(of: suggestion, over: ["desktop"], at: now)
    }
    let answered = Mutex<[String]>([])
    var loop = try deliveryLoop(answerSuggestion: { id, answer, revision in
      answered.withLock { $0.append("\(id) \(answer) \(revision)") }
      return nil
    })
    #expect(try loop.run() == nil)
    let shown = try #require(desktop.shown.first)
    #expect(
      shown[5].elements?.compactMap(\.text) == [
        "fencepost.suggestion.accept.\(revision)", "Accept", "fencepost.suggestion.later.\(revision)",
        "Not now",
        "default", "Seen",
      ])
    desktop.act(1, "fencepost.suggestion.accept.\(revision)")
    desktop.act(1, "fencepost.suggestion.accept.\(revision)")
    #expect(eventually { answered.withLock { $0 } == ["\(suggestion.id) accept \(revision)"] })
  }

  @Test("A later content takes the place of the notification, and its button answers that; a refusal is said")
  func changedSuggestion() throws {
    let desktop = try FakeDesktop(bus)
    defer { desktop.stop() }
    var suggestion = Suggestion(kind: "taxi", title: "Taxi", content: "{}", found: fixture.clock.now)
    let old = suggestion.revision
    func tell() throws {
      try fixture.store.write { [suggestion, now = fixture.clock.now] writer in
        try writer.save(suggestion)
        try writer.addDeliveries(of: suggestion, over: ["desktop"], at: now)
      }
    }
    try tell()
    let answered = Mutex<[String]>([])
    var loop = try deliveryLoop(answerSuggestion: { _, _, revision in
      answered.withLock { $0.append(revision) }
      return "This booking has changed since. Open it."
    })
    #expect(try loop.run() == nil)
    try tell()
    #expect(try loop.run() == nil && desktop.shown.count == 1, "the same content is told once")
    suggestion.content = #"{"a":1}"#
    try tell()
    #expect(try loop.run() == nil)
    let shown = try #require(desktop.shown.last)
    #expect(desktop.shown.count == 2 && shown[1] == .uint32(1))
    #expect(suggestion.revision != old)
    // The desktop may be slow: the button of the first content.
    desktop.act(2, "fencepost.suggestion.accept.\(old)")
    #expect(eventually { answered.withLock { $0 } == [old] })
    #expect(eventually { desktop.shown.last?[4].text == "This booking has changed since. Open it." })
  }

  @Test("An app that waits for access is asked about once, and its button is the answer")
  func access() throws {
    let desktop = try FakeDesktop(bus)
    defer { desktop.stop() }
    let app = "flatpak:org.example.Planner"
    let now = fixture.clock.now
    func save(_ level: AccessLevel, requests: Int) throws {
      try fixture.store.write { writer in
        try writer.save(AccessDecision(app: app, entity: 0, status: level.rawValue, decided: now))
        try writer.record(
          KnownApp(
            key: app, strength: "confined", claim: "Plan”ner\n", reason: "To plan.", firstUsed: now,
            lastUsed: now, requests: requests))
      }
    }
    func level() throws -> Int? {
      try fixture.store.read { try $0.accessDecision(app: app, entity: 0)?.status }
    }
    try save(.notDetermined, requests: 1)
    var loop = try deliveryLoop()
    #expect(try loop.run() == nil)
    let shown = try #require(desktop.shown.first)
    #expect(shown[3].text == "flatpak:org.example.Planner asks for access to your events.")
    #expect(
      shown[4].text
        == "It calls itself “Plan'ner ” and says: “To plan.”.\nThe system confines it.")
    #expect(
      shown[5].elements?.compactMap(\.text) == [
        "fencepost.access.full", "Full access", "fencepost.access.write-only", "Only add",
        "fencepost.access.denied", "Don't allow",
      ])
    // It asks again, and the person closes the question: it is no answer, and not shown twice.
    try save(.notDetermined, requests: 1)
    #expect(try loop.run() == nil)
    #expect(desktop.shown.count == 1)
    #expect(try level() == AccessLevel.notDetermined.rawValue)
    desktop.act(1, "fencepost.access.write-only")
    #expect(try eventually { try level() == AccessLevel.writeOnly.rawValue })
    #expect(try loop.run() == nil)
    #expect(desktop.shown.count == 1)
    // It may add, and asks for more: a question of its own, and its answer ends it.
    var more = AccessDecision(app: app, entity: 0, status: AccessLevel.writeOnly.rawValue, decided: now)
    more.wanted = AccessLevel.full.rawValue
    try fixture.store.write { try $0.save(more) }
    #expect(try loop.run() == nil)
    #expect(
      desktop.shown.last?[3].text
        == "flatpak:org.example.Planner has “Only add” for your events, and asks for “Full access”.")
    #expect(desktop.shown.count == 2)
    desktop.act(2, "fencepost.access.write-only")
    #expect(try eventually { try fixture.store.read { try $0.accessQuestions().isEmpty } })
    #expect(try fixture.store.read { try $0.accessDecisions() } == [more.answered(.writeOnly, at: now)])
  }

  @Test("A question that was answered elsewhere is closed, and its button changes nothing")
  func accessElsewhere() throws {
    let desktop = try FakeDesktop(bus)
    defer { desktop.stop() }
    let now = fixture.clock.now
    func save(_ level: AccessLevel) throws {
      try fixture.store.write {
        try $0.save(AccessDecision(app: "notes", entity: 1, status: level.rawValue, decided: now))
      }
    }
    try save(.notDetermined)
    var loop = try deliveryLoop()
    #expect(try loop.run() == nil)
    #expect(desktop.shown.count == 1)
    try save(.denied)
    desktop.act(1, "fencepost.access.full")
    #expect(try loop.run() == nil)
    #expect(
      try fixture.store.read { try $0.accessDecision(app: "notes", entity: 1)?.status }
        == AccessLevel.denied.rawValue)
  }

  /// A stand-in for the desktop's dialogs, and the environment in which they are found.
  private func dialogs(
    in directory: TemporaryDirectory, _ answer: @escaping @Sendable (DBusStandIn.Call) -> [DBusValue]?
  ) throws -> (standIn: DBusStandIn, environment: [String: String]) {
    let name = "org.freedesktop.impl.portal.desktop.example"
    try directory.write(
      """
      [portal]
      DBusName=\(name)
      Interfaces=org.freedesktop.impl.portal.Access;org.freedesktop.impl.portal.Print;
      UseIn=Example
      """, to: "example.portal")
    let standIn = try DBusStandIn(bus, name: name, path: "/org/freedesktop/portal/desktop", answer: answer)
    return (standIn, ["XDG_DESKTOP_PORTAL_DIR": directory.path(""), "XDG_CURRENT_DESKTOP": "X:Example"])
  }

  private func wait(_ app: String) throws {
    try fixture.store.write { [now = fixture.clock.now] in
      try $0.save(
        AccessDecision(app: app, entity: 0, status: AccessLevel.notDetermined.rawValue, decided: now))
    }
  }

  private func level(of app: String) throws -> AccessLevel? {
    try fixture.store.read { try $0.accessDecision(app: app, entity: 0) }
      .flatMap { AccessLevel(rawValue: $0.status) }
  }

  private static func choose(_ word: String) -> DBusValue {
    let pair = DBusValue.structure([.string("level"), .string(word)])
    return .dictionary([("choices", .array([pair], of: "(ss)"))])
  }

  @Test(
    "The desktop's dialog asks about an app, and its answer counts",
    arguments: [
      ([.uint32(0), choose("full")], AccessLevel.full), ([.uint32(0), choose("write-only")], .writeOnly),
      ([.uint32(0), .dictionary([])], .writeOnly), ([.uint32(1), .dictionary([])], .denied),
    ] as [([DBusValue], AccessLevel)])
  func dialog(reply: [DBusValue], expected: AccessLevel) throws {
    let desktop = try FakeDesktop(bus)
    defer { desktop.stop() }
    let directory = try TemporaryDirectory()
    let (dialogs, environment) = try dialogs(in: directory) { _ in reply }
    defer { dialogs.stop() }
    try wait("flatpak:org.example.Planner")
    var loop = try deliveryLoop(backends: environment)
    #expect(try loop.run() == nil)
    #expect(try eventually { try level(of: "flatpak:org.example.Planner") == expected })
    let call = try #require(dialogs.calls.first)
    #expect(call.interface == "org.freedesktop.impl.portal.Access" && call.member == "AccessDialog")
    #expect(call.arguments.map(\.signature) == ["o", "s", "s", "s", "s", "s", "a{sv}"])
    #expect(call.arguments[4].text == "flatpak:org.example.Planner asks for access to your events.")
    #expect(call.arguments[6]["deny_label"]?.text == "Don't allow")
    #expect(desktop.shown.isEmpty)
  }

  @Test(
    "A dialog that the person closes, and one that is not there, become a notification",
    arguments: [[.uint32(2), .dictionary([])], nil] as [[DBusValue]?])
  func closedDialog(reply: [DBusValue]?) throws {
    let desktop = try FakeDesktop(bus)
    defer { desktop.stop() }
    let directory = try TemporaryDirectory()
    let (dialogs, environment) = try dialogs(in: directory) { _ in reply }
    defer { dialogs.stop() }
    try wait("notes")
    var loop = try deliveryLoop(backends: environment)
    #expect(try loop.run() == nil)
    #expect(eventually { desktop.shown.count == 1 })
    #expect(try level(of: "notes") == .notDetermined)
    desktop.act(1, "fencepost.access.full")
    #expect(try eventually { try level(of: "notes") == .full })
  }

  @Test("While a dialog waits, another question is a notification; an answer elsewhere closes the dialog")
  func dialogElsewhere() throws {
    let desktop = try FakeDesktop(bus)
    defer { desktop.stop() }
    let directory = try TemporaryDirectory()
    let isReleased = DispatchSemaphore(value: 0)
    let (dialogs, environment) = try dialogs(in: directory) { call in
      if call.member == "AccessDialog" { isReleased.wait() }
      return [.uint32(0), Self.choose("full")]
    }
    defer { dialogs.stop() }
    try wait("notes")
    var loop = try deliveryLoop(backends: environment)
    #expect(try loop.run() == nil)
    #expect(eventually { !dialogs.calls.isEmpty })
    try wait("walks")
    #expect(try loop.run() == nil)
    #expect(desktop.shown.map { $0[3].text } == ["walks asks for access to your events."])
    try fixture.store.write { [now = fixture.clock.now] in
      try $0.decide(.denied, on: "notes", .events, at: now)
    }
    #expect(try loop.run() == nil)
    isReleased.signal()
    #expect(eventually { dialogs.calls.last?.member == "Close" })
    #expect(dialogs.calls.last?.path == dialogs.calls.first?.arguments[0].text)
    #expect(try level(of: "notes") == .denied)
  }

  @Test("Without a dialog in the address, a notification asks")
  func noDialog() throws {
    let desktop = try FakeDesktop(bus)
    defer { desktop.stop() }
    let directory = try TemporaryDirectory()
    let (dialogs, environment) = try dialogs(in: directory) { _ in [.uint32(1), .dictionary([])] }
    defer { dialogs.stop() }
    try wait("notes")
    var loop = try deliveryLoop("desktop?dialog=no", backends: environment)
    #expect(try loop.run() == nil)
    #expect(desktop.shown.count == 1 && dialogs.calls.isEmpty)
  }

  private func item(_ title: String) throws -> CalendarItem {
    try #require(try fixture.store.read { try $0.item(.init(rawValue: title)) })
  }

  @Test("A notification shows what, where and when, depending on the desktop's capabilities")
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

  @Test("Markup in a title is shown as text", arguments: [true, false])
  func markup(isUnderstood: Bool) throws {
    let desktop = try FakeDesktop(bus, capabilities: isUnderstood ? ["body", "body-markup"] : ["body"])
    var alarm = LiveAlarmFixture.alarm(at: 1)
    alarm.message = "<a href=\"x\">R&D</a>"
    try fixture.reminder("Milk", alarm)
    let engine = try fixture.engine(channels: ["desktop"])
    fixture.clock.advance(by: 2)
    _ = try engine.wake(at: fixture.clock.now)
    var loop = try deliveryLoop()
    _ = try loop.run()
    let arguments = try #require(desktop.shown.first)
    let line = arguments[4].text?.split(separator: "\n").first.map(String.init)
    #expect(line == (isUnderstood ? "&lt;a href=\"x\"&gt;R&amp;D&lt;/a&gt;" : "<a href=\"x\">R&D</a>"))
    #expect(arguments[5].elements == [], "a desktop without actions is given none")
  }

  @Test("Done completes the reminder")
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

  @Test("Join opens the conference of the event, also one that only CONFERENCE names")
  func join() throws {
    let desktop = try FakeDesktop(bus)
    var event = CalendarItem(
      id: .init(rawValue: "Call"), calendar: fixture.list.id, title: "Call",
      details: .event(
        EventDetails(start: CalendarTime(fixture.clock.now), end: CalendarTime(fixture.clock.now))))
    event.alarms = [LiveAlarmFixture.alarm(at: 1)]
    event.preserved.properties = ["CONFERENCE;VALUE=URI;LABEL=\"a:b\":https://call.example/1"]
    try fixture.store.write { [event] in try $0.save(event) }
    let engine = try fixture.engine(channels: ["desktop"])
    fixture.clock.advance(by: 2)
    #expect(try engine.wake(at: fixture.clock.now).count == 1)
    let opened = Mutex<[String]>([])
    let clock = fixture.clock
    var loop = DeliveryLoop(
      name: "desktop",
      channel: try channel("desktop") { address in opened.withLock { $0.append(address) } },
      store: fixture.store, resolver: fixture.resolver, clock: { clock.now })
    #expect(try loop.run() == nil)
    let actions = try #require(desktop.shown.first)[5].elements?.compactMap(\.text)
    #expect(actions?.prefix(2) == ["fencepost.join", "Join"])
    desktop.act(1, "fencepost.join")
    #expect(eventually { opened.withLock { $0 } == ["https://call.example/1"] })
    #expect(try eventually { try fixture.store.read { try $0.firings() }.first?.acknowledged != nil })
  }

  @Test("If the desktop rejects one notification, the others keep their buttons")
  func refusal() throws {
    let desktop = try FakeDesktop(bus, refused: "Bread")
    try fire("Milk")
    var loop = try deliveryLoop()
    #expect(try loop.run() == nil)
    try fixture.reminder("Bread", LiveAlarmFixture.alarm(at: 100))
    fixture.clock.set(LiveAlarmFixture.start.adding(seconds: 100))
    #expect(try fixture.engine(channels: ["desktop"]).wake(at: fixture.clock.now).count == 1)
    #expect(try loop.run() != nil)
    #expect(loop.lastError?.contains("Notify") == true)
    desktop.act(1, "fencepost.done")
    #expect(try eventually { try item("Milk").reminder?.isCompleted == true })
  }

  @Test("Snooze repeats the alarm after the snooze time, each time")
  func snooze() throws {
    let desktop = try FakeDesktop(bus)
    try fire("Milk")
    var loop = try deliveryLoop()
    let engine = try fixture.engine(channels: ["desktop"])
    for number in 1...3 {
      _ = try loop.run()
      #expect(desktop.shown.count == number)
      desktop.act(UInt32(number), "fencepost.snooze")
      let until = fixture.clock.now.adding(seconds: 300)
      #expect(try eventually { try item("Milk").alarms.contains { $0.trigger == .absolute(until) } })
      #expect(try item("Milk").alarms.count == 2)
      #expect(try engine.wake(at: fixture.clock.now).isEmpty)
      #expect(try engine.nextDue() == until)
      fixture.clock.set(until)
      #expect(try engine.wake(at: until).count == 1)
    }
  }

  @Test("Notifications can be answered after a reload, with the new settings")
  func replaced() throws {
    let desktop = try FakeDesktop(bus)
    try fire("Milk")
    var loop = try deliveryLoop()
    _ = try loop.run()
    loop.replace(try channel("desktop?snooze=1h"), resolver: fixture.resolver) { _ in nil }
    _ = try loop.run()
    desktop.act(1, "fencepost.snooze")
    let until = fixture.clock.now.adding(seconds: 3_600)
    #expect(try eventually { try item("Milk").alarms.contains { $0.trigger == .absolute(until) } })
    #expect(desktop.shown.count == 1)
  }

  @Test(
    "A dismissed notification is acknowledged, an expired one is not",
    arguments: [(2, true), (1, false), (3, false)])
  func dismissed(reason: Int, isSeen: Bool) throws {
    let desktop = try FakeDesktop(bus)
    try fire("Milk")
    try fixture.reminder("Bread", LiveAlarmFixture.alarm(at: 100))
    let engine = try fixture.engine(channels: ["desktop"])
    fixture.clock.set(LiveAlarmFixture.start.adding(seconds: 100))
    #expect(try engine.wake(at: fixture.clock.now).count == 1)
    var loop = try deliveryLoop()
    _ = try loop.run()
    desktop.close(1, reason: UInt32(reason))
    // When this has arrived, later signals have too.
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

  @Test("After a response elsewhere, the notification closes")
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

  @Test("Without a desktop the delivery is retried, and a restarted desktop is found again")
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
    try fixture.reminder("Bread", LiveAlarmFixture.alarm(at: 1_000))
    fixture.clock.set(LiveAlarmFixture.start.adding(seconds: 1_001))
    #expect(try fixture.engine(channels: ["desktop"]).wake(at: fixture.clock.now).count == 1)
    #expect(try loop.run() == nil)
    #expect(second.shown.map { $0[5].elements } == [[]], "it can't do what the first one could")
    // The numbers of the second desktop are different notifications.
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
  /// Whether a name has no owner.
  fileprivate static func isFree(_ name: String, on bus: PrivateBus) throws -> Bool {
    let connection = try DBusConnection(bus.bus)
    let answer = try connection.call(
      "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      "NameHasOwner",
      [.string(name)])
    return answer.first == .bool(false)
  }
}
