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
  private var isAnnounced = false
  private var lastUsed = ContinuousClock.now

  /// A channel to a broker, which is connected to when there is something to say.
  public init(_ address: MQTTAddress, format: Format) {
    self.address = address
    self.format = format
  }

  deinit { client?.disconnect() }

  /// Tells Home Assistant of the channel before there is anything to deliver, since it does not hear what is said
  /// before it knows where to listen. Where that fails, the first delivery tells it.
  public func review(_ store: CalendarStore) {
    if format == .homeAssistant && !isAnnounced { _ = try? connected() }
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
    if format == .homeAssistant && !isAnnounced {
      try made.publish(
        HomeAssistantEvent.configuration(stateTopic: address.topic),
        to: HomeAssistantEvent.configurationTopic(stateTopic: address.topic), isRetained: true)
      isAnnounced = true
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
