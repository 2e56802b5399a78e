import FencepostCalendarModel
import FencepostCalendarStore
import FencepostSynchronizer
import FencepostSystem
import FencepostTestSupport
import Synchronization
import Testing

@testable import FencepostDaemon

@Suite struct AccountWatchTests {
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  private let folder: TemporaryDirectory
  private let store: CalendarStore
  private let account: SyncAccount
  private let lines = Lines()
  private let now = Instant(seconds: 1_800_000_000)

  init() throws {
    folder = try TemporaryDirectory()
    let store = try CalendarStore(path: folder.path("store.sqlite"))
    self.store = store
    account = try store.write { writer in
      let source = Source(kind: .calDAV, title: "Server")
      try writer.save(source)
      var account = SyncAccount(kind: .calDAV, address: "http://127.0.0.1:9/", source: source.id)
      account.home = "http://127.0.0.1:9/"
      try writer.save(&account)
      return account
    }
  }

  private func watch(_ keeper: AccountSynchronizer) -> AccountWatch {
    AccountWatch(
      store: store, keeper: keeper, log: Log(threshold: .debug) { [lines] in lines.add("\($0) \($1)") },
      patience: 0,
      startWork: { $0() })
  }

  @Test func restsWhileAnotherProgramSynchronizes() throws {
    let path = "\(folder.path("store.sqlite")).sync-\(account.number)"
    let watch = watch(AccountSynchronizer(store: store))
    let lock = try #require(try FileLock(path: path))
    withExtendedLifetime(lock) {
      for second in 0..<60 {
        let next = watch.look(at: now.adding(seconds: Double(second)))
        // A run ends with a look at once, so the first look may say anything.
        #expect(second == 0 || next == now.adding(seconds: 60))
      }
      #expect(lines.all.count == 1)
      _ = watch.look(at: now.adding(seconds: 60))
      #expect(lines.all.count == 2)
    }
  }

  @Test func aFailureWaitsForItsNextTime() throws {
    struct Refused: Error {}
    let requests = Mutex(0)
    let keeper = AccountSynchronizer(
      store: store,
      willSend: { _, _ in
        requests.withLock { $0 += 1 }
        throw Refused()
      })
    let watch = watch(keeper)
    for second in 0..<60 { _ = watch.look(at: now.adding(seconds: Double(second))) }
    #expect(requests.withLock { $0 } == 1)
    _ = watch.look(at: now.adding(seconds: 61))
    #expect(requests.withLock { $0 } == 2)
  }
}
