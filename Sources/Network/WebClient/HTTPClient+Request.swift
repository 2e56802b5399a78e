extension HTTPClient {
  /// A request to a server, and the limits for the response.
  public struct Request: Sendable {
    /// The address, `http:` or `https:`. The client sends a user name and password in it as Basic
    /// authentication.
    public var url: String
    /// Header lines, `Name: value`, without line breaks.
    public var headers: [String]
    /// The method; `nil` for a POST with a body and a GET without one.
    public var method: String?
    /// The body.
    public var body: [UInt8]?
    /// The method of authentication.
    public var authentication = Authentication.none
    /// True to ask for a compressed response.
    public var acceptsCompression = true
    /// True to follow redirections.
    public var followsRedirects = false
    /// True to connect to public addresses only (``PublicAddress``). Use it for addresses that other people
    /// chose, so that they can't reach machines of this network. If the environment sets a proxy, all
    /// requests go to the proxy, which decides what it can reach. Use a separate client for such requests,
    /// because connections are reused.
    public var isPublicOnly = false
    /// True to refuse other addresses once it has connected to a public one. Use it with redirections from
    /// servers of others: an address that the user chose may be inside this network, and one outside must not
    /// lead there.
    public var staysPublic = false
    /// The most bytes of the response's body, after decompression; `nil` to discard the body.
    public var limit: Int?
    /// True to ignore what is beyond ``limit``; otherwise a larger body is a failure.
    public var cutsBody = false
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

  /// A method of authentication.
  public enum Authentication: Hashable, Sendable {
    /// No authentication, unless the address has a user name and password.
    case none
    /// Basic authentication in every request: the password is only as safe as the connection (RFC 7617).
    case basic(user: String, password: String)
    /// Digest authentication: an answer to the server's challenge, which costs another request (RFC 7616).
    case digest(user: String, password: String)
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
    /// All headers by name in lower case. Values of a repeated header are joined with commas.
    public var headers: [String: String]
    /// The body, decompressed; empty if the request discards it.
    public var body: [UInt8]
  }

  /// Why there is no response. The text follows the address in a message.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason.
    public var description: String
  }
}
