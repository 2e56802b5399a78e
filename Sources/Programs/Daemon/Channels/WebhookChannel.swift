import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostCryptography
import FencepostSystem
import FencepostWebClient
import FoundationEssentials

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
