import AlarmEngine
import CalendarModel
public import CalendarStore

/// Publishes firings to an MQTT broker; one counts as delivered when the broker has acknowledged it (QoS 1).
public final class MQTTChannel: Channel {
  /// What is published.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// The firing as it is told everywhere, to the topic of the address.
    case json
    /// OwnTracks' message of a transition, to `BASE/user/device/event`, the topic of the address being the base.
    /// Other firings than those of entering and leaving are passed over.
    case ownTracks = "owntracks"
    /// The firing with an `event_type`, to the topic of the address, which Home Assistant is told of.
    case homeAssistant = "homeassistant"

    /// The topic where the address names none.
    var defaultTopic: String {
      switch self {
      case .json: "fencepost/firings"
      case .ownTracks: "owntracks"
      case .homeAssistant: "fencepost/events"
      }
    }
  }

  /// A connection that was used for longer ago than this is made anew: nobody has seen to it since.
  private static let idleLimit = Duration.seconds(30)

  private let address: MQTTAddress
  private let format: Format
  private var client: MQTTClient?
  private var lastUsed = ContinuousClock.now
  /// How often Home Assistant could not be told in a row, and when to try again.
  private var failures = 0
  private var nextAnnouncement = ContinuousClock.now
  private static let backoff = Backoff(most: 600)

  /// A channel to a broker, which is connected to when there is something to say.
  public init(_ address: MQTTAddress, format: Format) {
    self.address = address
    self.format = format
  }

  deinit { client?.disconnect() }

  /// Tells Home Assistant of the channel before there is anything to deliver, since it does not hear what is said
  /// before it knows where to listen. Where that fails it is tried again now and then, and by the next delivery.
  public func review(_ store: CalendarStore) {
    guard format == .homeAssistant, client == nil, nextAnnouncement <= .now else { return }
    do {
      _ = try connected()
      failures = 0
    } catch {
      failures += 1
      nextAnnouncement = .now + .seconds(MQTTChannel.backoff.seconds(afterFailures: failures))
    }
  }

  /// Publishes the firing.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    guard let (topic, payload) = message(delivery.entry, line) else { return }
    do throws(MQTTFailure) {
      try connected().publish(payload, to: topic)
      lastUsed = .now
    } catch {
      if !error.isFinal { client = nil }
      throw DeliveryFailure(error.description, isFinal: error.isFinal)
    }
  }

  private func connected() throws(MQTTFailure) -> MQTTClient {
    if let client {
      if ContinuousClock.now - lastUsed < MQTTChannel.idleLimit { return client }
      client.disconnect()
      self.client = nil
    }
    let made = try MQTTClient(address)
    try made.connect()
    // Each time: a broker that was started anew may have forgotten it.
    if format == .homeAssistant {
      try made.publish(
        HomeAssistantEvent.configuration(stateTopic: address.topic),
        to: HomeAssistantEvent.configurationTopic(stateTopic: address.topic), isRetained: true)
    }
    client = made
    lastUsed = .now
    return made
  }

  /// The topic and the message that tell of a firing; `nil` where the format has none.
  private func message(_ entry: LedgerEntry, _ line: String) -> (topic: String, payload: String)? {
    switch format {
    case .json: (address.topic, line)
    case .homeAssistant: (address.topic, HomeAssistantEvent.payload(of: entry.firing, line: line))
    case .ownTracks:
      OwnTracksTransition(entry).map { ($0.topic(base: address.topic), $0.payload) }
    }
  }
}
