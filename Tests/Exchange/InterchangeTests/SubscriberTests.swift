import FencepostCalendarModel
import FencepostCalendarStore
import FencepostTestSupport
import Foundation
import Synchronization
import Testing

@testable import FencepostInterchange

@Suite struct SubscriberTests {
  private static let now = Instant(seconds: 1_777_000_000)
  private static let file = calendar("X-WR-CALNAME:Holidays", todo("a", "A"), todo("b", "B"))

  /// A subscriber with a limit of one megabyte.
  private func subscriber(
    _ store: CalendarStore, limit: Int = 1 << 20, timeout: Double = 30
  ) -> Subscriber {
    var fetch = Fetch()
    fetch.limit = limit
    fetch.timeout = timeout
    return Subscriber(store: store, fetch: fetch)
  }

  private func titles(_ store: CalendarStore) throws -> [String] {
    try store.read { try $0.items() }.map(\.title).sorted()
  }

  /// Refreshes the only subscription, some hours later.
  private func refresh(
    _ store: CalendarStore, timeout: Double = 30
  ) throws -> Subscriber.Outcome {
    let subscription = try #require(try store.read { try $0.subscriptions() }.first)
    let now = Self.now.adding(seconds: 9_000)
    return try subscriber(store, timeout: timeout).refresh(subscription, at: now)
  }

  @Test("a subscription is read-only and has the content; a refresh is conditional")
  func subscribing() throws {
    let server = try LoopbackServer { request in
      request.headers["if-none-match"] == "\"v1\""
        ? LoopbackServer.Response(status: 304)
        : .text(Self.file, ["ETag": "\"v1\"", "Last-Modified": "Fri, 01 May 2026 00:00:00 GMT"])
    }
    let store = try CalendarStore()
    let address = try SubscriptionAddress(server.address("/h.ics"))
    let (made, counts, _) = try subscriber(store).subscribe(to: address, at: Self.now)
    #expect(text(counts) == "2 added")
    #expect(made.title == "Holidays" && made.kind == .subscription)
    #expect(made.isSubscribed && !made.allowsContentModifications)
    let last = try store.read { try $0.lastChange() }
    guard case .unchanged = try refresh(store) else {
      Issue.record("not unchanged")
      return
    }
    #expect(try store.read { try $0.lastChange() } == last)
    #expect(server.requests.map(\.method) == ["GET", "GET"])
    #expect(server.requests[1].headers["if-none-match"] == "\"v1\"")
    #expect(server.requests[1].headers["if-modified-since"] == "Fri, 01 May 2026 00:00:00 GMT")
    let subscription = try #require(try store.read { try $0.subscriptions() }.first)
    #expect(subscription.next == Self.now.adding(seconds: 9_000 + 3_600))
    #expect(throws: InterchangeError.self) {
      _ = try subscriber(store).subscribe(to: address, at: Self.now)
    }
    // Removing the calendar removes the subscription.
    try store.write { _ = try $0.remove(made.id) }
    #expect(try store.read { try $0.subscriptions() }.isEmpty)
  }

  @Test(
    "a server's Retry-After is respected, for a day at most",
    arguments: [(0, 60), (10, 60), (900, 900), (1_000_000, 86_400)])
  func retryAfter(seconds: Int, waited: Int) throws {
    let isBusy = Mutex(false)
    let server = try LoopbackServer { _ in
      guard isBusy.withLock({ $0 }) else { return .text(Self.file) }
      return LoopbackServer.Response(status: 503, headers: ["Retry-After": "\(seconds)"])
    }
    let store = try CalendarStore()
    let address = try SubscriptionAddress(server.address("/h.ics"))
    _ = try subscriber(store).subscribe(to: address, at: Self.now)
    isBusy.withLock { $0 = true }
    guard case .failed(let reason) = try refresh(store) else {
      Issue.record("not failed")
      return
    }
    #expect(reason.hasSuffix("the server answered 503"))
    let next = try store.read { try $0.subscriptions() }.map(\.next).min()
    #expect(next == Self.now.adding(seconds: 9_000 + Double(waited)))
  }

  @Test("a clock that is set back does not delay refreshes")
  func clockSetBack() throws {
    let server = try LoopbackServer { _ in .text(Self.file) }
    let store = try CalendarStore()
    let subscriber = subscriber(store)
    _ = try subscriber.subscribe(to: try SubscriptionAddress(server.address("/h.ics")), at: Self.now)
    #expect(try subscriber.due(at: Self.now).due.isEmpty)
    let earlier = Self.now.adding(seconds: -86_400)
    let due = try subscriber.due(at: earlier).due
    #expect(due.count == 1)
    for subscription in due { _ = try subscriber.refresh(subscription, at: earlier) }
    #expect(try subscriber.due(at: earlier).due.isEmpty)
  }

  @Test("items that the server removed are removed here, and the others stay")
  func merging() throws {
    let text = Mutex(Self.file)
    let server = try LoopbackServer { _ in .text(text.withLock { $0 }) }
    let store = try CalendarStore()
    _ = try subscriber(store).subscribe(
      to: try SubscriptionAddress(server.address("/h.ics")), at: Self.now)
    text.withLock { $0 = calendar(todo("b", "B"), todo("c", "C")) }
    guard case .merged(let counts) = try refresh(store) else {
      Issue.record("not merged")
      return
    }
    #expect(FencepostInterchangeTests.text(counts) == "1 added, 1 unchanged, 1 removed")
    #expect(try titles(store) == ["B", "C"])
  }

  /// A bad response, and part of its error message.
  struct Failure: Sendable, CustomTestStringConvertible {
    var response: @Sendable () -> LoopbackServer.Response
    var message: String
    var timeout = 30.0
    var testDescription: String { message }
  }

  private static let failures = [
    Failure(response: { .init(status: 404) }, message: "not found"),
    Failure(response: { .init(status: 401) }, message: "requires a user name and a password"),
    Failure(response: { .init(status: 500) }, message: "the server answered 500"),
    Failure(response: { .init(status: 204) }, message: "the server answered 204"),
    Failure(response: { .text("<html>Moved</html>") }, message: "is not an iCalendar file"),
    Failure(response: { .text("") }, message: "is empty"),
    Failure(response: { .text(String(file.dropLast(15))) }, message: "cut off"),
    Failure(
      response: {
        var response = LoopbackServer.Response.text(file)
        response.saidLength = 100_000
        return response
      }, message: "the connection was lost"),
    Failure(
      response: { .init(body: Array("X:1\n".utf8), times: 1_000_000) },
      message: "is larger than the limit of 1 MB"),
    Failure(response: { .init(delay: 3) }, message: "timed out", timeout: 1),
    Failure(response: { .init(status: 302, headers: ["Location": "/again"]) }, message: "redirected"),
    Failure(
      response: { .init(status: 302, headers: ["Location": "file:///etc/passwd"]) }, message: "redirected"),
  ]

  @Test("a failed refresh keeps the content", arguments: failures.indices)
  func failing(index: Int) throws {
    let failure = Self.failures[index]
    let isBroken = Atomic(false)
    let server = try LoopbackServer { _ in
      isBroken.load(ordering: .relaxed) ? failure.response() : .text(Self.file)
    }
    let store = try CalendarStore()
    _ = try subscriber(store).subscribe(
      to: try SubscriptionAddress(server.address("/h.ics")), at: Self.now)
    isBroken.store(true, ordering: .relaxed)
    guard case .failed(let reason) = try refresh(store, timeout: failure.timeout) else {
      Issue.record("did not fail")
      return
    }
    #expect(reason.contains(failure.message), "\(reason)")
    #expect(reason.contains("/h.ics"), "\(reason)")
    #expect(try titles(store) == ["A", "B"])
    let subscription = try #require(try store.read { try $0.subscriptions() }.first)
    #expect(subscription.failures == 1)
    #expect(subscription.succeeded == Self.now)
    #expect(subscription.next == Self.now.adding(seconds: 9_000 + 60))
    isBroken.store(false, ordering: .relaxed)
    guard case .unchanged = try refresh(store) else {
      Issue.record("did not recover")
      return
    }
    #expect(try store.read { try $0.subscriptions() }.first?.failures == 0)
  }

  @Test("with an unreachable server, nothing is created")
  func unreachable() throws {
    let server = try LoopbackServer { _ in .init(status: 404) }
    let store = try CalendarStore()
    for address in [server.address("/x"), "http://127.0.0.1:1/x", "/nowhere/at/all.ics"] {
      #expect(throws: InterchangeError.self) {
        _ = try subscriber(store).subscribe(to: try SubscriptionAddress(address), at: Self.now)
      }
    }
    #expect(try store.read { try $0.calendars() }.isEmpty)
  }

  @Test("redirections are followed, and compressed responses decompressed")
  func transport() throws {
    let server = try LoopbackServer { request in
      switch request.path {
      case "/a": .init(status: 301, headers: ["Location": "/b"])
      case "/b": .init(status: 307, headers: ["Location": "/c"])
      default: .init(headers: ["Content-Encoding": "gzip"], body: Self.packed)
      }
    }
    let store = try CalendarStore()
    let address = try SubscriptionAddress(
      server.address("/a").replacing("http://", with: "http://ada:love%20lace@"))
    #expect(address.description == server.address("/a").replacing("http://", with: "http://ada:…@"))
    let (made, _, _) = try subscriber(store).subscribe(to: address, at: Self.now)
    #expect(made.title == "Packed")
    #expect(try titles(store) == ["Packed"])
    #expect(server.requests.map(\.path) == ["/a", "/b", "/c"])
    #expect(server.requests[0].headers["authorization"] == "Basic YWRhOmxvdmUgbGFjZQ==")
  }

  @Test("a small response that decompresses to a large one is an error")
  func bomb() throws {
    let server = try LoopbackServer { _ in .init(headers: ["Content-Encoding": "gzip"], body: Self.packed) }
    #expect(throws: InterchangeError.self) {
      _ = try subscriber(try CalendarStore(), limit: 50).subscribe(
        to: try SubscriptionAddress(server.address("/h.ics")), at: Self.now)
    }
  }

  @Test(
    "the refresh interval comes from the user or the calendar, within limits",
    arguments: [
      ("X-A:1", nil, 3_600), ("REFRESH-INTERVAL;VALUE=DURATION:PT6H", nil, 21_600),
      ("X-PUBLISHED-TTL:PT15M", nil, 900), ("X-PUBLISHED-TTL:PT1S", nil, 300),
      ("X-PUBLISHED-TTL:P9999W", nil, 30 * 86_400), ("X-PUBLISHED-TTL:often", nil, 3_600),
      ("REFRESH-INTERVAL;VALUE=DURATION:PT6H", 120, 120),
    ] as [(String, Int?, Int)])
  func intervals(line: String, interval: Int?, seconds: Int) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(calendar(line, todo("a", "A")), to: "c.ics")
    let store = try CalendarStore()
    _ = try subscriber(store).subscribe(
      to: try SubscriptionAddress(path), interval: interval, at: Self.now)
    #expect(
      try store.read { try $0.subscriptions() }.map(\.next).min() == Self.now.adding(seconds: Double(seconds))
    )
  }

  @Test("due subscriptions of files are refreshed, and the others are not")
  func due() throws {
    let directory = try TemporaryDirectory()
    let store = try CalendarStore()
    for name in ["one", "two"] {
      let path = try directory.write(calendar(todo(name, name)), to: "\(name) ü.ics")
      _ = try subscriber(store).subscribe(
        to: try SubscriptionAddress(path), interval: name == "one" ? 600 : 7_200, at: Self.now)
    }
    #expect(try store.read { try $0.calendars() }.map(\.title) == ["one ü", "two ü"])
    #expect(try subscriber(store).due(at: Self.now).due.isEmpty)
    #expect(try subscriber(store).due(at: Self.now).next == Self.now.adding(seconds: 600))
    _ = try directory.write(calendar(todo("one", "other")), to: "one ü.ics")
    let later = Self.now.adding(seconds: 700)
    let (due, next) = try subscriber(store).due(at: later)
    #expect(due.count == 1 && next == Self.now.adding(seconds: 7_200))
    #expect(RefreshPool(subscriber(store)).refresh(due, at: later).count == 1)
    #expect(try titles(store) == ["other", "two"])
  }

  @Test(
    "valid addresses",
    arguments: [
      ("webcal://example.org/a.ics", "https://example.org/a.ics"),
      ("WEBCAL://example.org/a%20b.ics?x=1&y=2", "https://example.org/a%20b.ics?x=1&y=2"),
      ("http://example.org:8080/", "http://example.org:8080/"), ("a b.ics", "file:///home/ada/a%20b.ics"),
      ("../c.ics", "file:///home/c.ics"), ("/x/y.ics", "file:///x/y.ics"),
    ])
  func addresses(text: String, url: String) throws {
    #expect(try SubscriptionAddress(text, directory: "/home/ada").text == url)
  }

  @Test("invalid addresses", arguments: ["ftp://example.org/a.ics", "https://", "http:// x/", "://"])
  func wrongAddresses(text: String) {
    #expect(throws: InterchangeError.self) { _ = try SubscriptionAddress(text) }
  }

  /// A calendar called "Packed", compressed with gzip.
  private static let packed: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x73, 0x72, 0x75, 0xF7, 0xF4, 0xB3,
    0x0A, 0x73, 0x76, 0xF4, 0x71, 0xF5, 0x73, 0x71, 0x0C, 0xE2, 0x0A, 0x73, 0x0D, 0x0A, 0xF6, 0xF4,
    0xF7, 0xB3, 0x32, 0xD2, 0x33, 0xE0, 0x8A, 0xD0, 0x0D, 0x0F, 0xD2, 0x05, 0xCA, 0xF8, 0x39, 0xFA,
    0xBA, 0x5A, 0x05, 0x24, 0x26, 0x67, 0xA7, 0xA6, 0x70, 0x39, 0x41, 0xD4, 0x87, 0xF8, 0xBB, 0xF8,
    0x73, 0x85, 0x7A, 0xBA, 0x58, 0x15, 0x70, 0x05, 0x87, 0xFA, 0xFA, 0x3A, 0x06, 0x45, 0xC2, 0x14,
    0x00, 0x8D, 0x81, 0x4A, 0x83, 0x59, 0x70, 0x83, 0x01, 0xCA, 0x1E, 0x48, 0xA8, 0x69, 0x00, 0x00,
    0x00,
  ]
}
