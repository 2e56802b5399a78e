/// A request before its body: what decides whether it is taken.
public struct HTTPHead: Sendable {
  /// A field of the query or of a form.
  public struct Field: Hashable, Sendable {
    /// The name, decoded.
    public var name: String
    /// The value, decoded.
    public var value: String

    /// A field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// GET, POST and so on, in upper case.
  public var method: String
  /// The path as it was sent, with its percent signs.
  public var rawPath: String
  /// The fields of the query.
  public var query: [Field]
  /// The headers, by name in lower case; several of one name with `, ` between them (RFC 9110, section 5.3).
  public var headers: [String: String]
  /// Who sent it, as far as is known.
  public var sender: HTTPSender?
  /// Whether it came over TLS.
  public var isSecure: Bool

  /// A head.
  public init(
    method: String, rawPath: String, query: [Field] = [], headers: [String: String] = [:],
    sender: HTTPSender? = nil, isSecure: Bool = false
  ) {
    self.method = method
    self.rawPath = rawPath
    self.query = query
    self.headers = headers
    self.sender = sender
    self.isSecure = isSecure
  }

  /// The path, decoded. A `/` that was sent as `%2F` can't be told from another here: see ``segments``.
  public var path: String { PercentCoding.decode(rawPath) }

  /// The parts of the path between its slashes, each decoded.
  public var segments: [String] {
    rawPath.split(separator: "/", omittingEmptySubsequences: true).map { PercentCoding.decode($0) }
  }

  /// The first field of the query that is called `name`.
  public func field(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// What the cookie `name` holds; `nil` where there is none (RFC 6265, section 5.4).
  public func cookie(_ name: String) -> String? {
    for part in headers["cookie"]?.split(separator: ";") ?? [] {
      let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2, pair[0] == name { return String(pair[1]) }
    }
    return nil
  }

  /// What the sender shows to be let in.
  public var credentials: HTTPCredentials {
    HTTPCredentials(authorization: headers["authorization"], token: field("token"))
  }

  /// How long the body is to be; `nil` where that isn't said.
  public var length: Int? { headers["content-length"].flatMap { Int($0) } }

  /// The type of the body without parameters, in lower case.
  public var contentType: String? {
    headers["content-type"].map { $0.prefix { $0 != ";" && $0 != " " }.lowercased() }
  }

  /// Why a request without a secret may come from a page in a browser on this machine that has no business here.
  /// `nil` where nothing speaks for that.
  ///
  /// Browsers say where a page comes from; and one whose name was made to stand for this machine says that name.
  public var reasonToDistrust: String? {
    if headers["origin"] != nil || headers["sec-fetch-site"].map({ $0 != "none" }) == true {
      return "requests from browser pages are refused"
    }
    guard let host = headers["host"], !HostName.isLoopback(hostHeader: host) else { return nil }
    return "wrong host '\(host.filter { $0.isASCII && $0 >= " " })'"
  }
}
