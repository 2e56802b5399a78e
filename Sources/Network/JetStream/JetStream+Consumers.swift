import FencepostJSON

/// Consumers: what the server sends of a stream.
extension JetStream {
  /// Lets the server send the messages of a subject from `start` on, until the connection ends. It sends no
  /// more than `limit` before they are acknowledged; acknowledging one acknowledges all before it.
  ///
  /// - Parameter subject: Where to: the subject of a subscription, and not only one that it matches. The
  ///   server looks for no other.
  /// - Returns: The name of the consumer, which is in each ``Delivery``.
  func deliver(
    _ filter: String, of stream: String, from start: Int, to subject: String, limit: Int, description: String
  ) throws -> String {
    var settings = JSONLine()
    settings.add("description", description)
    settings.add("deliver_subject", subject)
    settings.add("deliver_policy", "by_start_sequence")
    settings.add("opt_start_seq", max(1, start))
    settings.add("ack_policy", "all")
    settings.add("ack_wait", nanoseconds(60))
    settings.add("max_ack_pending", limit)
    settings.add("filter_subject", filter)
    settings.add("replay_policy", "instant")
    settings.add("inactive_threshold", nanoseconds(30))
    settings.add("mem_storage", true)
    var line = JSONLine()
    line.add("stream_name", stream)
    line.add("config", settings)
    return try ask("CONSUMER.CREATE.\(stream)", line.line)["name"]?.text ?? ""
  }

  /// What the server says of a consumer.
  struct ConsumerState {
    /// Whether it sends to anybody.
    var isBound: Bool
    /// The number of messages that it has sent, those sent again included.
    var sent: Int
  }

  /// What the server says of a consumer; `nil` if it is gone: a server that was restarted has none of those
  /// before, and in a cluster it dies with its server.
  func state(ofConsumer consumer: String, of stream: String) throws -> ConsumerState? {
    do {
      let answer = try ask("CONSUMER.INFO.\(stream).\(consumer)", "")
      return ConsumerState(
        isBound: answer["push_bound"]?.flag ?? false,
        sent: answer["delivered"]?["consumer_seq"]?.integer ?? 0)
    } catch is Refusal {
      return nil
    }
  }

  /// Ends a delivery.
  func endDelivery(by consumer: String, of stream: String) throws {
    _ = try ask("CONSUMER.DELETE.\(stream).\(consumer)", "")
  }

  /// What the reply subject of a delivered message says of it (ADR-15):
  /// `$JS.ACK.STREAM.CONSUMER.deliveries.sequence.number.nanoseconds.pending`.
  package struct Delivery: Hashable, Sendable {
    /// The name of the consumer.
    package var consumer: String
    /// The number in the stream.
    package var sequence: Int
    /// The number among the messages of this consumer; the next one has the next number.
    package var number: Int
    /// Nanoseconds since 1970 when the stream got it.
    package var stored: Int64
    /// The number of times that it was sent.
    package var deliveries: Int
    /// The number of messages that follow it as yet.
    package var pending: Int

    /// Reads a reply subject; `nil` if it is another one.
    package init?(reply: String) {
      let parts = reply.utf8.split(separator: 0x2E)
      // Later servers put a domain and an account before the stream.
      guard parts.count >= 9, reply.hasPrefix("$JS.ACK.") else { return nil }
      let base = parts.count >= 11 ? 6 : 4
      func number(_ index: Int) -> Int64? { Int64(String(Substring(parts[base + index]))) }
      guard let deliveries = number(0), let sequence = number(1), let order = number(2),
        let stored = number(3), let pending = number(4)
      else { return nil }
      (self.sequence, self.number, self.stored) = (Int(sequence), Int(order), stored)
      (self.deliveries, self.pending) = (Int(deliveries), Int(pending))
      consumer = String(Substring(parts[base - 1]))
    }
  }

  /// Acknowledges a delivered message, and all of its consumer before it.
  package func acknowledge(_ reply: String) throws(NATSFailure) {
    try connection.publish(NATSOutgoing(reply, Array("+ACK".utf8)))
  }
}
