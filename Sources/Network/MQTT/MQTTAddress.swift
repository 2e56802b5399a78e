package import FencepostAddresses

/// `mqtt[s]://[USER:PASSWORD@]HOST[:PORT]/TOPIC[?cafile=PATH]`: a broker and a topic.
public struct MQTTAddress: Hashable, Sendable, CustomStringConvertible {
  /// The host of the broker.
  public var host: String
  /// The port of the broker; by default 1883, or 8883 with encryption.
  public var port: UInt16
  /// Whether the connection is encrypted.
  public var isEncrypted: Bool
  /// The user; `nil` for none.
  public var user: String?
  /// The password of the user.
  public var password: String?
  /// The topic, or a filter of topics.
  public var topic: String
  /// A file with the certificates of trusted authorities; `nil` for the system's.
  public var authorities: String?
  /// The number of nearby fences that a phone with OwnTracks gets to watch; 0 for none.
  public var waypoints = 0

  package init(_ parts: URLParts, _ words: inout AddressParameters, defaultTopic: String) throws(AddressError)
  {
    guard let host = parts.host else {
      throw words.failure("missing host, as in \(parts.scheme)://localhost/\(defaultTopic)")
    }
    self.host = host
    isEncrypted = parts.scheme == "mqtts"
    port = parts.port ?? (isEncrypted ? 8883 : 1883)
    user = parts.user
    password = parts.password
    authorities = try words.take("cafile")
    if authorities != nil && !isEncrypted {
      throw words.failure("'cafile' needs mqtts://")
    }
    if password != nil && user?.isEmpty != false {
      throw words.failure("a password needs a user: mqtt://USER:PASSWORD@\(host)")
    }
    let topic = String(parts.path.drop { $0 == "/" })
    self.topic = topic.isEmpty ? defaultTopic : topic
    guard self.topic.utf8.count <= 65_535, self.topic.unicodeScalars.allSatisfy(MQTTAddress.isPlain) else {
      throw words.failure("invalid topic")
    }
  }

  /// The address of a feed. Its topic may be a filter.
  package init(feed parts: URLParts, _ words: inout AddressParameters) throws(AddressError) {
    try self.init(parts, &words, defaultTopic: "owntracks/+/+")
    waypoints = try words.takeWaypoints()
    guard MQTTAddress.isFilter(topic) else {
      throw words.failure(
        "invalid topic filter '\(topic)': + matches one whole level, and # all that follow"
      )
    }
  }

  /// Whether a topic for publishing may contain `scalar`: plain, and not a wildcard.
  package static func canBePublished(_ scalar: Unicode.Scalar) -> Bool {
    isPlain(scalar) && scalar != "+" && scalar != "#"
  }

  /// Whether brokers accept `scalar` in a topic: no control character and no non-character (MQTT 3.1.1,
  /// section 1.5.3).
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory != .control && !scalar.properties.isNoncharacterCodePoint
  }

  /// Whether `text` is a valid filter (MQTT 3.1.1, section 4.7.1).
  private static func isFilter(_ text: String) -> Bool {
    let levels = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
    return levels.enumerated().allSatisfy { index, level in
      level == ["+"] || (level == ["#"] && index == levels.count - 1) || level.allSatisfy(canBePublished)
    }
  }

  /// The subscriptions of a feed: the topic and, for OwnTracks' topics, the level below it, which has the
  /// transitions.
  package var filters: [String] { topic.hasSuffix("/+/+") ? [topic, topic + "/event"] : [topic] }

  /// The address without the password.
  public var description: String {
    "mqtt\(isEncrypted ? "s" : "")://\(user.map { "\($0)@" } ?? "")\(place)/\(topic)"
  }

  /// Host and port.
  package var place: String { "\(HostName.text(host)):\(port)" }
}
