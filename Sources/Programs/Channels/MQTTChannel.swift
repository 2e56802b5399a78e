import FencepostAddresses
import FencepostAlarmEngine
import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostCryptography
import FencepostGeodesy
import FencepostJSON
public import FencepostMQTT
package import FencepostSystem
package import FencepostWebClient

/// `mqtt[s]://HOST/TOPIC[?format=json|owntracks|homeassistant]`: a broker, a topic, and what is published.
public struct MQTTChannelAddress: Hashable, Sendable, CustomStringConvertible {
  /// The broker and the topic.
  public let broker: MQTTAddress
  /// The form of messages.
  public let format: MQTTChannel.Format
  /// Whether it also publishes devices, presence and the next alarm, for Home Assistant.
  let tellsStates: Bool
  /// Whether people may add reminders in Home Assistant.
  let takesLines: Bool

  init(_ words: inout AddressParameters) throws(AddressError) {
    let name = try words.take("format") ?? MQTTChannel.Format.json.rawValue
    guard let format = MQTTChannel.Format(rawValue: name) else {
      let known = MQTTChannel.Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw words.failure("unknown format '\(name)'; use \(known)")
    }
    self.format = format
    func flag(_ name: String) throws(AddressError) -> Bool {
      switch try words.take(name) ?? "false" {
      case "false": return false
      case "true" where format == .homeAssistant: return true
      default: throw words.failure("'\(name)' is true or false, and needs format=homeassistant")
      }
    }
    tellsStates = try flag("states")
    takesLines = try flag("add")
    broker = try MQTTAddress(URLParts(words), &words, defaultTopic: format.defaultTopic)
    guard broker.topic.unicodeScalars.allSatisfy(MQTTAddress.canBePublished) else {
      throw words.failure("'\(broker.topic)' is a filter; a topic to publish to can't have + or #")
    }
  }

  /// Without the password, but with the format: one topic can have several.
  public var description: String {
    format == .json ? broker.description : "\(broker)?format=\(format.rawValue)"
  }
}

extension MQTTChannelAddress: ChannelForm {
  package static let words = ["format", "states", "add", "cafile"]
  package var unnamed: String { "the password, 'states', 'add' or 'cafile'" }
  package var problem: String? { broker.authorities.flatMap { AccessCheck.problem(reading: $0) } }
  package var destination: ServerCheck? {
    ServerCheck(place: broker.place, isEncrypted: broker.isEncrypted, authorities: broker.authorities)
  }
  package var holdsSecret: Bool { broker.password != nil }
  package var backoff: Backoff { .ofServers }
  package func open(_ context: ChannelContext) -> any Channel {
    let states = tellsStates ? HomeAssistantStates(base: broker.topic, resolver: context.resolver) : nil
    let channel = MQTTChannel(broker, format: format, states: states)
    if takesLines { channel.startAdder = { [broker] in try HomeAssistantAdder(broker, context) } }
    return channel
  }
}

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
  private var states: HomeAssistantStates?
  /// Starts to wait for lines of Home Assistant, at the first review.
  fileprivate var startAdder: (() throws -> HomeAssistantAdder)?
  private var adder: HomeAssistantAdder?
  private var client: MQTTClient?
  private var lastUsed = ContinuousClock.now
  /// The consecutive failures of the announcement to Home Assistant, and the time of the next attempt.
  private var failures = 0
  private var nextAnnouncement = ContinuousClock.now
  private static let backoff = Backoff(most: 600)
  /// When all states were last published, and how often they are published without a change: a broker that
  /// was restarted may have lost them.
  private var lastAnnounced = ContinuousClock.now
  private static let announcementInterval = Duration.seconds(3_600)

  /// A channel to a broker. It connects when there is something to publish.
  init(_ address: MQTTAddress, format: Format, states: HomeAssistantStates? = nil) {
    self.address = address
    self.format = format
    self.states = states
  }

  deinit {
    adder?.stop()
    client?.disconnect()
  }

  /// Announces the channel to Home Assistant before the first delivery: Home Assistant misses messages that
  /// come before the announcement. After a failure, it retries with growing delays, and also with the next
  /// delivery.
  ///
  /// Then publishes what has changed of devices, presence and the next alarm.
  public func review(_ store: CalendarStore) {
    if adder == nil { adder = try? startAdder?() }
    guard format == .homeAssistant, client == nil || states != nil, nextAnnouncement <= .now else { return }
    do {
      if states == nil {
        _ = try connected()
      } else {
        try publishStates(of: store)
      }
      failures = 0
    } catch {
      client = nil
      states?.forget()
      failures += 1
      nextAnnouncement = .now + .seconds(MQTTChannel.backoff.seconds(afterFailures: failures))
    }
  }

  /// Whether each position may change what it has published.
  public var followsDevices: Bool { states != nil }

  private func publishStates(of store: CalendarStore) throws {
    if ContinuousClock.now - lastAnnounced > Self.announcementInterval {
      states?.forget()
      lastAnnounced = .now
    }
    for message in try states?.changes(in: store) ?? [] {
      try connected().publish(message.payload, to: message.topic, isRetained: true)
      lastUsed = .now
      states?.record(message)
    }
  }

  /// Publishes the firing.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    guard let (topic, payload) = message(delivery.notice, line) else { return }
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

  /// The topic and message of a notice; `nil` if the format has no message for it.
  private func message(_ notice: Notice, _ line: String) -> (topic: String, payload: String)? {
    switch format {
    case .json: (address.topic, line)
    case .homeAssistant: (address.topic, HomeAssistantEvent.payload(of: notice, line: line))
    case .ownTracks:
      notice.firing.flatMap(OwnTracksTransition.init).map { ($0.topic(base: address.topic), $0.payload) }
    }
  }
}

/// Firings as an event entity of Home Assistant, announced by MQTT discovery.
/// (https://www.home-assistant.io/integrations/event.mqtt/)
///
/// It is an event, because a device tracker or a sensor has a state, and a firing has none. There is one
/// entity for all places and items, which are attributes. An entity for each place would be announced with
/// its first event, and Home Assistant would miss that event. Events are not retained: otherwise each restart
/// of Home Assistant would repeat them.
enum HomeAssistantEvent {
  /// The discovery topic of Home Assistant.
  static func configurationTopic(stateTopic: String) -> String {
    "homeassistant/event/\(id(stateTopic))/alarm/config"
  }

  /// The discovery message.
  static func configuration(stateTopic: String) -> String {
    var device = JSONLine()
    device.add("identifiers", [id(stateTopic)])
    device.add("name", "Fencepost")
    device.add("manufacturer", "Fencepost")
    var origin = JSONLine()
    origin.add("name", "Fencepost")
    var line = JSONLine()
    line.add("name", "Alarm")
    line.add("unique_id", "\(id(stateTopic))_alarm")
    line.add("state_topic", stateTopic)
    line.add("event_types", Notice.Kind.allCases.map(\.rawValue))
    line.add("icon", "mdi:map-marker-alert")
    line.add("qos", 1)
    line.add("device", device)
    line.add("origin", origin)
    return line.line
  }

  /// The notice in `line`, with the key that makes it an event.
  static func payload(of notice: Notice, line: String) -> String {
    var event = JSONLine()
    event.add("event_type", notice.kind.rawValue)
    return event.line.dropLast() + "," + line.dropFirst()
  }

  /// The channel's identifier in Home Assistant: letters, digits and underscores, one per topic.
  static func id(_ topic: String) -> String { "fencepost_" + MessageDigest.digits(of: topic, count: 12) }
}

/// OwnTracks' message for an arrival or a departure, as its apps publish it. Home Assistant and others read
/// it. (https://owntracks.org/booklet/tech/json/)
struct OwnTracksTransition {
  private let entry: LedgerEntry
  private let crossing: Firing.Crossing

  /// The message of a firing; `nil` if it is neither an arrival nor a departure.
  init?(_ entry: LedgerEntry) {
    guard let crossing = entry.firing.crossing, entry.firing.kind == .enter || entry.firing.kind == .leave
    else { return nil }
    self.entry = entry
    self.crossing = crossing
  }

  /// `BASE/user/device/event`. The user is `fencepost` if the device name has none.
  func topic(base: String) -> String {
    // By scalar: a combining mark after a wildcard forms one character with it, but the wildcard's byte
    // stays.
    let scalars = crossing.device.unicodeScalars.map { MQTTAddress.canBePublished($0) ? $0 : "_" }
    let name = String(String.UnicodeScalarView(scalars))
    let levels = name.split(separator: "/")
    let device = levels.count > 1 ? levels.joined(separator: "/") : "fencepost/\(levels.first ?? "device")"
    return "\(base)/\(device)/event"
  }

  /// The message.
  var payload: String {
    var line = JSONLine()
    line.add("_type", "transition")
    line.add("event", entry.firing.kind.rawValue)
    line.add("desc", entry.firing.place?.title ?? "")
    line.add("tst", seconds(entry.firing.time))
    // The time when the waypoint was made, which identifies waypoints in OwnTracks. We use `rid` instead. The
    // 0 shows our own feeds that this is not a position.
    line.add("wtst", 0)
    line.add("lat", crossing.position.latitude)
    line.add("lon", crossing.position.longitude)
    line.add("acc", crossing.accuracy ?? 0)
    line.add("tid", String(crossing.device.suffix(2)))
    line.add("t", "l")
    line.add("rid", MessageDigest.digits(of: entry.firing.alarm.rawValue, count: 12))
    line.add("_id", MessageDigest.digits(of: entry.firing.key, count: 16))
    return line.line
  }

  private func seconds(_ instant: Instant) -> Int {
    Int((Double(instant.microseconds) / 1e6).rounded(.down))
  }
}
