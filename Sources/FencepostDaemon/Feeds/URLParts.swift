import Foundation

/// The parts of a URL, decoded.
struct URLParts {
  var text: String
  var scheme: String
  var user: String?
  var password: String?
  var host: String?
  var port: UInt16?
  var path: String
  var query: [String: String] = [:]

  init(_ text: String) throws(AddressError) {
    // `+` and `#` are MQTT's wildcards and stand for themselves.
    guard let parts = URLComponents(string: text.replacingOccurrences(of: "#", with: "%23")),
      let scheme = parts.scheme
    else {
      throw AddressError(text, "this is no address that can be read; it looks like scheme://host/path")
    }
    if let port = parts.port, UInt16(exactly: port) == nil {
      throw AddressError(text, "\(port) is no port; ports go from 1 to 65535")
    }
    self.text = text
    self.scheme = scheme.lowercased()
    user = parts.user
    password = parts.password
    host = parts.host.flatMap { $0.isEmpty ? nil : $0.trimmingCharacters(in: ["[", "]"]) }
    port = parts.port.flatMap { UInt16(exactly: $0) }
    path = parts.path
    for item in parts.queryItems ?? [] { query[item.name] = item.value ?? "" }
  }
}

/// `http://[USER:PASSWORD@]HOST:PORT[?token=TOKEN]`: where to listen, and who may send.
public struct HTTPAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address of this machine to listen on.
  public var host: String
  /// The port.
  public var port: UInt16
  /// Who must sign in with Basic authentication; `nil` for nobody.
  public var user: String?
  /// With which password.
  public var password: String?
  /// What must be sent as a bearer token or as `?token=`; `nil` for nothing.
  public var token: String?

  init(_ parts: URLParts) throws(AddressError) {
    host = parts.host ?? "127.0.0.1"
    port = parts.port ?? 8085
    user = parts.user
    password = parts.password
    token = parts.query["token"]
    guard isLoopback || token?.isEmpty == false || (user?.isEmpty == false && password?.isEmpty == false)
    else {
      throw AddressError(
        parts.text,
        "anybody on the network could send positions; listen on 127.0.0.1, or ask for a secret:"
          + " http://USER:PASSWORD@\(host):\(port) or http://\(host):\(port)?token=SECRET")
    }
  }

  /// True where only this machine can reach it.
  public var isLoopback: Bool { host == "::1" || host == "localhost" || host.hasPrefix("127.") }

  /// Without secrets.
  public var description: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

/// `mqtt[s]://[USER:PASSWORD@]HOST[:PORT]/TOPIC`: a broker and a topic.
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

  init(_ parts: URLParts, defaultTopic: String = "owntracks/+/+") throws(AddressError) {
    guard let host = parts.host else {
      throw AddressError(parts.text, "say which broker, as in mqtt://localhost/owntracks/+/+")
    }
    self.host = host
    isEncrypted = parts.scheme == "mqtts"
    port = parts.port ?? (isEncrypted ? 8883 : 1883)
    user = parts.user
    password = parts.password
    let topic = String(parts.path.drop { $0 == "/" })
    self.topic = topic.isEmpty ? defaultTopic : topic
  }

  /// Without the password.
  public var description: String {
    "mqtt\(isEncrypted ? "s" : "")://\(user.map { "\($0)@" } ?? "")\(host):\(port)/\(topic)"
  }
}
