import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing
package import FencepostJetStream
import FencepostRecurrence
package import FencepostSystem
import FoundationEssentials

/// Judges the positions of partitions: reads the log, writes each partition's store, and sends firings.
///
/// It runs on one thread. Start one for each core.
package final class FleetWorker {
  /// How a worker runs.
  package struct Settings {
    /// The server with the log.
    package var address: NATSAddress
    /// The partitions that it may have.
    package var partitions: [Int]
    /// The folder of the partitions' stores.
    package var folder: String
    /// How to judge.
    package var judgement: FleetJudgement
    /// The limits of streams that it creates.
    package var limits = FleetLimits()
    /// The seconds between two snapshots of a partition that has changed.
    package var snapshotSeconds = 60.0

    /// Settings.
    package init(address: NATSAddress, partitions: [Int], folder: String, judgement: FleetJudgement) {
      self.address = address
      self.partitions = partitions
      self.folder = folder
      self.judgement = judgement
    }
  }

  /// What a worker has done.
  package struct Counts: Equatable {
    /// Positions that were judged.
    package var positions = 0
    /// Firings that were sent.
    package var firings = 0
    /// Messages that could not be read.
    package var unreadable = 0
  }

  private let settings: Settings
  private let log: Log
  private let name = "worker-" + UUID().uuidString.lowercased()
  /// The totals so far.
  package private(set) var counts = Counts()

  /// The messages of a partition that are under way at most.
  private static let window = 512
  /// The most messages that are judged before firings are sent.
  private static let batch = 16_384

  /// A worker.
  package init(_ settings: Settings, log: Log) {
    self.settings = settings
    self.log = log
  }

  /// Works until `interrupter` is readable. Then its partitions are free at once.
  ///
  /// - Throws: If the folder can't be used. It waits for a server that can't be reached.
  package func run(until interrupter: Int32) throws {
    try FileManager.default.createDirectory(
      atPath: settings.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var (failures, shown) = (0, "")
    while Readiness.now(interrupter).isEmpty {
      let began = ContinuousClock.now
      do {
        let session = try Session(self)
        log(.info, "reads the log at \(settings.address)")
        shown = ""
        return try session.run(until: interrupter)
      } catch {
        if ContinuousClock.now - began > .seconds(30) { failures = 0 }
        failures += 1
        if "\(error)" != shown { log(.warning, "\(error); retrying") }
        shown = "\(error)"
        let pause = min(10_000, 250 << min(failures, 6))
        _ = Readiness.wait(for: interrupter, until: .now + .milliseconds(pause))
      }
    }
  }

  /// A partition with its delivery by the server.
  private final class Lease {
    let partition: Partition
    /// The consumer that delivers its messages.
    var consumer = ""
    /// The number of the last message in the order of its consumer.
    var delivered = 0
    var heard = ContinuousClock.now
    var snapshotSequence: Int
    var snapshotTime = ContinuousClock.now
    /// The place at which a tick was asked for.
    var ticked: LogPlace?

    init(_ partition: Partition, snapshot: Int) {
      self.partition = partition
      snapshotSequence = snapshot
    }
  }

  /// Work over one connection.
  private final class Session {
    private let worker: FleetWorker
    private let stream: JetStream
    private let inbox = NATSConnection.inbox()
    private let subscription: NATSSubscription
    private let outbox: Outbox
    private var leases: PartitionLeases
    private var held: [Int: Lease] = [:]
    private var fences: (number: Int, store: CalendarStore)?
    /// Partitions with firings that may wait.
    private var touched: Set<Int> = []

    private var settings: Settings { worker.settings }

    init(_ worker: FleetWorker) throws {
      self.worker = worker
      let connection = try NATSConnection(worker.settings.address, name: worker.name)
      stream = JetStream(connection)
      try stream.prepareFleet(worker.settings.limits)
      subscription = try connection.subscribe(to: inbox)
      outbox = Outbox(FiringJSON(resolver: worker.settings.judgement.resolver))
      leases = PartitionLeases(worker.settings.partitions, worker: worker.name, over: stream)
    }

    func run(until interrupter: Int32) throws {
      var renewal = ContinuousClock.now
      while Readiness.now(interrupter).isEmpty {
        if ContinuousClock.now >= renewal {
          try share()
          try letTimePass()
          renewal = .now + .milliseconds(Int(settings.limits.leaseSeconds * 1_000 / 5))
        }
        try judge(try messages())
        try sendFirings()
        try saveSnapshots()
      }
      for number in held.keys.sorted() { try release(number) }
      try leases.leave()
    }

    // MARK: Partitions

    private func share() throws {
      let (mine, surplus) = try leases.renew()
      for (number, lease) in held where !mine.contains(number) {
        worker.log(.notice, "lost partition \(number): its lease has ended")
        close(lease)
      }
      for number in surplus { try release(number) }
      // The others wait for the next round, so that the leases don't end meanwhile.
      let limit = ContinuousClock.now + .milliseconds(Int(settings.limits.leaseSeconds * 1_000 / 4))
      for number in mine where !surplus.contains(number) && held[number] == nil && ContinuousClock.now < limit
      {
        try open(number)
      }
      for lease in held.values where ContinuousClock.now - lease.heard > .seconds(20) {
        guard try stream.delivers(lease.consumer, of: FleetSubjects.log) else {
          throw NATSFailure("the log sends nothing for partition \(lease.partition.number) any more")
        }
        lease.heard = .now
      }
    }

    private func open(_ number: Int) throws {
      let path = "\(settings.folder)/partition-\(number).sqlite"
      var snapshot = try PartitionSnapshot.latest(of: number, over: stream)
      do {
        // The later state is the better one: both follow from the log.
        for _ in 0..<3 {
          guard let found = snapshot,
            found.sequence > PartitionSnapshot.place(ofStoreAt: path)?.sequence ?? -1
          else { break }
          if try found.restore(to: path, over: stream) { break }
          snapshot = try PartitionSnapshot.latest(of: number, over: stream)
        }
        let partition = try Partition(number, path: path, judgement: settings.judgement)
        let state = try stream.state(of: FleetSubjects.log)
        let isFresh = partition.place.sequence == 0
        if state.first > partition.place.sequence + 1, state.last > 0, !isFresh || state.first > 1 {
          worker.log(
            isFresh ? .info : .warning,
            "partition \(number) has read the log up to message \(partition.place.sequence), and the log"
              + " begins at \(state.first): positions between may be lost")
        }
        if isFresh, state.first > 1, let latest = try FenceGeneration.latest(over: stream) {
          try partition.follow(latest, fences: fences(latest), at: 0)
        }
        let lease = Lease(partition, snapshot: snapshot?.sequence ?? -1)
        held[number] = lease
        touched.insert(number)
        lease.consumer = try stream.deliver(
          FleetSubjects.all(of: number), of: FleetSubjects.log, from: partition.place.sequence + 1,
          to: inbox, limit: FleetWorker.window,
          description: "\(worker.name), partition \(number)")
        worker.log(.debug, "has partition \(number), from message \(partition.place.sequence + 1)")
      } catch let error as StoreError where error.reason == .watched {
        worker.log(.notice, "partition \(number) is in use by another worker with this folder")
        try leases.release(number)
      }
    }

    private func close(_ lease: Lease) {
      held[lease.partition.number] = nil
      touched.remove(lease.partition.number)
      // It may be gone already.
      _ = try? stream.endDelivery(by: lease.consumer, of: FleetSubjects.log)
    }

    private func release(_ number: Int) throws {
      guard let lease = held[number] else { return try leases.release(number) }
      _ = try outbox.send(from: [lease.partition], over: stream)
      try saveSnapshot(of: lease)
      close(lease)
      try leases.release(number)
      worker.log(.debug, "gave partition \(number) back")
    }

    private func fences(_ generation: FenceGeneration) throws -> CalendarStore {
      if let fences, fences.number == generation.number { return fences.store }
      let store = try generation.store(over: stream, in: settings.folder)
      fences = (generation.number, store)
      return store
    }

    // MARK: Messages

    /// What has come, by partition; waits a moment if there is nothing.
    private func messages() throws -> [Int: (messages: [LogMessage], reply: String)] {
      var found: [Int: (messages: [LogMessage], reply: String)] = [:]
      var count = 0
      while count < FleetWorker.batch,
        let message = try subscription.next(within: count == 0 ? 50 : 1)
      {
        guard let delivery = JetStream.Delivery(reply: message.reply) else { continue }
        guard let number = FleetSubjects.partition(inSubject: message.subject), let lease = held[number],
          delivery.consumer == lease.consumer
        else { continue }
        lease.heard = .now
        // A message that was sent again is known already.
        guard delivery.number > lease.delivered else { continue }
        guard delivery.number == lease.delivered + 1 else {
          throw NATSFailure("a message of partition \(number) is missing; reading it again")
        }
        lease.delivered = delivery.number
        count += 1
        found[number, default: ([], "")].messages.append(
          LogMessage(
            sequence: delivery.sequence, second: delivery.stored / 1_000_000_000, subject: message.subject,
            payload: message.payload))
        found[number]?.reply = message.reply
      }
      return found
    }

    private func judge(_ found: [Int: (messages: [LogMessage], reply: String)]) throws {
      for (number, (messages, reply)) in found.sorted(by: { $0.key < $1.key }) {
        guard let lease = held[number] else { continue }
        let judged = try lease.partition.judge(messages) { try fences($0) }
        worker.counts.positions += judged.positions
        worker.counts.unreadable += judged.unreadable
        try stream.acknowledge(reply)
        touched.insert(number)
      }
    }

    private func sendFirings() throws {
      guard !touched.isEmpty else { return }
      worker.counts.firings += try outbox.send(
        from: touched.sorted().compactMap { held[$0]?.partition }, over: stream)
      touched.removeAll()
    }

    /// Lets the log tell the time where time alone changes something: only what is in the log counts.
    private func letTimePass() throws {
      // A whole second later, because time passes by whole seconds.
      let now = Instant.wallClock().adding(seconds: -1)
      for lease in held.values {
        let partition = lease.partition
        guard lease.ticked != partition.place, let due = try partition.nextDue(), due <= now else { continue }
        try stream.publish(NATSOutgoing(FleetSubjects.tick(of: partition.number)))
        lease.ticked = partition.place
      }
    }

    // MARK: Snapshots

    private func saveSnapshots() throws {
      let limit = ContinuousClock.now - .milliseconds(Int(settings.snapshotSeconds * 1_000))
      for lease in held.values where lease.snapshotTime < limit {
        try saveSnapshot(of: lease)
        return
      }
    }

    private func saveSnapshot(of lease: Lease) throws {
      lease.snapshotTime = .now
      let sequence = lease.partition.place.sequence
      guard sequence > lease.snapshotSequence else { return }
      try lease.partition.removeOld(days: settings.limits.logDays)
      _ = try PartitionSnapshot.publish(lease.partition, in: settings.folder, over: stream)
      lease.snapshotSequence = sequence
    }
  }
}
