public import FencepostSpatiotemporal
import FencepostWebClient

/// A message for a receiver, and how a push service handles it (RFC 8030, section 5).
public struct PushMessage: Hashable, Sendable {
  /// Its importance to a receiver that saves its battery.
  public enum Urgency: String, Sendable {
    /// Delivered also to a device with little power.
    case high
    /// Delivered when a device is on power or in use.
    case normal
  }

  /// The most bytes that ``content`` can have.
  public static var maximumBytes: Int { PushEncryption.maximumBytes }

  /// The content for the receiver.
  public var content: [UInt8]
  /// The media type that the push service is told.
  public var type: String
  /// For how many seconds the service keeps it while the receiver can't be reached.
  public var timeToLive: Int
  /// Its importance.
  public var urgency: Urgency
  /// A new message replaces a waiting one with the same topic: at most 32 characters of base64url.
  public var topic: String?

  /// A message.
  public init(
    content: [UInt8], type: String = "application/octet-stream", timeToLive: Int, urgency: Urgency = .normal,
    topic: String? = nil
  ) {
    self.content = content
    self.type = type
    self.timeToLive = timeToLive
    self.urgency = urgency
    self.topic = topic
  }
}

/// Why the service did not accept a message.
public enum PushFailure: Error, Hashable, Sendable {
  /// The subscription no longer exists: remove it.
  case gone
  /// The service will never accept this message.
  case refused(String)
  /// The service may accept it later: not before `retryAfter` seconds, if it says so.
  case postponed(String, retryAfter: Double?)
}

/// Sends messages to push services (RFC 8030), encrypted for their receiver. Use it on one thread; calls
/// block.
public final class PushSender {
  private let server: ApplicationServer
  /// The addresses that it pushes to.
  public let reach: PushReach
  private let timeout: Double
  private let clock: () -> Instant
  /// Separate from the client for allowed hosts: clients reuse connections, and a push to a public host must
  /// not reuse one to an allowed host.
  private let publicClient: HTTPClient
  private let allowedClient: HTTPClient
  /// The last token for each service, and when it expires.
  private var tokens: [String: (text: String, expires: Instant)] = [:]

  /// A sender for a server.
  ///
  /// - Parameters:
  ///   - server: The sending server.
  ///   - reach: The addresses that may be pushed to.
  ///   - timeout: The most seconds for a message.
  ///   - clock: Returns the current time.
  /// - Throws: If there is no memory for an HTTP client.
  public init(
    server: ApplicationServer, reach: PushReach, timeout: Double = 30, clock: @escaping () -> Instant
  ) throws {
    self.server = server
    self.reach = reach
    self.timeout = timeout
    self.clock = clock
    publicClient = try HTTPClient()
    allowedClient = try HTTPClient()
  }

  /// Sends a message and waits until the push service has accepted it.
  public func send(_ message: PushMessage, to subscription: PushSubscription) throws(PushFailure) {
    guard message.content.count <= PushMessage.maximumBytes else {
      throw .refused("the message has more than \(PushMessage.maximumBytes) bytes")
    }
    // The settings may have changed since the subscription was made.
    do throws(PushRefusal) { try reach.check(subscription.endpoint) } catch {
      throw .refused("the address \(error.description)")
    }
    guard let address = PushReach.Address(subscription.endpoint),
      let body = PushEncryption.seal(message.content, for: subscription)
    else { throw .refused("the receiver's key can't be used") }
    var headers = [
      "Authorization: \(authorization(for: address.origin))", "Content-Encoding: aes128gcm",
      "Content-Type: \(message.type)", "TTL: \(message.timeToLive)",
      "Urgency: \(message.urgency.rawValue)",
      // Do not wait for a "100 Continue".
      "Expect:",
    ]
    if let topic = message.topic { headers.append("Topic: \(topic)") }
    var request = HTTPClient.Request(url: subscription.endpoint, headers: headers, body: body)
    request.timeout = timeout
    request.connectTimeout = min(request.connectTimeout, timeout)
    request.isPublicOnly = !reach.allows(subscription.endpoint)
    try send(request)
  }

  private func send(_ request: HTTPClient.Request) throws(PushFailure) {
    let answer: HTTPClient.Response
    do throws(HTTPClient.Failure) {
      answer = try (request.isPublicOnly ? publicClient : allowedClient).send(request)
    } catch {
      throw .postponed("no answer: \(error.description)", retryAfter: nil)
    }
    let words = "the push service answered \(answer.status)"
    switch answer.status {
    case 200..<300: return
    case 404, 410: throw .gone
    case 400, 413: throw .refused(words)
    default: throw .postponed(words, retryAfter: answer.retryAfter)
    }
  }

  /// How many seconds a token is valid. RFC 8292 (section 2) allows a day, but clocks differ.
  private static let tokenSeconds = 12.0 * 3_600

  private func authorization(for origin: String) -> String {
    let now = clock()
    if let token = tokens[origin] {
      let left = token.expires.seconds(since: now)
      if left > 3_600, left <= Self.tokenSeconds { return token.text }
    }
    let expires = now.adding(seconds: Self.tokenSeconds)
    let text = server.authorization(for: origin, expires: expires)
    if tokens.count >= 100 { tokens.removeAll() }
    tokens[origin] = (text, expires)
    return text
  }
}
