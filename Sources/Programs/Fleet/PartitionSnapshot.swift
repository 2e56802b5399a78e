import FencepostCalendarStore
import FencepostJSON
import FencepostJetStream
import FoundationEssentials

/// The store of a partition in the stream of states, so that another machine can continue from there.
///
/// Any snapshot is good, however old: the log has what came after it. So nothing depends on who wrote the
/// last one.
struct PartitionSnapshot {
  /// The last message of the log whose consequences it has.
  var sequence: Int
  private var content: Blob

  private static func subject(_ partition: Int) -> String { "fencepost.state.\(partition)" }

  /// The latest snapshot of a partition; `nil` if there is none.
  static func latest(of partition: Int, over log: JetStream) throws -> PartitionSnapshot? {
    try log.latest(of: subject(partition), in: FleetSubjects.states).flatMap { PartitionSnapshot($0.payload) }
  }

  private init?(_ bytes: [UInt8]) {
    guard let json = try? JSONValue(reading: bytes, maxDepth: 8), let sequence = json["sequence"]?.integer,
      let content = Blob(json)
    else { return nil }
    (self.sequence, self.content) = (sequence, content)
  }

  /// Publishes the state of a partition, unless the log has a later one.
  ///
  /// Its pieces have subjects of their own. Those of the snapshot before go when this one is complete, and this
  /// one counts only if no other came meanwhile. So two workers never mix their pieces.
  static func publish(_ partition: Partition, in folder: String, over log: JetStream) throws {
    // Read before the copy: a place that is too early is harmless.
    let sequence = partition.place.sequence
    let subject = subject(partition.number)
    let last = try log.latest(of: subject, in: FleetSubjects.states)
    let before = last.flatMap { PartitionSnapshot($0.payload) }
    if let before, before.sequence >= sequence { return }
    // Those of the one before, and what workers that died have left. Those that begin later are not meant.
    let old = try log.state(of: FleetSubjects.states, subjects: "\(subject).>").subjects
    let bytes = try TemporaryStore.bytes(of: partition.store, in: folder)
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    let content = try Blob.publish(bytes, to: "\(subject).\(name)", over: log)
    var line = JSONLine(type: "state")
    line.add("sequence", sequence)
    content.describe(in: &line)
    let answer = try log.publish([
      NATSOutgoing(
        subject, Array(line.line.utf8), headers: [JetStream.expectedLast: "\(last?.sequence ?? 0)"])
    ])[0]
    guard case .stored = answer else {
      return try log.purge("\(content.subject).*", of: FleetSubjects.states)
    }
    for name in Set(old.map { $0.split(separator: ".").dropLast().joined(separator: ".") }) {
      try log.purge("\(name).*", of: FleetSubjects.states)
    }
  }

  /// Puts the snapshot at `path`, where no store is open.
  ///
  /// - Returns: False if the snapshot was replaced meanwhile.
  func restore(to path: String, over log: JetStream) throws -> Bool {
    guard let bytes = try content.read(from: FleetSubjects.states, over: log) else { return false }
    // The store first: one without its companions may be damaged.
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    return true
  }

  /// The place that the store at `path` has; `nil` if there is no store that can be read.
  static func place(ofStoreAt path: String) -> LogPlace? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try? CalendarStore(path: path, access: .existing).read { try LogPlace.read(in: $0) }
  }
}
