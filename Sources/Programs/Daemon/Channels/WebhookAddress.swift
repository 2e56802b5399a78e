import FencepostSystem
import FencepostWebServer
import FoundationEssentials
import Glibc

/// `https://HOST/PATH?…`: the server for the requests, and the secret for their signature.
public struct WebhookAddress: Hashable, Sendable {
  /// The source of the shared secret.
  public enum Secret: Hashable, Sendable {
    /// `secret=TEXT`: from the address, which others on this machine may see.
    case literal(String)
    /// `secret-file=PATH`: the first line of a file.
    case file(String)
    /// `secret-env=NAME`: an environment variable.
    case environment(String)
  }

  /// The URL of the requests, without our parameters.
  public let url: String
  /// `nil` for unsigned requests.
  public let secret: Secret?
  /// Without user, password and the values after `?`.
  public let description: String
  /// Whether the address has a secret.
  let holdsSecret: Bool
  /// Whether others on the network can read it.
  let isPlainOverNetwork: Bool

  init(_ words: AddressWords) throws(AddressError) {
    var words = words
    let literal = try words.take("secret")
    let file = try words.take("secret-file")
    let variable = try words.take("secret-env")
    let secrets = [
      literal.map(Secret.literal), file.map(Secret.file), variable.map(Secret.environment),
    ].compactMap(\.self)
    guard secrets.count < 2 else {
      throw words.failure("use only one of secret-file=PATH, secret-env=NAME and secret=TEXT")
    }
    guard literal != "", file?.hasPrefix("/") != false, variable != "" else {
      throw words.failure("missing secret: use secret-file=/PATH, secret-env=NAME or secret=TEXT")
    }
    secret = secrets.first
    url = words.rest
    guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty,
      let scheme = parts.scheme, parts.fragment == nil
    else {
      throw words.failure("invalid address; use https://HOST/PATH")
    }
    let name = HostName.withoutBrackets(host)
    var shown =
      "\(scheme)://\(HostName.text(name))" + (parts.port.map { ":\($0)" } ?? "") + parts.percentEncodedPath
    if !words.words.isEmpty { shown += "?" + words.words.map { "\($0.name)=…" }.joined(separator: "&") }
    description = shown
    // Common names of parameters for secrets. Other names give no hint.
    let secretFields = ["token", "access_token", "auth", "key", "apikey", "api_key", "secret", "password"]
    holdsSecret =
      literal != nil || parts.password != nil
      || words.words.contains { secretFields.contains($0.name.lowercased()) }
    isPlainOverNetwork = scheme == "http" && !HostName.isLoopback(name)
  }

  /// A warning for its user.
  var caution: String? {
    isPlainOverNetwork
      ? "\(description): not encrypted: others on the network can read the alarms; use https://" : nil
  }
}

extension WebhookAddress.Secret {
  /// The key. After `whsec_` the text is base64 (Standard Webhooks); otherwise the key is the text's bytes.
  func key() throws -> [UInt8] {
    let text: String
    switch self {
    case .literal(let secret): text = secret
    case .environment(let name):
      guard let value = getenv(name), value.pointee != 0 else {
        throw SystemFailure("find the secret", reason: "the environment variable \(name) is not set")
      }
      text = String(cString: value)
    case .file(let path):
      text = try FileHead.secret(path)
    }
    let prefix = "whsec_"
    guard text.hasPrefix(prefix) else { return Array(text.utf8) }
    guard let data = Data(base64Encoded: String(text.dropFirst(prefix.count))), !data.isEmpty else {
      throw SystemFailure("read the secret", reason: "the text after \(prefix) is not base64")
    }
    return Array(data)
  }
}
