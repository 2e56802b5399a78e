/// The messages of a subject of a stream, in their order and without gaps.
///
/// The server pushes them to a subscription, which several deliveries may share. A consumer of the server dies
/// with its server, and a message may be lost between servers. Then this makes another consumer, which begins
/// after the last message that came.
package final class OrderedDelivery {
  private let log: JetStream
  private let stream: String
  private let filter: String
  private let inbox: String
  private let limit: Int
  private let description: String
  /// The consumer that delivers.
  private var consumer = ""
  /// The number of the last message in the order of the consumer.
  private var number = 0
  /// The number in the stream of the last message that came.
  private var sequence: Int
  /// Where to acknowledge that message; `nil` if there is none.
  private var reply: String?
  private var heard = ContinuousClock.now
  /// Silence that is worth a question to the server.
  private let patience: Duration

  /// What a message is to a delivery.
  package enum Reception: Hashable, Sendable {
    /// It is of another delivery.
    case foreign
    /// It came before, or comes again later.
    case skipped
    /// It is the next one: its number in the stream, the second since 1970 in which the stream got it, and how
    /// many follow it as yet.
    case next(sequence: Int, second: Int64, pending: Int)
  }

  /// Begins a delivery.
  ///
  /// - Parameters:
  ///   - filter: The subject of the messages, perhaps with wildcards.
  ///   - stream: Their stream.
  ///   - start: The number of the first one in the stream.
  ///   - inbox: The subject of the subscription, and not only one that it matches. The server looks for no
  ///     other.
  ///   - limit: The most messages under way that are not acknowledged.
  ///   - description: What people see in the server's list of consumers.
  ///   - patience: The silence that is worth a question to the server.
  package init(
    _ filter: String, of stream: String, from start: Int, to inbox: String, limit: Int, description: String,
    patience: Duration = .seconds(10), over log: JetStream
  ) throws {
    (self.filter, self.stream, self.inbox, self.limit) = (filter, stream, inbox, limit)
    (self.description, self.patience, self.log) = (description, patience, log)
    sequence = start - 1
    try begin()
  }

  private func begin() throws {
    number = 0
    reply = nil
    consumer = try log.deliver(
      filter, of: stream, from: sequence + 1, to: inbox, limit: limit, description: description)
    heard = .now
  }

  private func beginAgain() throws {
    end()
    try begin()
  }

  /// Receives a message of the subscription.
  ///
  /// - Throws: If a message is missing, and the server can't send it again.
  package func receive(_ message: NATSMessage) throws -> Reception {
    guard let delivery = JetStream.Delivery(reply: message.reply), delivery.consumer == consumer else {
      return .foreign
    }
    heard = .now
    guard delivery.number > number else { return .skipped }
    guard delivery.number == number + 1 else {
      try beginAgain()
      return .skipped
    }
    number = delivery.number
    // The server sends again what was not acknowledged in time.
    guard delivery.sequence > sequence else {
      try acknowledge()
      return .skipped
    }
    (sequence, reply) = (delivery.sequence, message.reply)
    return .next(
      sequence: sequence, second: delivery.stored / 1_000_000_000, pending: delivery.pending)
  }

  /// Acknowledges the last message that came, and all before it: the server may send more.
  package func acknowledge() throws(NATSFailure) {
    if let reply { try log.acknowledge(reply) }
  }

  /// Makes sure that silence means that there is nothing. Call it when the subscription has just had no more
  /// messages. Most calls cost nothing.
  ///
  /// - Returns: False if the server had stopped to deliver; it has begun again.
  @discardableResult
  package func check() throws -> Bool {
    guard ContinuousClock.now - heard > patience else { return true }
    let state = try log.state(ofConsumer: consumer, of: stream)
    heard = .now
    // What it has sent and did not come is lost.
    if let state, state.isBound, state.sent <= number { return true }
    try beginAgain()
    return false
  }

  /// Ends the delivery.
  package func end() {
    // It may be gone already.
    _ = try? log.endDelivery(by: consumer, of: stream)
  }
}
