import CLinux
import CalendarModel
import Foundation
import Glibc
import PositionFeeds
import Synchronization

/// Positions that arrived, and whom to tell that they are kept.
struct Arrival: Sendable {
  var fixes: [Fix]
  /// Called with whether they are kept; `nil` where nobody waits for that.
  var completion: (@Sendable (Bool) -> Void)?
}

/// How a feed is doing.
struct FeedStatus: Sendable {
  enum State: String, Sendable { case connecting, open, failed, ended }

  var address: String
  var state = State.connecting
  /// Positions that came.
  var fixes = 0
  /// When the last of them came.
  var lastArrival: Instant?
  /// Records that were no positions.
  var rejected = 0
  /// What went wrong last, and when the next attempt is.
  var failure: String?
  var nextAttempt: Instant?
}

/// A feed's status, which the feed writes and whoever asks reads.
final class FeedBoard: Sendable {
  private let board: Mutex<FeedStatus>

  init(_ address: FeedAddress) { board = Mutex(FeedStatus(address: address.description)) }

  /// What it says now.
  var status: FeedStatus { board.withLock { $0 } }

  func update(_ change: (inout FeedStatus) -> Void) { board.withLock { change(&$0) } }

  /// Notes that positions came.
  func count(_ fixes: Int) {
    update {
      $0.state = .open
      $0.fixes += fixes
      $0.lastArrival = .wallClock()
      $0.failure = nil
      $0.nextAttempt = nil
    }
  }
}

/// A thread that reads a feed, and opens it again, after a while, when it fails.
final class FeedRunner: Sendable {
  let board: FeedBoard
  let address: FeedAddress
  private let devices: DeviceRegistry
  private let mailbox: Mailbox<Arrival>
  private let log: Log
  private let backoff = Backoff(first: 1, most: 300)
  /// Ready for reading once it is to end.
  private let interrupter: Int32
  private let isStopped = Atomic(false)

  init(_ address: FeedAddress, devices: DeviceRegistry, mailbox: Mailbox<Arrival>, log: Log) {
    interrupter = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    board = FeedBoard(address)
    self.address = address
    self.devices = devices
    self.mailbox = mailbox
    self.log = log
  }

  deinit { close(interrupter) }

  func start() {
    let thread = Thread { self.run() }
    thread.name = "feed"
    thread.start()
  }

  /// Ends it: what it has not handed over yet does not arrive any more.
  func stop() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    var one: UInt64 = 1
    _ = write(interrupter, &one, 8)
  }

  private var hasStopped: Bool { isStopped.load(ordering: .sequentiallyConsistent) }

  private func run() {
    var failures = 0
    while !hasStopped {
      do {
        if try readToEnd() { failures = 0 }
        guard reopensAtEnd else {
          board.update { $0.state = .ended }
          log(.info, "\(address): ended")
          return
        }
        // A pipe whose writer went waits for the next one when it is opened.
        if case .path = address { continue }
        throw SystemFailure("read on", code: ECONNRESET)
      } catch {
        if hasStopped { return }
        // What it had read counts as a success.
        failures = board.status.state == .open ? 1 : failures + 1
        pause(for: backoff.seconds(afterFailures: failures), because: "\(error)")
      }
    }
  }

  private func pause(for seconds: Double, because failure: String) {
    if board.status.failure != failure { log(.warning, "\(address): \(failure); trying again") }
    let next = Instant.wallClock().adding(seconds: seconds)
    board.update {
      $0.state = .failed
      $0.failure = failure
      $0.nextAttempt = next
    }
    var waiting = pollfd(fd: interrupter, events: Int16(POLLIN), revents: 0)
    poll(&waiting, 1, Int32(clamping: Int(seconds * 1_000)))
    board.update { $0.state = .connecting }
  }

  /// Reads until the feed ends. True where it gave a position.
  private func readToEnd() throws -> Bool {
    let feed = try open()
    var fixes: [Fix] = []
    var isAny = false
    let before = board.status.rejected
    while try feed.read(into: &fixes, limit: 1_024), !hasStopped {
      isAny = true
      mailbox.post(Arrival(fixes: fixes))
      board.count(fixes.count)
      board.update { $0.rejected = before + feed.reports.reduce(0) { $0 + $1.rejected } }
    }
    board.update { $0.rejected = before + feed.reports.reduce(0) { $0 + $1.rejected } }
    return isAny
  }

  private func open() throws -> any PositionFeed {
    switch address {
    case .standardInput: return try TraceReader(path: "-", devices: devices, interruptedBy: interrupter)
    case .path(let path): return try TraceReader(path: path, devices: devices, interruptedBy: interrupter)
    case .tail(let path):
      return try reader(GrowingFile.open(path), device: TraceReader.defaultDeviceName(forPath: path))
    case .serial(let path, let baud): return try reader(SerialLine.open(path, baud: baud), device: "receiver")
    case .gpsd(let host, let port):
      return try reader(
        Connection.open(host: host, port: port, greeting: "?WATCH={\"enable\":true,\"json\":true};\n"),
        device: "gpsd")
    case .http, .mqtt: throw SystemFailure("read this feed", code: EINVAL)
    }
  }

  private func reader(_ descriptor: Int32, device: String) throws -> TraceReader {
    try TraceReader(
      fileDescriptor: descriptor, closesDescriptor: true, name: address.description, devices: devices,
      device: device, interruptedBy: interrupter)
  }

  private var reopensAtEnd: Bool {
    switch address {
    case .standardInput: return false
    case .path(let path):
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    default: return true
    }
  }
}
