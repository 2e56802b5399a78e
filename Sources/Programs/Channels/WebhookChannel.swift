import FencepostAddresses
import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostCryptography
import FencepostSystem
import FencepostWebClient
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

/// Posts each firing to a server as JSON.
///
/// With a secret, requests are signed according to Standard Webhooks. `webhook-id` is the same for each
/// attempt. `webhook-timestamp` is the time of the attempt, in seconds since 1970. `webhook-signature` is
/// `v1,` and the base64 of the HMAC-SHA256 of id, timestamp and body, with dots between them.
///
/// Status 2xx means delivered. A rejection of the body (400, 410, 413, 422 …) is permanent, and the firing is
/// given up. All else is retried: a rejection of the sender or path (401, 403, 404), a busy server (429, 5xx;
/// after its Retry-After), a redirect (3xx), and no response.
public final class WebhookChannel: Channel {
  private let url: String
  private let key: [UInt8]?
  private let client: HTTPClient
  private let timeout: Double
  private let clock: () -> Instant

  /// A channel to the server at an address.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - timeout: The seconds to wait for a response.
  ///   - clock: Returns the current time.
  ///
  /// - Throws: If the secret can't be read.
  public convenience init(_ address: WebhookAddress, timeout: Double = 30) throws {
    try self.init(address, timeout: timeout, clock: Instant.wallClock)
  }

  init(_ address: WebhookAddress, timeout: Double, clock: @escaping () -> Instant) throws {
    url = address.url
    key = try address.secret?.key()
    client = try HTTPClient()
    self.timeout = timeout
    self.clock = clock
  }

  /// Posts the firing.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    let body = Array(line.utf8)
    // Don't follow redirects: they would send the alarm and its signature to another server.
    var request = HTTPClient.Request(
      url: url, headers: headers(id: delivery.identifier, body: body), body: body)
    request.timeout = timeout
    let answer: HTTPClient.Response
    do {
      answer = try client.send(request)
    } catch {
      throw DeliveryFailure("no answer: \(error.description)")
    }
    guard !(200..<300).contains(answer.status) else { return }
    var words = "the server answered \(answer.status)"
    if (300..<400).contains(answer.status), let location = answer.location {
      // Without the query, which may contain secrets.
      let place = URLComponents(string: location).map { url in
        "\(url.scheme ?? "")://\(url.host ?? "")\(url.port.map { ":\($0)" } ?? "")\(url.path)"
      }
      words += ", a redirect to \(place ?? "another address")"
    }
    throw DeliveryFailure(
      words, isFinal: WebhookChannel.isRefusal(answer.status), retryAfter: answer.retryAfter)
  }

  private func headers(id: String, body: [UInt8]) -> [String] {
    let timestamp = String(clock().microseconds / 1_000_000)
    var headers = [
      "Content-Type: application/json", "Idempotency-Key: \"\(id)\"", "webhook-id: \(id)",
      "webhook-timestamp: \(timestamp)",
      // Don't wait for "100 Continue".
      "Expect:",
    ]
    if let key {
      let signed = Array("\(id).\(timestamp).".utf8) + body
      let signature = Data(MessageDigest.hmacSHA256(signed, key: key)).base64EncodedString()
      headers.append("webhook-signature: v1,\(signature)")
    }
    return headers
  }

  /// True if the server rejects the body, and not the sender or the path.
  private static func isRefusal(_ status: Int) -> Bool {
    switch status {
    case 401, 403, 404, 405, 407, 408, 421, 423, 424, 425, 429: false
    default: (400..<500).contains(status)
    }
  }
}
