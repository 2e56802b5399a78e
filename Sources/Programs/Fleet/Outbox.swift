import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCryptography
import FencepostJetStream
import FencepostSystem

/// Firings on their way from partitions' stores to the stream of firings.
///
/// A store has a pending delivery for each firing, made in the transaction that saved the firing. The subject
/// of a firing follows from its key, and the stream takes the first message of a subject only. So a firing is
/// there once, however often it is sent, and whoever computes it again.
struct Outbox {
  private let lines: FiringJSON
  private static let prefix = "fleet-outbox-"
  /// The most firings that are sent at once.
  private static let batch = 1_000

  init(_ lines: FiringJSON) { self.lines = lines }

  /// The channel of a firing that was judged by the fences of a generation.
  static func channel(generation: Int) -> String { prefix + "\(generation)" }

  /// Sends the firings of partitions that wait, and marks them.
  ///
  /// - Returns: The number of firings that were sent.
  func send(from partitions: some Collection<Partition>, over log: JetStream) throws -> Int {
    var count = 0
    var waiting = Array(partitions)
    while !waiting.isEmpty {
      var found: [(partition: Partition, deliveries: [Delivery])] = []
      for partition in waiting {
        let deliveries = try partition.store.read { try $0.pendingDeliveries(limit: Self.batch) }
        if !deliveries.isEmpty { found.append((partition, deliveries)) }
      }
      let answers = try log.publish(
        found.flatMap { partition, deliveries in deliveries.map { message($0, of: partition.number) } })
      var index = 0
      for (partition, deliveries) in found {
        var sent: [Delivery] = []
        for delivery in deliveries {
          switch answers[index] {
          case .stored: sent.append(delivery)
          case .refused(let refusal) where refusal.isConflict: sent.append(delivery)
          case .refused(let refusal): throw refusal
          }
          index += 1
        }
        let now = Instant.wallClock()
        try partition.store.write(isDurable: false) { writer in
          for delivery in sent { try writer.markDelivered(delivery, at: now) }
        }
        count += sent.count
      }
      waiting = found.filter { $0.deliveries.count == Self.batch }.map(\.partition)
    }
    return count
  }

  private func message(_ delivery: Delivery, of partition: Int) -> NATSOutgoing {
    guard case .firing(let entry) = delivery.notice else { return NATSOutgoing("fencepost.firings.other") }
    let generation = Int(delivery.channel.dropFirst(Self.prefix.count))
    // A digest, because a device's name may have characters that a header and a subject can't have.
    let id = MessageDigest.digits(of: entry.firing.key, count: 32)
    return NATSOutgoing(
      "fencepost.firings.\(partition).\(id)", Array(lines.line(entry, generation: generation).utf8),
      headers: [JetStream.messageID: id, JetStream.expectedLast: "0"])
  }
}
