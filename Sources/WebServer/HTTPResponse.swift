/// What is answered.
public struct HTTPResponse: Sendable {
  /// What is sent along.
  public enum Body: Sendable {
    /// Bytes, which are there.
    case bytes([UInt8])
    /// Events as they come, until one end closes the connection.
    case events(HTTPEventStream)
  }

  /// The status code (RFC 9110, section 15).
  public var status: UInt32
  /// The headers beside those that stand in every answer.
  public var headers: [String: String]
  /// Headers that stand more than once, such as cookies.
  public var cookies: [String] = []
  /// What is sent along.
  public var body: Body

  /// An answer.
  public init(status: UInt32, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = .bytes(body)
  }

  /// A stream of server-sent events.
  public init(events: HTTPEventStream) {
    status = 200
    headers = ["Content-Type": "text/event-stream", "Cache-Control": "no-store"]
    body = .events(events)
  }

  /// The bytes of the body; none for a stream.
  public var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

  /// An answer to a program.
  public static func json(_ body: String, status: UInt32 = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }

  /// An answer that says in a line what is wrong.
  public static func refusal(_ status: UInt32, _ text: String, headers: [String: String] = [:])
    -> HTTPResponse
  {
    HTTPResponse(
      status: status, headers: headers.merging(["Content-Type": "text/plain; charset=utf-8"]) { $1 },
      body: Array((text + "\n").utf8))
  }

  /// Another address to ask.
  public static func redirect(to address: String) -> HTTPResponse {
    HTTPResponse(status: 303, headers: ["Location": address, "Cache-Control": "no-store"])
  }

  /// This answer with more headers, which replace those of the same name.
  public func with(_ more: [String: String]) -> HTTPResponse {
    var response = self
    response.headers.merge(more) { $1 }
    return response
  }

  /// The whole message of an answer after which the connection ends.
  var lastMessage: [UInt8] {
    let fields =
      headers.sorted { $0.key < $1.key } + [("Connection", "close"), ("Content-Length", "\(bytes.count)")]
    // Nobody has to be told the status in words (RFC 9112, section 4).
    let head = "HTTP/1.1 \(status) \r\n" + fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
    return Array(head.utf8) + bytes
  }

  /// All is well.
  public static let done = HTTPResponse(status: 200)

  /// Too much to do: come again.
  public static let busy = HTTPResponse.refusal(
    503, "the server is busy; retry later", headers: ["Retry-After": "10"])
}
