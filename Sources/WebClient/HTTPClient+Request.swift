extension HTTPClient {
  /// What is asked of a server, and what is taken from it.
  public struct Request: Sendable {
    /// The address, `http:` or `https:`; a name and password in it are sent as Basic authentication.
    public var url: String
    /// Lines, `Name: value`, whose texts must be free of line ends.
    public var headers: [String]
    /// What is posted; `nil` for a GET.
    public var body: [UInt8]?
    /// Whether redirections are followed.
    public var followsRedirects = false
    /// The most bytes of an answer's body that are taken, once unpacked; `nil` where the body does not matter.
    public var limit: Int?
    /// Seconds until a connection must stand.
    public var connectTimeout = 10.0
    /// Seconds that a server may say nothing.
    public var idleTimeout = 30.0
    /// Seconds that all of it may take.
    public var timeout = 30.0

    /// A request with the limits that suit a short answer.
    public init(url: String, headers: [String] = [], body: [UInt8]? = nil) {
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  /// What a server said.
  public struct Response: Sendable {
    /// The status: 200 is well.
    public var status: Int
    /// Retry-After, in seconds from now.
    public var retryAfter: Double?
    /// Location, where a redirection that was not followed points to.
    public var location: String?
    /// ETag.
    public var entityTag: String?
    /// Last-Modified.
    public var lastModified: String?
    /// The body, unpacked; empty where the request takes none.
    public var body: [UInt8]
  }

  /// Why there is no answer, in words that follow the address.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The words.
    public var description: String
  }
}
