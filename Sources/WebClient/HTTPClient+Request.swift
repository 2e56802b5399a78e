extension HTTPClient {
  /// A request to a server, and the limits for the response.
  public struct Request: Sendable {
    /// The address, `http:` or `https:`. The client sends a user name and password in it as Basic authentication.
    public var url: String
    /// Header lines, `Name: value`, without line breaks.
    public var headers: [String]
    /// The body of a POST; `nil` for a GET.
    public var body: [UInt8]?
    /// True to follow redirections.
    public var followsRedirects = false
    /// The most bytes of the response's body, after decompression; `nil` to discard the body.
    public var limit: Int?
    /// The most seconds to connect.
    public var connectTimeout = 10.0
    /// The most seconds without data from the server.
    public var idleTimeout = 30.0
    /// The most seconds for the whole request.
    public var timeout = 30.0

    /// A request with limits for a short response.
    public init(url: String, headers: [String] = [], body: [UInt8]? = nil) {
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  /// The response of a server.
  public struct Response: Sendable {
    /// The status; 200 means success.
    public var status: Int
    /// Retry-After, in seconds from now.
    public var retryAfter: Double?
    /// Location: the target of a redirection that the client did not follow.
    public var location: String?
    /// ETag.
    public var entityTag: String?
    /// Last-Modified.
    public var lastModified: String?
    /// The body, decompressed; empty if the request discards it.
    public var body: [UInt8]
  }

  /// Why there is no response. The text follows the address in a message.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason.
    public var description: String
  }
}
