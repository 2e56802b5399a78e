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
  private let log: JetStream

  /// Leases for a worker.
  init(_ wanted: [Int], worker: String, over log: JetStream) {
    self.worker = worker
    self.wanted = wanted
    self.log = log
  }

  private func key(_ partition: Int) -> String { FleetSubjects.leaseKeys + "partition.\(partition)" }

  private var value: [UInt8] {
    var line = JSONLine()
    line.add("worker", worker)
    return Array(line.line.utf8)
  }

  /// Renews the leases, and takes or returns partitions so that each worker has its share.
  ///
  /// - Returns: The partitions that this worker may have now. Those that are more than its share are in
  ///   `surplus`: release them.
  mutating func renew() throws -> (held: [Int], surplus: [Int]) {
    try log.publish(NATSOutgoing(FleetSubjects.leaseKeys + "worker.\(worker)", value))
    let held = revisions.keys.sorted()
    let answers = try log.publish(
      held.map {
        NATSOutgoing(key($0), value, headers: [JetStream.expectedLast: "\(revisions[$0] ?? 0)"])
      })
    for (partition, answer) in zip(held, answers) {
      switch answer {
      case .stored(let revision, _): revisions[partition] = revision
      // It expired, and perhaps another worker has it.
      case .refused: revisions[partition] = nil
      }
    }
    let keys = try log.state(of: FleetSubjects.leases, subjects: FleetSubjects.leaseKeys + ">").subjects
    let workers = keys.count { $0.hasPrefix(FleetSubjects.leaseKeys + "worker.") }
    let share = (wanted.count + max(1, workers) - 1) / max(1, workers)
    // Those that wait for a partition start at different places, so that they rarely want the same one.
    let free = wanted.filter { revisions[$0] == nil && !keys.contains(key($0)) }.shuffled()
    for partition in free.prefix(max(0, share - revisions.count)) {
      let answer = try log.publish([
        NATSOutgoing(key(partition), value, headers: [JetStream.expectedLast: "0"])
      ])[0]
      if case .stored(let revision, _) = answer { revisions[partition] = revision }
    }
    let all = revisions.keys.sorted()
    return (all, Array(all.dropFirst(share)))
  }

  /// Gives a partition back.
  mutating func release(_ partition: Int) throws {
    guard revisions.removeValue(forKey: partition) != nil else { return }
    try log.purge(key(partition), of: FleetSubjects.leases)
  }

  /// Removes this worker from those that share partitions.
  func leave() throws {
    try log.purge(FleetSubjects.leaseKeys + "worker.\(worker)", of: FleetSubjects.leases)
  }
}
