public import CalendarStore
import Cryptography
import CalendarModel
import FoundationEssentials
import System
import WebClient

/// Posts each firing to a server as JSON.
///
/// Signed as the Standard Webhooks have it, where there is a secret: `webhook-id` stays the same however often a
/// firing is posted, `webhook-timestamp` is when it was posted, in seconds since 1970, and `webhook-signature` is
/// `v1,` and the base64 of the HMAC-SHA256 of id, timestamp and body with dots between them.
///
/// A status of 2xx means that the server took it. A refusal of what was posted (400, 410, 413, 422 …) means that it
/// never will: that firing is given up. Everything else is tried again: what has to do with us and not with the
/// firing (401, 403, 404), a server that is busy (429, 5xx; when it says how long, for so long), one that wants it
/// sent elsewhere (3xx), and one that does not answer.
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
  ///   - timeout: After so many seconds without an answer it is tried again.
  ///   - clock: Returns the current time.
  /// - Throws: Where the secret can't be read.
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
    // Redirections are not followed: they would carry the alarm, and its signature, to where nobody meant it to go.
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
      // The place alone: the rest may hold secrets.
      let place = URLComponents(string: location).map { url in
        "\(url.scheme ?? "")://\(url.host ?? "")\(url.port.map { ":\($0)" } ?? "")\(url.path)"
      }
      words += ", to send it to \(place ?? "somewhere else") instead"
    }
    throw DeliveryFailure(
      words, isFinal: WebhookChannel.isRefusal(answer.status), retryAfter: answer.retryAfter)
  }

  private func headers(id: String, body: [UInt8]) -> [String] {
    let timestamp = String(clock().microseconds / 1_000_000)
    var headers = [
      "Content-Type: application/json", "Idempotency-Key: \"\(id)\"", "webhook-id: \(id)",
      "webhook-timestamp: \(timestamp)",
      // Without a wait for the server's leave to go on.
      "Expect:",
    ]
    if let key {
      let signed = Array("\(id).\(timestamp).".utf8) + body
      let signature = Data(MessageDigest.hmacSHA256(signed, key: key)).base64EncodedString()
      headers.append("webhook-signature: v1,\(signature)")
    }
    return headers
  }

  /// True where a server refuses what was posted, and not who posted it or where.
  private static func isRefusal(_ status: Int) -> Bool {
    switch status {
    case 401, 403, 404, 405, 407, 408, 421, 423, 424, 425, 429: false
    default: (400..<500).contains(status)
    }
  }
}
