/// An HTTP response.
public struct HTTPResponse: Sendable {
  /// The body of a response.
  public enum Body: Sendable {
    /// Complete bytes.
    case bytes([UInt8])
    /// Events over time, until one end closes the connection.
    case events(HTTPEventStream)
  }

  /// The status code (RFC 9110, section 15).
  public var status: UInt32
  /// The headers, besides those of every response.
  public var headers: [String: String]
  /// The values of Set-Cookie headers, which can be repeated.
  public var cookies: [String] = []
  /// The body.
  public var body: Body

  /// A response.
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

  /// The bytes of the body; empty for a stream.
  public var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

  /// A response with JSON.
  public static func json(_ body: String, status: UInt32 = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }

  /// An error response with one line of text.
  public static func refusal(_ status: UInt32, _ text: String, headers: [String: String] = [:])
    -> HTTPResponse
  {
    HTTPResponse(
      status: status, headers: headers.merging(["Content-Type": "text/plain; charset=utf-8"]) { $1 },
      body: Array((text + "\n").utf8))
  }

  /// A redirect to another address.
  public static func redirect(to address: String) -> HTTPResponse {
    HTTPResponse(status: 303, headers: ["Location": address, "Cache-Control": "no-store"])
  }

  /// This response with more headers. They replace headers of the same name.
  public func with(_ more: [String: String]) -> HTTPResponse {
    var response = self
    response.headers.merge(more) { $1 }
    return response
  }

  /// Status 200 without content.
  public static let done = HTTPResponse(status: 200)

  /// The server is overloaded; the client should retry later.
  public static let busy = HTTPResponse.refusal(
    503, "the server is busy; retry later", headers: ["Retry-After": "10"])
}
