import FencepostAlarmEngine
import FencepostCalendarModel
public import FencepostCalendarStore

/// Publishes firings to an MQTT broker. A firing counts as delivered when the broker has acknowledged it (QoS
/// 1).
public final class MQTTChannel: Channel {
  /// The format of messages.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// The usual JSON of a firing, to the topic of the address.
    case json
    /// OwnTracks' transition message, to `BASE/user/device/event`. The topic of the address is the base. It
    /// skips firings that are neither arrivals nor departures.
    case ownTracks = "owntracks"
    /// The firing with an `event_type`, to the topic of the address, which is announced to Home Assistant.
    case homeAssistant = "homeassistant"

    /// The default topic.
    var defaultTopic: String {
      switch self {
      case .json: "fencepost/firings"
      case .ownTracks: "owntracks"
      case .homeAssistant: "fencepost/events"
      }
    }
  }

  /// A connection that was idle for longer is replaced, because nothing has checked it since.
  private static let idleLimit = Duration.seconds(30)

  private let address: MQTTAddress
  private let format: Format
  private var client: MQTTClient?
  private var lastUsed = ContinuousClock.now
  /// The consecutive failures of the announcement to Home Assistant, and the time of the next attempt.
  private var failures = 0
  private var nextAnnouncement = ContinuousClock.now
  private static let backoff = Backoff(most: 600)

  /// A channel to a broker. It connects when there is something to publish.
  public init(_ address: MQTTAddress, format: Format) {
    self.address = address
    self.format = format
  }

  deinit { client?.disconnect() }

  /// Announces the channel to Home Assistant before the first delivery: Home Assistant misses messages that
  /// come before the announcement. After a failure, it retries with growing delays, and also with the next
  /// delivery.
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
    // Each time, because a restarted broker may have lost it.
    if format == .homeAssistant {
      try made.publish(
        HomeAssistantEvent.configuration(stateTopic: address.topic),
        to: HomeAssistantEvent.configurationTopic(stateTopic: address.topic), isRetained: true)
    }
    client = made
    lastUsed = .now
    return made
  }

  /// The topic and message of a firing; `nil` if the format has no message for it.
  private func message(_ entry: LedgerEntry, _ line: String) -> (topic: String, payload: String)? {
    switch format {
    case .json: (address.topic, line)
    case .homeAssistant: (address.topic, HomeAssistantEvent.payload(of: entry.firing, line: line))
    case .ownTracks:
      OwnTracksTransition(entry).map { ($0.topic(base: address.topic), $0.payload) }
    }
  }
}
