import CFencepostLinux
import FencepostCalendarModel
import FencepostSystem
import FencepostTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

@testable import FencepostLiveFeeds
@testable import FencepostWebServer

@Suite("A feed's thread")
struct FeedRunnerTests {
  private let directory: TemporaryDirectory
  private let lines = Monitor<[String]>([])
  private let mailbox: BoundedQueue<Arrival>

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    directory = try TemporaryDirectory()
    mailbox = try BoundedQueue(capacity: 64)
  }

  private func runner(_ address: String) throws -> FeedRunner {
    try FeedRunner(
      FeedAddress(address), identity: "test", devices: DeviceRegistry(), mailbox: mailbox,
      log: Log(threshold: .info) { [lines] _, text in lines.update { $0.append(text) } },
      backoff: Backoff(first: 0.01, most: 0.04))
  }

  private var logged: [String] { lines.withLock { $0 } }

  @Test("A silent file or receiver counts as open")
  func silent() throws {
    let runner = try runner("tail:\(directory.write("", to: "phone.csv"))")
    try runner.start()
    #expect(eventually { runner.status.current.state == .open })
    #expect(runner.status.current.failure == nil && logged.isEmpty)
    runner.stop()
  }

  @Test("A replaced file is read from its start, without a warning")
  func replaced() throws {
    let path = try directory.write("time,latitude,longitude\n2026-05-01T12:00:00Z,52,13\n", to: "phone.csv")
    let runner = try runner("tail:\(path)")
    try runner.start()
    #expect(eventually { runner.status.current.fixes == 1 })
    try FileManager.default.removeItem(atPath: path)
    _ = try directory.write("time,latitude,longitude\n2026-05-01T12:01:00Z,52,13\n", to: "phone.csv")
    #expect(eventually { runner.status.current.fixes == 2 })
    runner.stop()
    #expect(logged.isEmpty)
  }

  @Test("A feed that ends at once is tried less and less often, and logged once")
  func endsAtOnce() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(listener) }
    try #require(listen(listener, 8) == 0)
    let runner = try runner("gpsd://127.0.0.1:\(HTTPListener.port(of: listener))")
    try runner.start()
    for _ in 0..<6 {
      let peer = accept(listener, nil, nil)
      // Unread bytes would break the connection.
      var buffer = [UInt8](repeating: 0, count: 100)
      _ = read(peer, &buffer, buffer.count)
      close(peer)
    }
    #expect(eventually { logged.count == 1 })
    runner.stop()
    #expect(logged.first?.contains("retrying") == true)
  }
}
