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
    guard let found = try log.last(of: subject(partition), in: FleetSubjects.states),
      let json = try? JSONValue(reading: found.payload, maxDepth: 8),
      let sequence = json["sequence"]?.integer,
      let content = Blob(json)
    else { return nil }
    return PartitionSnapshot(sequence: sequence, content: content)
  }

  /// Publishes the state of a partition.
  ///
  /// The pieces alternate between two places, so that a reader of the snapshot before finds it whole.
  ///
  /// - Returns: The size in bytes.
  static func publish(_ partition: Partition, in folder: String, over log: JetStream) throws -> Int {
    // Read before the copy: a place that is too early is harmless.
    let sequence = partition.place.sequence
    let bytes = try TemporaryStore.bytes(of: partition.store, in: folder)
    let subject = subject(partition.number)
    let before = try latest(of: partition.number, over: log)
    let slot = before?.content.subject == subject + ".a" ? "b" : "a"
    let content = try Blob.publish(bytes, to: "\(subject).\(slot)", over: log)
    var line = JSONLine(type: "state")
    line.add("sequence", sequence)
    content.describe(in: &line)
    try log.publish(NATSOutgoing(subject, Array(line.line.utf8)))
    return bytes.count
  }

  /// Puts the snapshot at `path`, where no store is open.
  ///
  /// - Returns: False if the snapshot was replaced meanwhile.
  func restore(to path: String, over log: JetStream) throws -> Bool {
    guard let bytes = try content.read(from: FleetSubjects.states, over: log) else { return false }
    for suffix in ["-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    return true
  }

  /// The place that the store at `path` has; `nil` if there is no store that can be read.
  static func place(ofStoreAt path: String) -> LogPlace? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try? CalendarStore(path: path, access: .existing).read { try LogPlace.read(in: $0) }
  }
}
