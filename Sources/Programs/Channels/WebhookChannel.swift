import FencepostAddresses
import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostCryptography
import FencepostJSON
import FencepostRecurrence
package import FencepostSystem
package import FencepostWebClient
import FoundationEssentials

/// `https://HOST/PATH?…`: the server for the requests, and the secret for their signature.
public struct WebhookAddress: Hashable, Sendable {
  /// The URL of the requests, without our parameters.
  public let url: String
  /// `nil` for unsigned requests.
  public let secret: ChannelSecret?
  /// What it gets instead of the notice as JSON; `nil` for that.
  let template: ChannelTemplate?
  /// Without user, password and the values after `?`.
  public let description: String
  /// Whether the address has a secret.
  package let holdsSecret: Bool
  /// Whether others on the network can read it.
  let isPlainOverNetwork: Bool

  init(_ words: AddressParameters) throws(AddressError) {
    var words = words
    secret = try ChannelSecret("secret", taking: &words)
    template = try ChannelTemplate(taking: &words)
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
      secret?.isLiteral == true || parts.password != nil
      || words.words.contains { secretFields.contains($0.name.lowercased()) }
    isPlainOverNetwork = scheme == "http" && !HostName.isLoopback(name)
  }
}

extension WebhookAddress: ChannelForm {
  package var unnamed: String { "the user, the secret, a template or a value after '?'" }
  package var problem: String? { AccessCheck.problem { _ = try secret.map(WebhookChannel.key) } }
  package var destination: ServerCheck? { ServerCheck(url: url) }
  package var secretFile: String? { secret?.file }
  package var caution: String? {
    isPlainOverNetwork ? MessageServer.caution(description) : nil
  }
  package var backoff: Backoff { .ofServers }
  package func open(_ context: ChannelContext) throws -> any Channel {
    try WebhookChannel(self, words: NoticeWords(resolver: context.resolver))
  }
}

/// Posts each firing to a server as JSON.
///
/// With a secret, requests are signed according to Standard Webhooks. `webhook-id` is the same for each
/// attempt. `webhook-timestamp` is the time of the attempt, in seconds since 1970. `webhook-signature` is
/// `v1,` and the base64 of the HMAC-SHA256 of id, timestamp and body, with dots between them.
public final class WebhookChannel: Channel {
  private let url: String
  private let key: [UInt8]?
  private let template: ChannelTemplate?
  private let words: NoticeWords
  private let sender: DeliveryClient
  private let clock: () -> Instant

  /// A channel to the server at an address.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - words: The texts of a template.
  ///   - timeout: The seconds to wait for a response.
  ///   - clock: Returns the current time.
  ///
  /// - Throws: If the secret can't be read.
  init(
    _ address: WebhookAddress, words: NoticeWords, timeout: Double = 30,
    clock: @escaping () -> Instant = Instant.wallClock
  ) throws {
    url = address.url
    template = address.template
    self.words = words
    key = try address.secret.map(Self.key)
    sender = try DeliveryClient(timeout: timeout)
    self.clock = clock
  }

  /// Posts the firing.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    let body = Array(content(delivery, line).utf8)
    _ = try sender.send(
      HTTPClient.Request(url: url, headers: headers(id: delivery.identifier, body: body), body: body))
  }

  /// The body: the JSON of the notice, what the template says, or its title and body as JSON.
  private func content(_ delivery: Delivery, _ line: String) -> String {
    guard let texts = template?.texts(delivery.notice, words) else { return line }
    if texts.isJSON { return texts.body }
    var content = JSONLine()
    content.add("title", texts.title)
    content.add("body", texts.body)
    return content.line
  }

  private func headers(id: String, body: [UInt8]) -> [String] {
    let timestamp = String(clock().microseconds / 1_000_000)
    var headers = [
      "Content-Type: application/json", "Idempotency-Key: \"\(id)\"", "webhook-id: \(id)",
      "webhook-timestamp: \(timestamp)",
    ]
    if let key {
      let signed = Array("\(id).\(timestamp).".utf8) + body
      let signature = Data(MessageDigest.hmacSHA256(signed, key: key)).base64EncodedString()
      headers.append("webhook-signature: v1,\(signature)")
    }
    return headers
  }

  /// The key. After `whsec_` the text is base64 (Standard Webhooks); otherwise the key is the text's bytes.
  fileprivate static func key(_ secret: ChannelSecret) throws -> [UInt8] {
    let text = try secret.text()
    let prefix = "whsec_"
    guard text.hasPrefix(prefix) else { return Array(text.utf8) }
    guard let data = Data(base64Encoded: String(text.dropFirst(prefix.count))), !data.isEmpty else {
      throw SystemFailure("read the secret", reason: "the text after \(prefix) is not base64")
    }
    return Array(data)
  }
}
