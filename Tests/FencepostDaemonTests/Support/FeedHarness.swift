import CalendarModel
import Foundation
import Glibc
import Synchronization
import System

@testable import FencepostDaemon

/// What stands around a feed: who takes in its positions, and its thread.
///
/// `@unchecked Sendable`: what changes is locked.
final class FeedHarness: @unchecked Sendable {
  /// What happened so far.
  struct Record {
    var fixes: [String] = []
    var failures: [String] = []
    var hasEnded = false
  }

  let devices = DeviceRegistry()
  let board: FeedBoard
  let desk: FeedDesk
  private let mailbox: Mailbox<Arrival>
  private let stopping = Pipe()
  private let record = Mutex(Record())
  private let keeps = Mutex(true)
  private let holds = Monitor(false)
  private let lines = Lines()

  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  /// A harness for a feed of `address`.
  init(_ address: FeedAddress) throws {
    signal(SIGPIPE, SIG_IGN)
    board = FeedBoard(address.description)
    mailbox = try Mailbox(capacity: 64)
    desk = FeedDesk(
      address.description, board: board, devices: devices, mailbox: mailbox,
      log: Log { [lines] _, text in lines.add(text) })
    Thread { [weak self, mailbox] in
      while self?.collect(mailbox) == true {}
    }.start()
  }

  deinit { stop() }

  /// Readable once ``stop()`` was called.
  var stopDescriptor: Int32 { stopping.fileHandleForReading.fileDescriptor }

  /// The positions that were handed in, kept or not, as `device seconds latitude,longitude`.
  var fixes: [String] { record.withLock { $0.fixes } }

  /// What the feed said for the log.
  var log: [String] { lines.all }

  /// What the feed failed with so far.
  var failures: [String] { record.withLock { $0.failures } }

  /// Whether the feed has ended by itself.
  var hasEnded: Bool { record.withLock { $0.hasEnded } }

  /// Keeps what comes from now on, or says that it can't be kept.
  func setKeeping(_ keeping: Bool) { keeps.withLock { $0 = keeping } }

  /// Lets those wait who handed something in from now on, as a commit that takes its time does; or not any more.
  func setHolding(_ holding: Bool) { holds.update { $0 = holding } }

  /// Runs a feed on a thread of its own; where it fails, another one, as long as there are `attempts`.
  func run(attempts: Int = 1, _ make: @escaping @Sendable () throws -> any LiveFeed) {
    Thread { [weak self, desk] in
      for _ in 0..<attempts {
        do {
          try make().run(desk)
          break
        } catch {
          guard let self else { return }
          self.record.withLock { $0.failures.append("\(error)") }
          usleep(20_000)
        }
      }
      self?.record.withLock { $0.hasEnded = true }
    }.start()
  }

  /// Ends what listens to ``stopDescriptor``.
  func stop() { stopping.fileHandleForWriting.write(Data([0])) }

  /// Takes in what comes for a moment.
  private func collect(_ mailbox: Mailbox<Arrival>) -> Bool {
    guard Readiness.wait(for: mailbox.descriptor, until: .now + .milliseconds(20)) != .timedOut else {
      return true
    }
    for arrival in mailbox.drain() {
      let all = arrival.received.map { ($0.fixes, $0.names) } + [(arrival.fixes, devices.names)]
      let texts = all.flatMap { fixes, names in
        fixes.map { fix in
          "\(names[Int(fix.device.rawValue)] ?? "") \(fix.time.microseconds / 1_000_000) \(fix.coordinate)"
        }
      }
      record.withLock { $0.fixes += texts }
      holds.wait { $0 ? nil : () }
      arrival.completion?(keeps.withLock { $0 })
    }
    return true
  }
}
