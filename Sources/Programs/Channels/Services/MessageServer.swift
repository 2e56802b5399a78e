import FencepostActions
import FencepostAddresses
import FencepostPhrases
package import FencepostSystem
package import FencepostWebClient

/// `SCHEME://[USER:PASSWORD@]HOST[:PORT]/PATH[?token-file=PATH&secure=false]`: a server that takes messages.
public struct MessageServer: Hashable, Sendable {
  /// `https://HOST:PORT`.
  let origin: String
  /// `HOST:PORT`, for names.
  let place: String
  /// The path, decoded, without slashes around it.
  let path: String
  /// The user with the password; `nil` for none.
  let user: String?
  /// The user's password.
  let password: String?
  /// The token; `nil` for none.
  let token: ChannelSecret?
  /// Whether others on the network can read what is sent.
  let isPlainOverNetwork: Bool

  /// The known parameters.
  static let words = ChannelSecret.words("token") + ["secure"]

  /// - Parameter usage: The form of the address, for messages.
  init(_ words: inout AddressParameters, usage: String) throws(AddressError) {
    let parts = try URLParts(words)
    guard let host = parts.host else { throw words.failure("missing host: use \(usage)") }
    let isSecure: Bool
    switch try words.take("secure") ?? "true" {
    case "true": isSecure = true
    case "false": isSecure = false
    default: throw words.failure("'secure' is true, for https, or false, for http")
    }
    token = try ChannelSecret("token", taking: &words)
    user = parts.user
    password = parts.password
    guard token == nil || password == nil else { throw words.failure("use a token or a password, not both") }
    guard (user == nil) == (password == nil) else {
      throw words.failure("a user needs a password: use USER:PASSWORD@\(host), or 'password-file'")
    }
    place = HostName.text(host) + (parts.port.map { ":\($0)" } ?? "")
    origin = (isSecure ? "https://" : "http://") + place
    path = String(parts.path.drop { $0 == "/" }.reversed().drop { $0 == "/" }.reversed())
    isPlainOverNetwork = !isSecure && !HostName.isLoopback(host)
  }

  /// The token.
  ///
  /// - Throws: If it can't be read, or can't be in a header.
  func tokenText() throws(SystemFailure) -> String? {
    guard let text = try token?.text() else { return nil }
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw SystemFailure("use the token", reason: "it has a space, or a letter that is not plain ASCII")
    }
    return text
  }

  /// Whether the address itself has a secret.
  var holdsSecret: Bool { password != nil || token?.isLiteral == true }

  /// The warning for an address without encryption.
  static func caution(_ name: String) -> String {
    "\(name): not encrypted: others on the network can read the alarms; use https"
  }
}

/// The address of a channel at a ``MessageServer``.
package protocol ServerChannelForm: ChannelForm {
  /// The server.
  var server: MessageServer { get }
}

extension ServerChannelForm {
  package var problem: String? { AccessCheck.problem { _ = try server.tokenText() } }
  package var destination: ServerCheck? { ServerCheck(url: server.origin) }
  package var holdsSecret: Bool { server.holdsSecret }
  package var secretFile: String? { server.token?.file }
  package var caution: String? { server.isPlainOverNetwork ? MessageServer.caution(description) : nil }
  package var backoff: Backoff { .ofServers }
}

extension AddressParameters {
  /// Takes `snooze=SPAN`: `90s`, `10m` or `1h30m`, up to a week. In seconds.
  mutating func takeSnooze() throws(AddressError) -> Double {
    guard let text = try take("snooze") else { return AlarmResponse.usualSnooze }
    guard let seconds = try? SpanPhrase.seconds(text), (1...604_800).contains(seconds) else {
      throw failure("invalid snooze time '\(text)'; use one such as snooze=10m or snooze=1h")
    }
    return seconds
  }

  /// Takes a whole number in a range; `usual` if it is missing.
  mutating func takeNumber(
    _ name: String, in range: ClosedRange<Int>, otherwise usual: Int
  ) throws(AddressError) -> Int {
    guard let text = try take(name) else { return usual }
    guard let number = Int(text), range.contains(number) else {
      throw failure("'\(name)' is a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
