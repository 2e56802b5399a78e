/// Which worker has which partition: keys in a bucket, which their workers renew.
///
/// A key that nobody renews is free after the time that it names. Each worker measures that time by itself,
/// from when it first saw the key as it is. So neither clocks of machines nor those of servers matter.
///
/// A lease only saves work. Two workers with one partition come to the same firings, and each firing is told
/// once.
struct PartitionLeases {
  /// The name of this worker.
  let worker: String
  private let wanted: [Int]
  private let seconds: Double
  /// The revisions of the keys that this worker has.
  private var revisions: [Int: Int] = [:]
  private var sightings: [String: Sighting] = [:]
  private var isUnable = false

  /// A key of others that this worker saw.
  private struct Sighting {
    var revision: Int
    /// When it was first seen with this revision.
    var since: ContinuousClock.Instant
  }

  /// Leases for a worker.
  ///
  /// - Parameter seconds: The seconds after which others take over if it does not renew them.
  init(_ wanted: [Int], worker: String, seconds: Double) {
    self.worker = worker
    self.wanted = wanted
    self.seconds = seconds
  }

  private func key(_ partition: Int) -> String { "partition.\(partition)" }

  /// The beginning of the keys of workers that want the same partitions. Others have partitions of their own,
  /// and count nothing here.
  private var workers: String { "worker.\(wanted.first ?? 0)-\(wanted.last ?? 0)." }

  private var value: LeaseValue { LeaseValue(worker: worker, seconds: seconds) }

  // MARK: Renewing

  /// Renews the leases that this worker has, and takes no others.
  mutating func renew(in bucket: some LeaseBucket) throws {
    let held = revisions.keys.sorted()
    let presence = LeaseValue(worker: worker, seconds: seconds, isUnable: isUnable)
    let answers = try bucket.set(
      [LeaseChange(name: workers + worker, value: presence)]
        + held.map { LeaseChange(name: key($0), value: value, after: revisions[$0]) })
    for (partition, revision) in zip(held, answers.dropFirst()) {
      // Another worker has it. Or the answer to the renewal before was lost.
      revisions[partition] = try revision ?? reclaim(partition, in: bucket)
    }
  }

  /// Renews a lease that is this worker's, with another revision than it knows; `nil` if it is not.
  private func reclaim(_ partition: Int, in bucket: some LeaseBucket) throws -> Int? {
    guard let entry = try bucket.entries(of: [key(partition)])[0], entry.value.worker == worker else {
      return nil
    }
    return try bucket.set([LeaseChange(name: key(partition), value: value, after: entry.revision)])[0]
  }

  // MARK: Sharing

  /// Takes or returns partitions, so that each worker has its share. Call it after ``renew(in:)``.
  ///
  /// - Parameters:
  ///   - avoided: Partitions that this worker can't work for.
  ///   - now: The time.
  /// - Returns: The partitions that this worker may have now. Those that are more than its share are in
  ///   `surplus`: release them.
  mutating func share(
    avoiding avoided: Set<Int>, at now: ContinuousClock.Instant, in bucket: some LeaseBucket
  ) throws -> (held: [Int], surplus: [Int]) {
    isUnable = !avoided.isEmpty
    let names = try bucket.names()
    let others = names.filter { $0.hasPrefix(workers) && $0 != workers + worker }.sorted()
    let open = wanted.filter { revisions[$0] == nil && !avoided.contains($0) }
    let seen = others + open.map(key).filter(names.contains)
    let entries = Dictionary(uniqueKeysWithValues: zip(seen, try bucket.entries(of: seen)))
    sightings = sightings.filter { entries[$0.key] != nil }

    var (all, able) = (1, isUnable ? 0 : 1)
    for name in others {
      guard let entry = entries[name] ?? nil else { continue }
      let silence = silence(of: entry, name, at: now)
      if silence < 1 {
        all += 1
        if !entry.value.isUnable { able += 1 }
      } else if silence > Self.removal {
        try bucket.remove(name)
      }
    }
    let share = Self.share(of: wanted.count, among: able < all ? able : all)

    // Those that wait for a partition start at different places, so that they rarely want the same one.
    let free = open.shuffled().compactMap { partition -> LeaseChange? in
      let name = key(partition)
      guard let entry = entries[name] ?? nil else { return LeaseChange(name: name, value: value, after: 0) }
      // One with the name of this worker was taken, and the answer was lost.
      let isFree = entry.value.worker == nil || entry.value.worker == worker
      guard isFree || silence(of: entry, name, at: now) >= 1 else { return nil }
      return LeaseChange(name: name, value: value, after: entry.revision)
    }.prefix(max(0, share - revisions.count))
    for (change, revision) in zip(free, try bucket.set(Array(free))) {
      if let revision, let partition = open.first(where: { key($0) == change.name }) {
        revisions[partition] = revision
      }
    }
    let held = revisions.keys.sorted()
    return (held, Array(held.dropFirst(share)))
  }

  /// The silence after which the key of a worker is removed, in lifetimes of the key.
  private static let removal = 10.0

  /// How long nobody has renewed a key, in lifetimes of the key: with 1 it is free.
  private mutating func silence(
    of entry: LeaseEntry, _ name: String, at now: ContinuousClock.Instant
  ) -> Double {
    guard let sighting = sightings[name], sighting.revision == entry.revision else {
      sightings[name] = Sighting(revision: entry.revision, since: now)
      return 0
    }
    return (now - sighting.since) / .seconds(entry.value.seconds)
  }

  /// The most partitions that one of so many workers has.
  ///
  /// A worker that can't work for some partition does not count: the others must be able to have all.
  static func share(of partitions: Int, among workers: Int) -> Int {
    (partitions + max(1, workers) - 1) / max(1, workers)
  }

  // MARK: Ending

  /// Gives a partition back.
  mutating func release(_ partition: Int, in bucket: some LeaseBucket) throws {
    try release([partition], in: bucket)
  }

  private mutating func release(_ partitions: [Int], in bucket: some LeaseBucket) throws {
    let free = LeaseValue(worker: nil, seconds: seconds)
    // If another worker has it meanwhile, it keeps it.
    _ = try bucket.set(
      partitions.compactMap { partition in
        revisions.removeValue(forKey: partition).map {
          LeaseChange(name: key(partition), value: free, after: $0)
        }
      })
  }

  /// Gives all back, and removes this worker from those that share partitions.
  mutating func leave(_ bucket: some LeaseBucket) throws {
    try release(revisions.keys.sorted(), in: bucket)
    try bucket.remove(workers + worker)
  }
}
