import FencepostSystem
import FencepostMQTT
import FencepostCalendarModel
import FencepostCryptography
import FencepostGeodesy
import FencepostPositionFeeds

/// Positions from a broker: OwnTracks in its MQTT mode, and everything else that ``MessageReader`` reads.
///
/// The broker keeps messages while the daemon is away, because the session is persistent (QoS 1). A message
/// is acknowledged after the engine's step was committed, so nothing is lost in between. A repeated or old
/// retained message is a fix that does not move time forward, or a late one. Neither changes anything.
final class MQTTFeed: LiveFeed {
  private let address: MQTTAddress
  private let identity: String
  private let interrupter: Int32
  /// Whether an unusable message was logged, which happens once.
  private var hasComplained = false

  /// A feed of the messages that match the topic of `address`.
  ///
  /// - Parameters:
  ///   - address: The broker, and the filter of topics.
  ///   - identity: The identity of this daemon.
  ///   - interrupter: A descriptor that becomes ready when the feed should end; -1 for never.
  init(_ address: MQTTAddress, identity: String, interruptedBy interrupter: Int32 = -1) {
    self.address = address
    self.identity = identity
    self.interrupter = interrupter
  }

  /// The daemon's client identifier at the broker. Each feed has its own, because a broker disconnects an
  /// older client with the same identifier. It has 23 letters and digits, which every broker accepts (MQTT
  /// 3.1.1, section 3.1.3.1).
  var clientID: String {
    "fencepost" + MessageDigest.digits(of: "\(identity) \(address)", count: 14)
  }

  func run(_ output: FeedOutput) throws {
    let client = try MQTTClient(address, id: clientID)
    try client.connect()
    try take(client.takeReceived(), from: client, output)
    try client.subscribe(to: address.filters)
    output.opened()
    while true {
      let messages = try client.receive(stop: interrupter)
      if messages.isEmpty { return client.disconnect() }
      try take(messages, from: client, output)
    }
  }

  /// Stores the positions of messages, and acknowledges them.
  private func take(_ messages: [MQTTClient.Message], from client: MQTTClient, _ output: FeedOutput) throws {
    guard !messages.isEmpty else { return }
    let names = DeviceRegistry()
    let reader = MessageReader(devices: names)
    var fixes: [Fix] = []
    var phones: [String: Coordinate] = [:]
    var rejected = client.takeDropped()
    // An empty message clears a retained one.
    for message in messages where !message.payload.isEmpty {
      do {
        let read = try reader.read(message.payload, of: .given(MQTTFeed.device(of: message.topic)))
        fixes += read.fixes
        if read.kind == .ownTracks, let last = read.fixes.last {
          phones[MQTTFeed.topic(ofPhoneAt: message.topic)] = last.coordinate
        }
        rejected += read.rejected
      } catch {
        rejected += 1
        if !hasComplained { output.log(.notice, "ignored a message: \(error)") }
        hasComplained = true
      }
    }
    if rejected > 0 { output.status.reject(rejected) }
    let received = NetworkFixes(fixes, namedBy: names, sender: address.place)
    if received.misnamed > 0 { output.status.reject(received.misnamed) }
    // The broker repeats what isn't acknowledged.
    guard output.store([received]) == .stored else {
      throw MQTTFailure("positions can't be stored at the moment")
    }
    try client.acknowledge()
    for (topic, place) in phones { try give(to: topic, at: place, over: client, output) }
  }

  /// Sends a phone the fences near it, if the address asks for that.
  private func give(
    to topic: String, at place: Coordinate, over client: MQTTClient, _ output: FeedOutput
  ) throws {
    let device = MQTTFeed.device(of: topic)
    guard let command = output.waypoints?.command(for: device, at: place, nil, most: address.waypoints) else {
      return
    }
    do throws(MQTTFailure) {
      try client.publish(command, to: topic + "/cmd")
    } catch {
      output.waypoints?.forget(device)
      throw error
    }
  }

  /// The topic of the phone that published to `topic` or to its `/event`.
  private static func topic(ofPhoneAt topic: String) -> String {
    topic.hasSuffix("/event") ? String(topic.dropLast("/event".count)) : topic
  }

  /// The device of a topic: its last two levels, `user/device` of OwnTracks' `owntracks/user/device`.
  /// Transitions have one more level, `event`.
  static func device(of topic: String) -> String {
    var levels = topic.split(separator: "/")
    if levels.count > 3, levels.last == "event" { levels.removeLast() }
    return levels.suffix(2).joined(separator: "/")
  }
}
