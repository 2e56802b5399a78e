import FencepostJSON
import FencepostJetStream
import FoundationEssentials

/// Which worker has which partition: keys in a bucket, which go when nobody renews them.
///
/// A lease only saves work. Two workers with one partition come to the same firings, and each firing is told
/// once.
struct PartitionLeases {
  /// The name of this worker.
  let worker: String
  private let wanted: [Int]
  /// The revisions of the keys that this worker has.
  private var revisions: [Int: Int] = [:]

  /// Leases for a worker.
  init(_ wanted: [Int], worker: String) {
    self.worker = worker
    self.wanted = wanted
  }

  private func key(_ partition: Int) -> String { FleetSubjects.leaseKeys + "partition.\(partition)" }

  /// The beginning of the keys of workers that want the same partitions. Others have partitions of their own,
  /// and count nothing here.
  private var workers: String {
    FleetSubjects.leaseKeys + "worker.\(wanted.first ?? 0)-\(wanted.last ?? 0)."
  }

  private var value: [UInt8] {
    var line = JSONLine()
    line.add("worker", worker)
    return Array(line.line.utf8)
  }

  /// Renews the leases that this worker has, and takes no others.
  mutating func renew(over log: JetStream) throws {
    try log.publish(NATSOutgoing(workers + worker, value))
    let held = revisions.keys.sorted()
    let answers = try log.publish(held.map { put($0, after: revisions[$0] ?? 0) })
    for (partition, answer) in zip(held, answers) {
      switch answer {
      case .stored(let revision, _): revisions[partition] = revision
      // It expired, and perhaps another worker has it. Or the answer to the renewal before was lost.
      case .refused: revisions[partition] = try reclaim(partition, over: log)
      }
    }
  }

  /// Takes or returns partitions, so that each worker has its share. Call it after ``renew(over:)``.
  ///
  /// - Parameter avoided: Partitions that this worker can't work for.
  /// - Returns: The partitions that this worker may have now. Those that are more than its share are in
  ///   `surplus`: release them.
  mutating func share(
    avoiding avoided: Set<Int>, over log: JetStream
  ) throws -> (held: [Int], surplus: [Int]) {
    let keys = try log.state(of: FleetSubjects.leases, subjects: FleetSubjects.leaseKeys + ">").subjects
    let share = Self.share(of: wanted.count, among: keys.count { $0.hasPrefix(workers) })
    // Those that wait for a partition start at different places, so that they rarely want the same one.
    let free = wanted.filter { revisions[$0] == nil && !keys.contains(key($0)) && !avoided.contains($0) }
    for partition in free.shuffled().prefix(max(0, share - revisions.count)) {
      if case .stored(let revision, _) = try log.publish([put(partition, after: 0)])[0] {
        revisions[partition] = revision
      }
    }
    let all = revisions.keys.sorted()
    return (all, Array(all.dropFirst(share)))
  }

  /// The most partitions that one of so many workers has.
  static func share(of partitions: Int, among workers: Int) -> Int {
    (partitions + max(1, workers) - 1) / max(1, workers)
  }

  private func put(_ partition: Int, after revision: Int) -> NATSOutgoing {
    NATSOutgoing(key(partition), value, headers: [JetStream.expectedLast: "\(revision)"])
  }

  /// Renews a lease that is this worker's, with another revision than it knows; `nil` if it is not.
  private func reclaim(_ partition: Int, over log: JetStream) throws -> Int? {
    guard let last = try log.last(of: key(partition), in: FleetSubjects.leases), last.payload == value,
      case .stored(let revision, _) = try log.publish([put(partition, after: last.sequence)])[0]
    else { return nil }
    return revision
  }

  /// Gives a partition back.
  mutating func release(_ partition: Int, over log: JetStream) throws {
    guard revisions.removeValue(forKey: partition) != nil else { return }
    try log.purge(key(partition), of: FleetSubjects.leases)
  }

  /// Gives all back, and removes this worker from those that share partitions.
  mutating func leave(over log: JetStream) throws {
    for partition in revisions.keys.sorted() { try release(partition, over: log) }
    try log.purge(workers + worker, of: FleetSubjects.leases)
  }
}
