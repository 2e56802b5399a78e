import FencepostTestSupport
import Testing

@testable import FencepostFleet

/// Keys in memory, as a stream has them. Answers can be lost.
private final class MemoryBucket: LeaseBucket {
  var entries: [String: LeaseEntry] = [:]
  private var revision = 0
  /// What happens to the next changes.
  var fault: Fault?

  enum Fault: CaseIterable {
    /// They are made, and the answer is lost.
    case noAnswer
    /// They are made in part, and the answer is lost.
    case half
    /// They don't arrive.
    case notSent
  }

  struct Lost: Error {}

  func names() throws -> Set<String> { Set(entries.keys) }

  func entries(of names: [String]) throws -> [LeaseEntry?] { names.map { entries[$0] } }

  func set(_ changes: [LeaseChange]) throws -> [Int?] {
    let fault = fault
    self.fault = nil
    if fault == .notSent { throw Lost() }
    let made = changes.prefix(fault == .half ? changes.count / 2 : changes.count)
    let answers = made.map { change -> Int? in
      if let after = change.after, after != entries[change.name]?.revision ?? 0 { return nil }
      revision += 1
      entries[change.name] = LeaseEntry(value: LeaseValue(change.value.payload), revision: revision)
      return revision
    }
    if fault != nil { throw Lost() }
    return answers
  }

  func remove(_ name: String) throws { entries[name] = nil }
}

@Suite("Leases of partitions")
struct LeaseTests {
  private static let seconds = 2.0
  private static let interval = Duration.milliseconds(400)
  private let bucket = MemoryBucket()
  private let start = ContinuousClock.now

  /// A worker, as far as it has partitions.
  private struct Worker {
    var leases: PartitionLeases
    var avoided: Set<Int> = []
    var held: Set<Int> = []

    /// What a worker does in each interval. After an error it goes on with the leases that it knows of.
    mutating func work(at now: ContinuousClock.Instant, in bucket: MemoryBucket) throws {
      try leases.renew(in: bucket)
      let (mine, surplus) = try leases.share(avoiding: avoided, at: now, in: bucket)
      for number in surplus { try leases.release(number, in: bucket) }
      held = Set(mine).subtracting(surplus)
    }
  }

  private func worker(_ name: String, _ partitions: ClosedRange<Int> = 0...15, avoiding: Set<Int> = [])
    -> Worker
  {
    Worker(
      leases: PartitionLeases(Array(partitions), worker: name, seconds: Self.seconds), avoided: avoiding)
  }

  /// Lets workers work for so many intervals.
  private func work(
    _ workers: inout [Worker], from first: Int, intervals: Int
  ) throws {
    for step in first..<first + intervals {
      let now = start + Self.interval * step
      for index in workers.indices { try workers[index].work(at: now, in: bucket) }
    }
  }

  @Test("are taken at once where nobody has any, and by others when a worker has died")
  func takeOver() throws {
    var workers = [worker("a")]
    try work(&workers, from: 0, intervals: 1)
    #expect(workers[0].held.count == 16)
    // Its keys are as they were for two seconds, by the clock of the one who looks.
    var other = [worker("b")]
    try work(&other, from: 1, intervals: 5)
    #expect(other[0].held.isEmpty)
    try work(&other, from: 6, intervals: 1)
    #expect(other[0].held.count == 16)
  }

  @Test("go to a worker that joins, and come back from one that leaves, without a pause")
  func joining() throws {
    var workers = [worker("a"), worker("b"), worker("c")]
    try work(&workers, from: 0, intervals: 4)
    #expect(workers.map(\.held.count).max() == 6)
    #expect(Set(workers.flatMap(\.held)).count == 16)
    try workers[2].leases.leave(bucket)
    workers.removeLast()
    try work(&workers, from: 4, intervals: 2)
    #expect(workers.map(\.held.count) == [8, 8])
  }

  @Test("stay with a worker that only renews them, as in a long batch, and with one whose outage hurt all")
  func renewals() throws {
    var workers = [worker("a"), worker("b")]
    try work(&workers, from: 0, intervals: 3)
    let before = workers[0].held
    for step in 3..<20 {
      try workers[0].leases.renew(in: bucket)
      try workers[1].work(at: start + Self.interval * step, in: bucket)
    }
    #expect(workers[1].held.count == 8)
    // Nobody could renew for long. Whoever comes first has them still.
    try work(&workers, from: 200, intervals: 2)
    #expect(workers[0].held == before)
  }

  @Test("that were taken or renewed are known again when the answer was lost", arguments: [true, false])
  func lostAnswer(isRenewal: Bool) throws {
    var one = worker("a")
    if isRenewal {
      try one.work(at: start, in: bucket)
    } else {
      try one.leases.renew(in: bucket)
    }
    bucket.fault = .noAnswer
    if isRenewal {
      #expect(throws: MemoryBucket.Lost.self) { try one.work(at: start, in: bucket) }
    } else {
      #expect(throws: MemoryBucket.Lost.self) {
        try one.leases.share(avoiding: [], at: start, in: bucket)
      }
    }
    #expect(bucket.entries.values.count { $0.value.worker == "a" } == 17)
    try one.work(at: start, in: bucket)
    #expect(one.held.count == 16)
  }

  @Test("that one worker can't work for go to others beyond their share")
  func unable() throws {
    var workers = [worker("a", avoiding: [3, 7]), worker("b"), worker("c")]
    try work(&workers, from: 0, intervals: 8)
    #expect(Set(workers.flatMap(\.held)) == Set(0...15))
    #expect(workers[0].held.isDisjoint(with: [3, 7]))
    // As soon as it can, all have their shares.
    workers[0].avoided = []
    try work(&workers, from: 8, intervals: 6)
    #expect(Set(workers.flatMap(\.held)) == Set(0...15))
    #expect(workers.map(\.held.count).max() == 6)
  }

  @Test("count only workers with the same partitions, and forget those that are gone")
  func counting() throws {
    var workers = [worker("a", 0...7), worker("b", 8...15)]
    try work(&workers, from: 0, intervals: 2)
    #expect(workers.map(\.held.count) == [8, 8])
    workers.removeLast()
    var late = [worker("c", 8...15)]
    for step in 2..<80 { try work(&late, from: step, intervals: 1) }
    #expect(late[0].held.count == 8)
    #expect(try bucket.names().filter { $0.hasPrefix("worker.8-15.") } == ["worker.8-15.c"])
  }

  @Test(
    "leave no partition without a worker, whoever dies, joins, pauses or hears no answer", arguments: 1...30)
  func chaos(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var workers: [Worker] = []
    var count = 0
    for step in 0..<120 {
      let now = start + Self.interval * step
      if workers.count < 5, Int.random(in: 0..<10, using: &random) == 0 || workers.isEmpty {
        count += 1
        workers.append(worker("w\(count)", avoiding: count % 4 == 0 ? [count % 16] : []))
      }
      for index in workers.indices where Int.random(in: 0..<10, using: &random) > 0 {
        if Int.random(in: 0..<6, using: &random) == 0 {
          bucket.fault = MemoryBucket.Fault.allCases.randomElement(using: &random)
        }
        do { try workers[index].work(at: now, in: bucket) } catch is MemoryBucket.Lost {}
        bucket.fault = nil
      }
      if Int.random(in: 0..<12, using: &random) == 0,
        let victim = workers.indices.randomElement(using: &random)
      {
        var worker = workers.remove(at: victim)
        if Bool.random(using: &random) { try worker.leases.leave(bucket) }
      }
    }
    if workers.isEmpty { workers.append(worker("last")) }
    // All can work for all at last.
    for index in workers.indices { workers[index].avoided = [] }
    try work(&workers, from: 120, intervals: 20)
    let owners = workers.flatMap(\.held)
    #expect(owners.sorted() == Array(0...15))
    #expect((workers.map(\.held.count).max() ?? 0) <= PartitionLeases.share(of: 16, among: workers.count))
  }

  @Test("have values that say who, for how long, and whether it can work; others belong to nobody")
  func values() {
    let value = LeaseValue(worker: "a", seconds: 2, isUnable: true)
    #expect(LeaseValue(value.payload) == value)
    #expect(LeaseValue(LeaseValue(worker: nil, seconds: 10).payload).worker == nil)
    #expect(LeaseValue(Array(#"{"worker":"a"}"#.utf8)) == LeaseValue(worker: "a", seconds: 10))
    for bytes in ["", "[", "7", #"{"lease":-1e99}"#, #"{"worker":7,"lease":1e99}"#] {
      let value = LeaseValue(Array(bytes.utf8))
      #expect(value.worker == nil && (0.1...3_600).contains(value.seconds))
    }
  }
}
