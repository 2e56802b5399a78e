import WebServer

/// `mqtt[s]://[USER:PASSWORD@]HOST[:PORT]/TOPIC[?cafile=PATH]`: a broker and a topic.
public struct MQTTAddress: Hashable, Sendable, CustomStringConvertible {
  /// The broker.
  public var host: String
  /// Its port: 1883, or 8883 where the connection is encrypted.
  public var port: UInt16
  /// Whether the connection is encrypted.
  public var isEncrypted: Bool
  /// Who signs in.
  public var user: String?
  /// With which password.
  public var password: String?
  /// The topic, or a filter of topics.
  public var topic: String
  /// A file with the certificates of the authorities that may vouch for the broker; `nil` for the system's.
  public var authorities: String?
  /// How many of the fences near it a phone with OwnTracks is given to watch; 0 for none.
  public var waypoints = 0

  init(_ parts: URLParts, _ words: inout AddressWords, defaultTopic: String) throws(AddressError) {
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

  /// The address of a feed: the topic may be a filter.
  init(feed parts: URLParts, _ words: inout AddressWords) throws(AddressError) {
    try self.init(parts, &words, defaultTopic: "owntracks/+/+")
    waypoints = try words.takeWaypoints()
    guard MQTTAddress.isFilter(topic) else {
      throw words.failure(
        "invalid topic filter '\(topic)': + matches one whole level, and # all that follow"
      )
    }
  }

  /// Whether a topic that is published to may hold `scalar`: a plain one that is no wildcard.
  static func canBePublished(_ scalar: Unicode.Scalar) -> Bool {
    isPlain(scalar) && scalar != "+" && scalar != "#"
  }

  /// Whether brokers take `scalar` in a topic: no control and no non-character (MQTT 3.1.1, section 1.5.3).
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory != .control && !scalar.properties.isNoncharacterCodePoint
  }

  /// Whether `text` is a filter as MQTT 3.1.1 wants it (section 4.7.1).
  private static func isFilter(_ text: String) -> Bool {
    let levels = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
    return levels.enumerated().allSatisfy { index, level in
      level == ["+"] || (level == ["#"] && index == levels.count - 1) || level.allSatisfy(canBePublished)
    }
  }

  /// What a feed subscribes to: the topic; and where that is OwnTracks', one level deeper, where its transitions go.
  var filters: [String] { topic.hasSuffix("/+/+") ? [topic, topic + "/event"] : [topic] }

  /// Without the password.
  public var description: String {
    "mqtt\(isEncrypted ? "s" : "")://\(user.map { "\($0)@" } ?? "")\(place)/\(topic)"
  }

  /// Host and port.
  var place: String { "\(HostName.text(host)):\(port)" }
}
