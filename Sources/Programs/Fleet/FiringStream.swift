package import FencepostJetStream

/// The firings of a fleet, as whoever tells people of them gets them: each once, in the order of the stream.
package struct FiringStream {
  /// A firing.
  package struct Message {
    /// Its number in the stream, which grows.
    package var sequence: Int
    /// A JSON object, as the daemon's channels get it, with `generation`.
    package var json: String
  }

  private let stream: JetStream
  private let subscription: NATSSubscription

  /// The firings from a number on.
  package init(from sequence: Int, over stream: JetStream) throws {
    self.stream = stream
    let inbox = NATSConnection.inbox()
    subscription = try stream.connection.subscribe(to: inbox)
    _ = try stream.deliver(
      "fencepost.firings.>", of: FleetSubjects.firings, from: sequence, to: inbox, limit: 512,
      description: "firings")
    last = try stream.state(of: FleetSubjects.firings).last
  }

  /// The number of the last firing as this began; 0 for none.
  package let last: Int

  /// The next firing; `nil` if none comes within so many milliseconds.
  package func next(within milliseconds: Int) throws -> Message? {
    while let message = try subscription.next(within: milliseconds) {
      guard let delivery = JetStream.Delivery(reply: message.reply) else { continue }
      try stream.acknowledge(message.reply)
      return Message(sequence: delivery.sequence, json: String(decoding: message.payload, as: UTF8.self))
    }
    return nil
  }
}
