import FencepostJSON
import FencepostJetStream

/// The keys by which workers share partitions. A change of a key can depend on the one before.
protocol LeaseBucket {
  /// The names of all keys.
  func names() throws -> Set<String>
  /// What keys have now; `nil` for one that is not there.
  func entries(of names: [String]) throws -> [LeaseEntry?]
  /// Sets keys.
  ///
  /// - Returns: Their revisions; `nil` for one that had another revision than the change asks for, and stays.
  /// - Throws: If an answer is missing. Then any of the changes may have been made or not.
  func set(_ changes: [LeaseChange]) throws -> [Int?]
  /// Removes a key.
  func remove(_ name: String) throws
}

/// What a key has: who has a partition, or that a worker is there.
struct LeaseValue: Equatable {
  /// The name of the worker; `nil` for a partition that was given back.
  var worker: String?
  /// The seconds without a renewal after which others may take the key over.
  var seconds: Double
  /// Whether the worker can't work for some partition.
  var isUnable = false

  /// As bytes.
  var payload: [UInt8] {
    var line = JSONLine()
    if let worker { line.add("worker", worker) }
    line.add("lease", seconds)
    if isUnable { line.add("unable", true) }
    return Array(line.line.utf8)
  }

  /// A value.
  init(worker: String?, seconds: Double, isUnable: Bool = false) {
    (self.worker, self.seconds, self.isUnable) = (worker, seconds, isUnable)
  }

  /// Reads a value. What can't be read belongs to nobody.
  init(_ payload: [UInt8]) {
    let json = try? JSONValue(reading: payload, maxDepth: 4)
    worker = json?["worker"]?.text
    seconds = min(3_600, max(0.1, json?["lease"]?.number ?? 10))
    isUnable = json?["unable"]?.flag ?? false
  }
}

/// A key as it is.
struct LeaseEntry: Equatable {
  var value: LeaseValue
  /// Grows with each change of any key.
  var revision: Int
}

/// A key as it shall be.
struct LeaseChange {
  var name: String
  var value: LeaseValue
  /// The revision that it must have; 0 if it must not be there, and `nil` for any.
  var after: Int?
}

/// The keys in a bucket of JetStream.
///
/// The bucket has no age after which keys go. With several servers, each would remove them by its own clock, and
/// one that has a key could refuse a change that another one without it accepts.
struct JetStreamLeases: LeaseBucket {
  let log: JetStream

  func names() throws -> Set<String> {
    let subjects = try log.state(of: FleetSubjects.leases, subjects: FleetSubjects.leaseKeys + ">").subjects
    return Set(subjects.map { String($0.dropFirst(FleetSubjects.leaseKeys.count)) })
  }

  func entries(of names: [String]) throws -> [LeaseEntry?] {
    try log.latest(of: names.map { FleetSubjects.leaseKeys + $0 }, in: FleetSubjects.leases).map {
      $0.map { LeaseEntry(value: LeaseValue($0.payload), revision: $0.sequence) }
    }
  }

  func set(_ changes: [LeaseChange]) throws -> [Int?] {
    let messages = changes.map { change in
      NATSOutgoing(
        FleetSubjects.leaseKeys + change.name, change.value.payload,
        headers: change.after.map { [JetStream.expectedLast: "\($0)"] } ?? [:])
    }
    return try log.publish(messages).map {
      switch $0 {
      case .stored(let revision, _): return revision
      case .refused(let refusal) where refusal.isConflict: return nil
      case .refused(let refusal): throw refusal
      }
    }
  }

  func remove(_ name: String) throws {
    try log.purge(FleetSubjects.leaseKeys + name, of: FleetSubjects.leases)
  }
}
