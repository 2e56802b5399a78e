import FencepostAlarmEngine
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostSystem
import FencepostTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

@testable import FencepostChannels

@Suite("Programs for firings")
struct CommandChannelTests {
  let fixture: LiveAlarmFixture

  init() throws {
    fixture = try LiveAlarmFixture()
    try fixture.reminder("Milk; $(rm -rf /)", LiveAlarmFixture.alarm(at: 1))
    let engine = try fixture.engine(channels: ["exec"])
    fixture.clock.advance(by: 10)
    #expect(try engine.wake(at: fixture.clock.now).count == 1)
  }

  /// Runs a script for the firing; returns the failure, and whether it will be retried.
  private func run(_ script: String, timeout: Double = 30) throws -> (failure: String?, isAgain: Bool) {
    let channel = CommandChannel(path: "/bin/sh", arguments: ["-c", script], timeout: timeout)
    let clock = fixture.clock
    var givenUp: String?
    var loop = DeliveryLoop(
      name: "exec", channel: channel, store: fixture.store, resolver: fixture.resolver,
      clock: { clock.now }, log: { givenUp = $0 })
    let next = try loop.run()
    return (loop.lastError ?? givenUp, next != nil)
  }

  @Test("A program reads the firing from its standard input, without a shell")
  func input() throws {
    let path = fixture.directory.path("firing.json")
    let result = try run("cat > '\(path)'")
    #expect(result.failure == nil && !result.isAgain)
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
    let item = (object as? [String: Any])?["item"] as? [String: Any]
    #expect(item?["title"] as? String == "Milk; $(rm -rf /)")
  }

  @Test("With a template, a program reads a title and a body")
  func template() throws {
    let path = fixture.directory.path("texts")
    guard case .command(let address) = try ChannelAddress("exec:/x?title={title}&body={kind} in {list}")
    else {
      return
    }
    let template = try #require(address.template)
    let channel = CommandChannel(
      path: "/bin/sh", arguments: ["-c", "cat > '\(path)'"],
      template: (template, NoticeWords(resolver: fixture.resolver)))
    let clock = fixture.clock
    var loop = DeliveryLoop(
      name: "exec", channel: channel, store: fixture.store, resolver: fixture.resolver, clock: { clock.now })
    #expect(try loop.run() == nil && loop.lastError == nil)
    #expect(
      try String(contentsOfFile: path, encoding: .utf8) == "Milk; $(rm -rf /)\nabsolute in Reminders\n")
  }

  @Test("A program that hangs ends when its channel is abandoned, with the programs that it started")
  func abandoned() throws {
    let path = fixture.directory.path("child")
    let script = "sleep 1000 & echo $! > '\(path).new'; mv '\(path).new' '\(path)'; wait"
    let channel = CommandChannel(path: "/bin/sh", arguments: ["-c", script], timeout: 600)
    let (clock, store, resolver) = (fixture.clock, fixture.store, fixture.resolver)
    let failure = Promise<String?>()
    nonisolated(unsafe) let delivering = channel
    try SystemThread.start("test") {
      var loop = DeliveryLoop(
        name: "exec", channel: delivering, store: store, resolver: resolver, clock: { clock.now })
      _ = try? loop.run()
      failure.fulfill(loop.lastError)
    }
    #expect(eventually { FileManager.default.fileExists(atPath: path) })
    let child = try #require(Int32(try String(contentsOfFile: path, encoding: .utf8).dropLast()))
    channel.abandon()
    #expect(failure.wait(seconds: 30) == "was killed by signal 9")
    // It may be a zombie of nobody, but it does not sleep on.
    #expect(
      eventually {
        let status = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
        return status.map { $0.contains(") Z ") || $0.contains(") X ") } ?? true
      })
  }

  @Test("A slow program that reads nothing still succeeds within the timeout")
  func deaf() throws {
    let result = try run("sleep 0.1", timeout: 0.9)
    #expect(result.failure == nil && !result.isAgain)
  }

  @Test("A program starts with no signal blocked or ignored")
  func signals() throws {
    let path = fixture.directory.path("status")
    signal(SIGPIPE, SIG_IGN)
    #expect(try run("grep -E '^Sig(Blk|Ign)' /proc/self/status > '\(path)'").failure == nil)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    // SIGPIPE is signal 13.
    let masks = lines.compactMap { $0.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } }
    #expect(masks.count == 2)
    #expect(masks.first == 0)
    #expect(masks.last.map { $0 & 0x1000 } == 0)
  }

  @Test("A program inherits only the three standard descriptors")
  func descriptors() throws {
    let path = fixture.directory.path("descriptors")
    // Like the sockets of libmosquitto.
    let inherited = fcntl(0, F_DUPFD, 300)
    defer { close(inherited) }
    try #require(inherited >= 300)
    #expect(try run("ls /proc/$$/fd > '\(path)'; true").failure == nil)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.compactMap { Int($0) }.filter { $0 < 10 || $0 >= 300 }.sorted() == [0, 1, 2])
  }

  @Test("A signal to the waiting thread does not end the program")
  func signalled() throws {
    let program = Mutex<pthread_t?>(nil)
    let status = Mutex<Result<ChildProgram.Ending, SystemFailure>?>(nil)
    let isOver = Monitor(false)
    signal(SIGUSR2) { _ in }
    try SystemThread.start("program") {
      program.withLock { $0 = pthread_self() }
      let child = ChildProgram(path: "/bin/sleep", arguments: ["0.5"])
      let result = Result { () throws(SystemFailure) in try child.run(input: [], timeout: 20) }
      status.withLock { $0 = result }
      // The thread must exist as long as it may be signalled.
      isOver.wait { $0 ? () : nil }
    }
    defer { isOver.update { $0 = true } }
    #expect(
      eventually {
        guard status.withLock({ $0 == nil }) else { return true }
        if let thread = program.withLock({ $0 }) { pthread_kill(thread, SIGUSR2) }
        return false
      })
    #expect(status.withLock { $0 } == .success(.exited(0)))
  }

  @Test("After a failure or a timeout the delivery is retried; after a rejection it is not")
  func failures() throws {
    let failed = try run("exit 3")
    #expect(failed.failure?.contains("exit status 3") == true && failed.isAgain)
    fixture.clock.advance(by: 10_000)
    let hung = try run("sleep 60", timeout: 0.2)
    #expect(hung.failure?.contains("timed out") == true && hung.isAgain)
    fixture.clock.advance(by: 10_000)
    let refused = try run("exit 65")
    #expect(refused.failure != nil && !refused.isAgain)
  }
}
