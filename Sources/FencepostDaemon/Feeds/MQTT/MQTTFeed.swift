import Cryptography
import CalendarModel
import Geodesy
import PositionFeeds

/// Positions that a broker hands on: OwnTracks in its MQTT mode, and whatever else ``MessageReader`` reads.
///
/// The broker keeps what comes while the daemon is away, as it knows the daemon by its name (a persistent session,
/// QoS 1), and a message is acknowledged after the engine's step was committed: nothing is lost between the two. What
/// comes twice, as it may, or was kept by the broker and is old by now, is a fix that moves no time forward, or a late
/// one; either changes nothing.
final class MQTTFeed: LiveFeed {
  private let address: MQTTAddress
  private let identity: String
  private let interrupter: Int32
  /// Whether it was said that a message can't be used, which is said once.
  private var hasComplained = false

  /// A feed of the messages that fit the topic of `address`.
  ///
  /// - Parameters:
  ///   - address: The broker, and the filter of topics.
  ///   - identity: What tells this daemon from others.
  ///   - interrupter: A descriptor that is ready when the feed is to end; -1 for never.
  init(_ address: MQTTAddress, identity: String, interruptedBy interrupter: Int32 = -1) {
    self.address = address
    self.identity = identity
    self.interrupter = interrupter
  }

  /// The name by which the broker knows the daemon: one for each feed, since the broker ends the connection of a
  /// namesake. Of 23 letters and digits, which every broker takes (MQTT 3.1.1, section 3.1.3.1).
  var clientID: String {
    String(
      ("fencepost" + MessageDigest.hexadecimal(MessageDigest.sha256(Array("\(identity) \(address)".utf8))))
        .prefix(23))
  }

  func run(_ desk: FeedDesk) throws {
    let client = try MQTTClient(address, id: clientID)
    try client.connect()
    try take(client.takeReceived(), from: client, desk)
    try client.subscribe(to: address.filters)
    desk.opened()
    while true {
      let messages = try client.receive(stop: interrupter)
      if messages.isEmpty { return client.disconnect() }
      try take(messages, from: client, desk)
    }
  }

  /// Hands in what messages say, and acknowledges them.
  private func take(_ messages: [MQTTClient.Message], from client: MQTTClient, _ desk: FeedDesk) throws {
    guard !messages.isEmpty else { return }
    let names = DeviceRegistry()
    let reader = MessageReader(devices: names)
    var fixes: [Fix] = []
    var phones: [String: Coordinate] = [:]
    var rejected = client.takeDropped()
    // An empty message takes a retained one back.
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
        if !hasComplained { desk.note(.notice, "ignored a message: \(error)") }
        hasComplained = true
      }
    }
    if rejected > 0 { desk.board.reject(rejected) }
    let received = NetworkFixes(fixes, namedBy: names, sender: address.place)
    if received.misnamed > 0 { desk.board.reject(received.misnamed) }
    // What isn't acknowledged comes again.
    guard desk.keep([received]) == .kept else {
      throw MQTTFailure("positions can't be stored at the moment")
    }
    try client.acknowledge()
    for (topic, place) in phones { try give(to: topic, at: place, over: client, desk) }
  }

  /// Gives a phone the fences near it, where that is wanted.
  private func give(
    to topic: String, at place: Coordinate, over client: MQTTClient, _ desk: FeedDesk
  ) throws {
    let device = MQTTFeed.device(of: topic)
    guard let command = desk.waypoints?.command(for: device, at: place, most: address.waypoints) else {
      return
    }
    do throws(MQTTFailure) {
      try client.publish(command, to: topic + "/cmd")
    } catch {
      desk.waypoints?.forget(device)
      throw error
    }
  }

  /// The topic of the phone that published to another one, or to that.
  private static func topic(ofPhoneAt topic: String) -> String {
    topic.hasSuffix("/event") ? String(topic.dropLast("/event".count)) : topic
  }

  /// The device that a topic stands for: its last two levels, `user/device` of OwnTracks' `owntracks/user/device`, to which
  /// transitions go with one more level, `event`.
  static func device(of topic: String) -> String {
    var levels = topic.split(separator: "/")
    if levels.count > 3, levels.last == "event" { levels.removeLast() }
    return levels.suffix(2).joined(separator: "/")
  }
}
