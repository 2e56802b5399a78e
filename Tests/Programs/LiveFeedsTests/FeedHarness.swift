import FencepostCalendarModel
import FencepostSystem
import Foundation
import Glibc
import Synchronization

@testable import FencepostLiveFeeds

/// The environment of a feed: a receiver of its positions, and its thread.
///
/// `@unchecked Sendable`: mutable state is locked.
final class FeedHarness: @unchecked Sendable {
  /// The events so far.
  struct Record {
    var fixes: [String] = []
    var failures: [String] = []
    var hasEnded = false
  }

  let devices = DeviceRegistry()
  let status: SharedFeedStatus
  let output: FeedOutput
  private let mailbox: BoundedQueue<Arrival>
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
    status = SharedFeedStatus(address.description)
    mailbox = try BoundedQueue(capacity: 64)
    var output = FeedOutput(
      address.description, status: status, devices: devices, mailbox: mailbox,
      log: Log { [lines] _, text in lines.add(text) })
    // Only the test decides when deliveries may fail.
    output.timeout = 600
    self.output = output
    Thread { [weak self, mailbox] in
      while self?.collect(mailbox) == true {}
    }.start()
  }

  deinit { stop() }

  /// Readable after ``stop()``.
  var stopDescriptor: Int32 { stopping.fileHandleForReading.fileDescriptor }

  /// The delivered positions, stored or not, as `device seconds latitude,longitude`.
  var fixes: [String] { record.withLock { $0.fixes } }

  /// The log of the feed.
  var log: [String] { lines.all }

  /// The failures of the feed so far.
  var failures: [String] { record.withLock { $0.failures } }

  /// Whether the feed has ended by itself.
  var hasEnded: Bool { record.withLock { $0.hasEnded } }

  /// Sets whether positions can be stored from now on.
  func setKeeping(_ keeping: Bool) { keeps.withLock { $0 = keeping } }

  /// Sets whether deliveries wait from now on, as during a slow commit.
  func setHolding(_ holding: Bool) { holds.update { $0 = holding } }

  /// Runs a feed on a separate thread. After a failure it runs another one, up to `attempts`.
  func run(attempts: Int = 1, _ make: @escaping @Sendable () throws -> any LiveFeed) {
    Thread { [weak self, output] in
      for _ in 0..<attempts {
        do {
          try make().run(output)
          break
        } catch {
          guard let self else { return }
          self.record.withLock { $0.failures.append("\(error)") }
          _ = Readiness.wait(for: self.stopDescriptor, until: .now + .milliseconds(20))
        }
      }
      self?.record.withLock { $0.hasEnded = true }
    }.start()
  }

  /// Makes ``stopDescriptor`` readable.
  func stop() { stopping.fileHandleForWriting.write(Data([0])) }

  /// Receives positions for a moment.
  private func collect(_ mailbox: BoundedQueue<Arrival>) -> Bool {
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
