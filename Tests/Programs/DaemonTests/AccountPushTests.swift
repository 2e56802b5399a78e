import FencepostChannels
import FencepostAddresses
import FencepostCalDAVServer
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostRecurrence
import FencepostSynchronizer
import FencepostSystem
import FencepostTestSupport
import FencepostWebPush
import FencepostWebServer
import Foundation
import Synchronization
import Testing

@testable import FencepostDaemon

/// A daemon that follows another one, over HTTP.
@Suite("Pushes between servers (WebDAV-Push)")
struct AccountPushTests {
  /// The part of a daemon that serves calendars and pushes their changes.
  private final class Server {
    let store: CalendarStore
    let list: ItemCalendar
    let user: String
    let password: String
    let changes: ChangePushWatch
    private let server: HTTPServer
    private let workers: HTTPWorkers
    var address: String { "http://127.0.0.1:\(server.port)/" }

    init(follower: UInt16, log: Log) throws {
      store = try CalendarStore()
      list = try store.write { try $0.defaultCalendar(for: .reminders) }
      let clients = ClientRegistry(store: store, clock: { .wallClock() })
      (user, password) = try clients.add("follower", rights: [.read, .write])
      var push = WebPushAddress()
      push.reach = PushReach(allowedHosts: ["127.0.0.1:\(follower)"])
      let account = CalDAVServer(
        store: store, clients: clients, resolver: TimeResolver(floating: TimeZoneID(rawValue: "UTC")),
        pushReach: push.reach,
        clock: { .wallClock() })
      let site = try HTTPSite(account.gate)
      server = try HTTPServer(HTTPListener(host: "127.0.0.1", port: 0), sites: [site])
      workers = try HTTPWorkers(2, for: site.queue) { account.answer($0) }
      changes = ChangePushWatch(store: store, push: push, log: log)
      try changes.start()
    }

    deinit { changes.stop() }

    func add(_ title: String) throws {
      try store.write { writer in
        try writer.save(
          CalendarItem(calendar: list.id, uid: title, title: title, details: .reminder(ReminderDetails())))
      }
      changes.wake()
    }
  }

  /// The part of a daemon that synchronizes accounts and takes pushes.
  private final class Follower {
    let directory: TemporaryDirectory
    let store: CalendarStore
    let accounts: AccountWatch
    let port: UInt16
    private let server: HTTPServer
    private let workers: HTTPWorkers

    init(log: Log) throws {
      directory = try TemporaryDirectory()
      store = try CalendarStore(path: directory.path("calendar.sqlite"))
      let accounts = AccountWatch(store: store, log: log, pace: 0.05)
      self.accounts = accounts
      let site = try HTTPSite(PushGate())
      server = try HTTPServer(HTTPListener(host: "127.0.0.1", port: 0), sites: [site])
      workers = try HTTPWorkers(1, for: site.queue) { accounts.answer($0) }
      port = server.port
      accounts.setPublicAddress("http://127.0.0.1:\(port)")
      try accounts.start()
    }

    deinit { accounts.stop() }

    var titles: [String] { get throws { try store.read { try $0.items() }.map(\.title).sorted() } }
  }

  @Test(
    "A change on a server reaches a daemon that follows it at once, and its own changes are not pushed to it")
  func follows() throws {
    let log = Log(threshold: .error) { _, _ in }
    let follower = try Follower(log: log)
    let server = try Server(follower: follower.port, log: log)
    let keeper = AccountSynchronizer(store: follower.store)
    let account = try keeper.add(server.address, user: server.user, password: server.password)
    // As the command that adds an account does.
    _ = try keeper.synchronize(account, at: .wallClock())
    follower.accounts.wake()
    func subscriptions() throws -> [ChangeSubscription] {
      try server.store.read { try $0.changeSubscriptions() }
    }
    #expect(try eventually { try !subscriptions().isEmpty })
    // The account is due again in a quarter of an hour.
    try server.add("Milk")
    #expect(try eventually { try follower.titles == ["Milk"] })
    try server.add("Bread")
    #expect(try eventually { try follower.titles == ["Bread", "Milk"] })

    // A client that has not heard of an earlier change hears of both.
    func hasHeardOfAll() throws -> Bool {
      let change = try server.store.read { try $0.lastChange() }
      return try subscriptions().contains { $0.calendar == server.list.id && $0.told == change }
    }
    #expect(try eventually { try hasHeardOfAll() })
    let source = try #require(account.source)
    let list = try #require(try follower.store.read { try $0.calendars(of: source) }.first)
    try follower.store.write { writer in
      try writer.save(
        CalendarItem(calendar: list.id, uid: "c", title: "Cheese", details: .reminder(ReminderDetails())))
    }
    follower.accounts.wake()
    #expect(try eventually { try server.store.read { try $0.items() }.count == 3 })
    #expect(try hasHeardOfAll())

    try keeper.remove(account)
    #expect(try subscriptions().isEmpty)
  }

  @Test("An account that goes while it is synchronized leaves no registration behind")
  func removesWhileItRuns() throws {
    let server = try Server(follower: 9, log: Log(threshold: .error) { _, _ in })
    let directory = try TemporaryDirectory()
    let store = try CalendarStore(path: directory.path("calendar.sqlite"))
    let keeper = AccountSynchronizer(store: store)
    let account = try keeper.add(server.address, user: server.user, password: server.password)
    let (isRegistering, isGone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let running = AccountSynchronizer(
      store: store,
      willSend: { method, _ in
        guard method == "POST" else { return }
        isRegistering.signal()
        // Only a removal that does not wait for this run ends in this time.
        _ = isGone.wait(timeout: .now() + 0.2)
      })
    let hasEnded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      var options = SyncOptions()
      options.pushes = .to("http://127.0.0.1:9")
      _ = try? running.synchronize(account, options: options, at: .wallClock())
      hasEnded.signal()
    }
    isRegistering.wait()
    try keeper.remove(account)
    isGone.signal()
    hasEnded.wait()
    #expect(try server.store.read { try $0.changeSubscriptions() }.isEmpty)
  }

  @Test("What changes here while an account is synchronized is sent then, or counts as news afterwards")
  func changesMeanwhile() throws {
    let server = try Server(follower: 9, log: Log(threshold: .error) { _, _ in })
    let directory = try TemporaryDirectory()
    let store = try CalendarStore(path: directory.path("calendar.sqlite"))
    let keeper = AccountSynchronizer(store: store)
    let account = try keeper.add(server.address, user: server.user, password: server.password)
    _ = try keeper.synchronize(account, at: .wallClock())
    let source = try #require(account.source)
    let list = try #require(try store.read { try $0.calendars(of: source) }.first)
    // Something changes here at the first request of a run, then at the second of another one, and so on.
    var moment = 0
    var wasReached = true
    while wasReached, moment < 40 {
      moment += 1
      try server.add("There \(moment)")
      let title = "Here \(moment)"
      let requests = Mutex(0)
      let running = AccountSynchronizer(
        store: store,
        willSend: { [moment] _, _ in
          let number = requests.withLock { count in
            count += 1
            return count
          }
          guard number == moment else { return }
          try store.write { writer in
            try writer.save(
              CalendarItem(
                calendar: list.id, uid: title, title: title, details: .reminder(ReminderDetails())))
          }
        })
      _ = try running.synchronize(account, at: .wallClock())
      wasReached = requests.withLock { $0 } >= moment
      guard wasReached else { break }
      func isThere() throws -> Bool {
        try server.store.read { try $0.items() }.contains { $0.title == title }
      }
      #expect(try isThere() || keeper.hasLocalChanges(account, at: .wallClock()), "request \(moment)")
      _ = try keeper.synchronize(account, at: .wallClock())
      #expect(try isThere(), "request \(moment)")
    }
    #expect(moment > 3)
  }

  @Test("The address for servers has no path, and is safe")
  func publicAddress() throws {
    func address(_ text: String) throws -> String? {
      try ServerAddress("http://127.0.0.1:8787?public=\(text)").publicAddress
    }
    #expect(try ServerAddress("http://127.0.0.1:8787").publicAddress == nil)
    #expect(try address("https://home.example.org:8443/") == "https://home.example.org:8443")
    #expect(try address("http://localhost:8787") == "http://localhost:8787")
    for text in ["http://home.example.org", "home.example.org", "https://a/b", "https://u@a", "https://", ""]
    {
      #expect(throws: AddressError.self) { try address(text) }
    }
  }

  @Test("A push that is not from an account's server changes nothing")
  func foreign() throws {
    let log = Log(threshold: .error) { _, _ in }
    let follower = try Follower(log: log)
    let server = try Server(follower: follower.port, log: log)
    let keeper = AccountSynchronizer(store: follower.store)
    let account = try keeper.add(server.address, user: server.user, password: server.password)
    follower.accounts.wake()
    #expect(try eventually { try follower.store.read { try $0.syncReceiver(of: account.number) } != nil })
    let path = try #require(try follower.store.read { try $0.syncReceiver(of: account.number) }).path
    func ask(_ method: String, _ path: String, _ body: String = "") throws -> String {
      String(try HTTPProbe.ask(follower.port, method, path, headers: [], body: body).prefix(3))
    }
    #expect(try ask("POST", "/push/\(path)", "news") == "400")
    #expect(try ask("POST", "/push/\(path)") == "400")
    #expect(try ask("POST", "/push/\(String(path.reversed()))", "news") == "404")
    #expect(try ask("POST", "/push/\(path)x", "news") == "404")
    #expect(try ask("POST", "/push/", "news") == "404")
    #expect(try ask("GET", "/push/\(path)") == "405")
    #expect(try ask("POST", "/push/\(path)", String(repeating: "x", count: 4_097)) == "413")
  }
}
