import FencepostAddresses
import FencepostAlgorithms

/// A request without its body, for the decision about it.
public struct HTTPHead: Sendable {
  /// A field of a query or form.
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

    /// The fields of a query or of a form (application/x-www-form-urlencoded).
    static func fields(of text: some StringProtocol) -> [Field] {
      text.split(separator: "&").map { field in
        let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return Field(
          name: PercentEncoding.decodeLeniently(parts[0], isForm: true),
          value: parts.count > 1 ? PercentEncoding.decodeLeniently(parts[1], isForm: true) : "")
      }
    }
  }

  /// GET, POST and so on, in upper case.
  public var method: String
  /// The path as sent, percent-encoded.
  public var rawPath: String
  /// The fields of the query.
  public var query: [Field]
  /// The headers, by name in lower case. Repeated headers are joined with `, ` (RFC 9110, section 5.3).
  public var headers: [String: String]
  /// The sender, if known.
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

  /// The decoded path. It does not distinguish `/` from `%2F`; ``segments`` does.
  public var path: String { PercentEncoding.decodeLeniently(rawPath) }

  /// The parts of the path between slashes, each decoded.
  public var segments: [String] {
    rawPath.split(separator: "/", omittingEmptySubsequences: true).map { PercentEncoding.decodeLeniently($0) }
  }

  /// The value of the first query field with this name.
  public func field(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The value of the cookie `name`; `nil` if there is no such cookie (RFC 6265, section 5.4).
  public func cookie(_ name: String) -> String? {
    for part in headers["cookie"]?.split(separator: ";") ?? [] {
      let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2, pair[0] == name { return String(pair[1]) }
    }
    return nil
  }

  /// The credentials of the sender.
  public var credentials: HTTPCredentials {
    HTTPCredentials(authorization: headers["authorization"], token: field("token"))
  }

  /// The length of the body in bytes; `nil` if the request does not specify it.
  public var length: Int? { headers["content-length"].flatMap { Int($0) } }

  /// The content type without parameters, in lower case.
  public var contentType: String? {
    headers["content-type"].map { $0.prefix { $0 != ";" && $0 != " " }.lowercased() }
  }

  /// The reason why a request without a secret may come from a foreign page in a browser on this machine;
  /// `nil` if nothing indicates that.
  ///
  /// Browsers send the origin of a page. If a foreign host name resolves to this machine, the browser sends
  /// that name as the host.
  public var reasonToDistrust: String? {
    if headers["origin"] != nil || headers["sec-fetch-site"].map({ $0 != "none" }) == true {
      return "requests from browser pages are refused"
    }
    guard let host = headers["host"], !HostName.isLoopback(hostHeader: host) else { return nil }
    return "wrong host '\(host.filter { $0.isASCII && $0 >= " " })'"
  }
}
