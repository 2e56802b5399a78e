import CFencepostLinux
package import FencepostCalendarModel
import FencepostPositionFeeds
package import FencepostSystem
import Glibc
import Synchronization

/// An open feed. It belongs to one thread.
protocol LiveFeed: AnyObject {
  /// Delivers positions until the feed ends.
  ///
  /// - Throws: The error that ended it.
  func run(_ output: FeedOutput) throws
}

/// A feed of bytes: a file, a pipe, a receiver.
final class StreamFeed: LiveFeed {
  private let isConnected: Bool
  private let makeReader: () throws -> any PositionFeed
  private let interrupter: Int32

  /// A feed of a reader.
  ///
  /// - Parameters:
  ///   - isConnected: Whether the other end is already connected, though it may be silent for long.
  ///   - interrupter: A descriptor that becomes readable when the feed should end.
  ///   - reader: Creates the reader, which may have to wait for the first bytes.
  init(
    isConnected: Bool, interruptedBy interrupter: Int32, reader: @escaping () throws -> any PositionFeed
  ) {
    self.isConnected = isConnected
    self.interrupter = interrupter
    makeReader = reader
  }

  func run(_ output: FeedOutput) throws {
    if isConnected { output.status.begin() }
    let reader = try makeReader()
    output.status.begin()
    let before = output.status.current.rejected
    func countRejected() {
      let rejected = reader.reports.reduce(0) { $0 + $1.rejected }
      output.status.update { $0.rejected = before + rejected }
    }
    defer { countRejected() }
    var fixes: [Fix] = []
    while try reader.read(into: &fixes, limit: 1_024), Readiness.now(interrupter).isEmpty {
      output.post(fixes)
      countRejected()
    }
  }
}

/// A thread that reads a feed, and reopens it after failures.
package final class FeedRunner: Sendable {
  package let status: SharedFeedStatus
  package let address: FeedAddress
  private let output: FeedOutput
  /// The identity of this daemon, for brokers that remember it.
  private let identity: String
  /// What a feed of mails fills.
  private let inbox: MailInbox?
  private let backoff: Backoff
  /// Signalled to end the thread.
  private let interrupter: WakeUp
  private let isStopped = Atomic(false)

  package init(
    _ address: FeedAddress, identity: String, devices: DeviceRegistry, mailbox: BoundedQueue<Arrival>,
    log: Log,
    waypoints: PhoneWaypoints? = nil, inbox: MailInbox? = nil,
    backoff: Backoff = Backoff(first: 1, most: 300)
  ) throws(SystemFailure) {
    self.backoff = backoff
    self.inbox = inbox
    interrupter = try WakeUp()
    status = SharedFeedStatus(address.description)
    self.address = address
    self.identity = identity
    output = FeedOutput(
      address.description, status: status, devices: devices, mailbox: mailbox, log: log, waypoints: waypoints)
  }

  package func start() throws(SystemFailure) { try SystemThread.start("feed") { self.run() } }

  /// Ends the thread. Positions that were not delivered yet are dropped.
  package func stop() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    interrupter.signal()
  }

  private var hasStopped: Bool { isStopped.load(ordering: .sequentiallyConsistent) }

  private func run() {
    var failures = 0
    while !hasStopped {
      let began = ContinuousClock.now
      do {
        try FeedRunner.open(
          address, identity: identity, devices: output.devices, inbox: inbox,
          interruptedBy: interrupter.descriptor
        ).run(output)
        if hasStopped { return }
        guard reopensAtEnd else {
          status.update { $0.state = .ended }
          output.log(.info, "ended")
          return
        }
        // Opening a pipe waits for the next writer.
        if case .path = address { continue }
        if case .tail = address {
          output.log(.debug, "was replaced or truncated; reading it from the start")
          status.update { $0.state = .connecting }
          rest(seconds: backoff.first)
          continue
        }
        throw SystemFailure("continue reading", code: ECONNRESET)
      } catch {
        if hasStopped { return }
        // Standard input can't be reopened.
        if case .standardInput = address { return giveUp(because: "\(error)") }
        // It counts as a success if the feed opened, delivered positions or lasted for a while.
        if ContinuousClock.now - began > FeedRunner.longEnough { status.update { $0.failure = nil } }
        failures = status.current.state == .open && status.current.failure == nil ? 1 : failures + 1
        pause(for: backoff.seconds(afterFailures: failures), because: "\(error)")
      }
    }
  }

  /// A feed that was open for so long works, even if no position came.
  private static let longEnough = Duration.seconds(60)

  private func pause(for seconds: Double, because failure: String) {
    if status.current.failure != failure { output.log(.warning, "\(failure); retrying") }
    let next = Instant.wallClock().adding(seconds: seconds)
    status.update {
      $0.state = .failed
      $0.failure = failure
      $0.nextAttempt = next
    }
    rest(seconds: seconds)
    status.update { $0.state = .connecting }
  }

  /// Waits, unless it is stopped.
  private func rest(seconds: Double) {
    _ = Readiness.wait(for: interrupter.descriptor, until: .now + .seconds(seconds))
  }

  private func giveUp(because failure: String) {
    output.log(.warning, failure)
    status.update {
      $0.state = .failed
      $0.failure = failure
    }
  }

  /// Opens the feed of `address`. It ends when `interrupter` is readable.
  static func open(
    _ address: FeedAddress, identity: String, devices: DeviceRegistry, inbox: MailInbox? = nil,
    interruptedBy interrupter: Int32
  ) throws -> any LiveFeed {
    func file(_ path: String) -> StreamFeed {
      StreamFeed(isConnected: false, interruptedBy: interrupter) {
        let reader = try TraceReader(path: path, devices: devices, interruptedBy: interrupter)
        return reader.isFile ? SortedFeed(reader) : reader
      }
    }
    func stream(_ descriptor: Int32, device: String) -> StreamFeed {
      StreamFeed(isConnected: true, interruptedBy: interrupter) {
        try TraceReader(
          fileDescriptor: descriptor, closesDescriptor: true, name: address.description, devices: devices,
          device: device, interruptedBy: interrupter)
      }
    }
    func mails() throws(SystemFailure) -> MailInbox {
      guard let inbox else { throw SystemFailure("read mails", reason: "there is no store for them") }
      return inbox
    }
    switch address {
    case .standardInput: return file("-")
    case .path(let path): return file(path)
    case .tail(let path):
      return try stream(GrowingFile.open(path), device: TraceReader.defaultDeviceName(forPath: path))
    case .serial(let path, let baud): return try stream(SerialLine.open(path, baud: baud), device: "receiver")
    case .gpsd(let host, let port):
      let greeting = "?WATCH={\"enable\":true,\"json\":true};\n"
      return try stream(
        Connection.open(host: host, port: port, greeting: greeting, interruptedBy: interrupter),
        device: "gpsd")
    case .geoclue(let desktopID): return GeoClueFeed(desktopID: desktopID, interruptedBy: interrupter)
    case .http(let address): return HTTPFeed(address, interruptedBy: interrupter)
    case .maildir(let path): return MaildirFeed(path, inbox: try mails(), interruptedBy: interrupter)
    case .imap(let address): return IMAPFeed(address, inbox: try mails(), interruptedBy: interrupter)
    case .mqtt(let address):
      return MQTTFeed(address, identity: identity, interruptedBy: interrupter)
    }
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
