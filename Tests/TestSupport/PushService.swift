public import FencepostCryptography
import FencepostWebPush
public import FencepostWebServer
import Synchronization

/// A push service on this machine, and the browser behind it: it decrypts each message.
public final class PushService: Sendable {
  /// A message that came.
  public struct Message: Sendable {
    /// The headers, by name in lower case.
    public var headers: [String: String]
    /// What the browser reads; `nil` where it can't be decrypted.
    public var content: String?
  }

  /// The key of the browser.
  public let key = EllipticKey()
  /// The secret that the browser shares with servers.
  public let secret = Secret.random(16)
  /// The address that the browser gives to servers.
  public var endpoint: String { "http://127.0.0.1:\(server.port)/push/abc" }
  /// The host that a server has to be allowed.
  public var host: String { "127.0.0.1:\(server.port)" }
  /// The messages that came, the refused ones too.
  public var messages: [Message] { received.withLock { $0 } }

  private let server: HTTPServer
  private let workers: HTTPWorkers
  private let received: Received

  private final class Received: Sendable {
    private let messages = Mutex<[Message]>([])
    func withLock<Result>(_ body: (inout [Message]) -> Result) -> Result { messages.withLock { body(&$0) } }
  }

  private struct Gate: HTTPGate {
    let bodyLimit = 4_096
    var tooLarge: HTTPResponse { HTTPResponse(status: 413) }
    func claims(_ head: HTTPHead) -> Bool { true }
    func admit(_ head: HTTPHead) -> HTTPAdmission { .admitted(nil) }
  }

  /// - Parameter answer: What to answer, told how many messages came before.
  public init(answer: @escaping @Sendable (Int) -> HTTPResponse = { _ in HTTPResponse(status: 201) }) throws {
    let site = try HTTPSite(Gate())
    let (receiver, received) = (PushReceiver(key: key, secret: secret), Received())
    self.received = received
    server = try HTTPServer(HTTPListener(host: "127.0.0.1", port: 0), sites: [site])
    workers = try HTTPWorkers(1, for: site.queue) { request in
      let content = receiver.open(request.body)
        .map { String(decoding: $0, as: UTF8.self) }
      let count = received.withLock { messages in
        messages.append(Message(headers: request.head.headers, content: content))
        return messages.count - 1
      }
      return answer(count)
    }
  }
}
