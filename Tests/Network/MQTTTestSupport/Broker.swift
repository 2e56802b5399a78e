import FencepostAddresses
package import FencepostTestSupport
import Foundation

package import FencepostMQTT

/// An MQTT broker for one test, on loopback, with its sessions on disk.
package final class Broker {
  /// Whether mosquitto is installed.
  package static let isInstalled = Counterpart.isInstalled("mosquitto", "mosquitto_passwd")
  /// Whether mosquitto and openssl are installed.
  package static let canEncrypt = isInstalled && Counterpart.isInstalled("openssl")

  package let port: UInt16
  package let directory: TemporaryDirectory
  private var process: Counterpart?

  /// Starts a broker.
  ///
  /// - Parameters:
  ///   - isProtected: Whether it requires ann's password, `s3cret`. Then she may not subscribe to `secret/#`.
  ///   - isEncrypted: Whether it uses TLS, with a certificate for localhost signed by ``authorities``.
  package init(isProtected: Bool = false, isEncrypted: Bool = false) throws {
    directory = try TemporaryDirectory()
    port = try Counterpart.freePort()
    var lines = [
      "listener \(port) 127.0.0.1", "persistence true", "persistence_location \(directory.path(""))/",
      "autosave_interval 1", "autosave_on_changes true", "allow_anonymous \(!isProtected)", "log_type none",
    ]
    // As root, mosquitto would switch to another user, who can't write here.
    if geteuid() == 0 { lines.append("user root") }
    if isProtected {
      let passwords = try directory.write("ann:s3cret\n", to: "passwords")
      try Broker.run("mosquitto_passwd", ["-U", passwords])
      let rules = try directory.write("user ann\ntopic readwrite owntracks/#\n", to: "rules")
      lines += ["password_file \(passwords)", "acl_file \(rules)"]
    }
    if isEncrypted {
      try Broker.run(
        "openssl",
        [
          "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
          "subjectAltName=DNS:localhost", "-keyout", directory.path("key.pem"), "-out", authorities,
        ])
      lines += ["certfile \(authorities)", "keyfile \(directory.path("key.pem"))"]
    }
    try directory.write(lines.joined(separator: "\n") + "\n", to: "mosquitto.conf")
    try start()
  }

  /// The certificate of the authority for an encrypted broker.
  package var authorities: String { directory.path("certificate.pem") }

  /// Starts or restarts it.
  package func start() throws {
    process = try Counterpart("mosquitto", ["-c", directory.path("mosquitto.conf")])
    guard eventually({ (try? HTTPProbe(port: port)) != nil }) else {
      throw Counterpart.Failure(description: "mosquitto doesn't start")
    }
  }

  /// Ends it. With SIGTERM it saves its sessions.
  package func stop(_ signal: Int32 = SIGTERM) {
    process?.stop(signal)
    process = nil
  }

  /// The address of a feed with this broker.
  package func feed(
    _ rest: String = "", user: String? = nil, scheme: String = "mqtt", host: String = "127.0.0.1"
  )
    throws -> MQTTAddress
  {
    let text = "\(scheme)://\(user.map { "\($0)@" } ?? "")\(host):\(port)/\(rest)"
    var words = try AddressParameters(text)
    return try MQTTAddress(feed: URLParts(words), &words)
  }

  /// Publishes messages, and waits until the broker has them.
  package func publish(_ messages: (topic: String, payload: String)..., isRetained: Bool = false) throws {
    let client = try MQTTClient(feed())
    try client.connect()
    for message in messages { try client.publish(message.payload, to: message.topic, isRetained: isRetained) }
    client.disconnect()
  }

  /// Runs a program to its end.
  private static func run(_ program: String, _ arguments: [String]) throws {
    let status = try Counterpart(program, arguments).waitUntilExit()
    guard status == 0 else { throw Counterpart.Failure(description: "\(program) failed") }
  }
}
