import FencepostAddresses
import FencepostAlgorithms
import FoundationEssentials

/// A complete HTTP request.
public struct HTTPRequest: Sendable {
  /// Method, path, query and headers.
  public var head: HTTPHead
  /// The body.
  public var body: [UInt8]
  /// The authenticated sender; `nil` if the site needs no authentication.
  public var principal: Principal?

  /// A request.
  public init(head: HTTPHead, body: [UInt8] = [], principal: Principal? = nil) {
    self.head = head
    self.body = body
    self.principal = principal
  }

  /// The fields of a form in the body; `nil` if the body is not a form.
  public var form: [HTTPHead.Field]? {
    guard body.contains(0x3D), !body.contains(where: { $0 < 0x20 && $0 != 0x0D && $0 != 0x0A }) else {
      return nil
    }
    let text = String(decoding: body.filter { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
    return HTTPHead.Field.fields(of: text)
  }
}

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
    HTTPCredentials(authorization: headers["authorization"], token: nil)
  }

  /// The credentials of a phone, which may be in the query as `token` too: some apps can't send a header. Logs
  /// and histories keep addresses, so nothing else reads them there.
  public var phoneCredentials: HTTPCredentials {
    HTTPCredentials(authorization: headers["authorization"], token: field("token"))
  }

  /// The length of the body in bytes; `nil` if the request does not specify it.
  public var length: Int? { headers["content-length"].flatMap { Int($0) } }

  /// The content type without parameters, in lower case.
  public var contentType: String? {
    headers["content-type"].map { $0.prefix { $0 != ";" && $0 != " " }.lowercased() }
  }
}

/// The credentials of a request.
public struct HTTPCredentials: Sendable {
  /// The header Authorization.
  private let authorization: String?
  /// The query field `token`.
  public let token: String?

  /// The credentials from a request's header and query.
  public init(authorization: String?, token: String?) {
    self.authorization = authorization
    self.token = token
  }

  /// Whether there are no credentials.
  public var isEmpty: Bool { authorization == nil && token == nil }

  /// User and password of Basic authentication (RFC 7617).
  public var basic: (user: String, password: String)? {
    guard let data = value(of: "basic").flatMap({ Data(base64Encoded: $0) }) else { return nil }
    let parts = String(decoding: data, as: UTF8.self).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  /// The token of Bearer authentication (RFC 6750).
  public var bearer: String? { value(of: "bearer") }

  private func value(of scheme: String) -> String? {
    guard let parts = authorization?.split(separator: " ", maxSplits: 1), parts.count == 2,
      parts[0].lowercased() == scheme
    else { return nil }
    return String(parts[1].trimmingPrefix { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
  }
}

/// The media types that a client prefers: the field Accept (RFC 9110, section 12.5.1).
public struct MediaPreference: Sendable {
  private struct Range {
    var type: Substring
    var subtype: Substring
    var parameters: [String]
    var quality: Double

    /// How exactly it names a type; `nil` if it does not include it.
    func precision(_ wanted: Range) -> Int? {
      if type == "*", subtype == "*" { return 0 }
      guard type == wanted.type else { return nil }
      if subtype == "*" { return 1 }
      guard subtype == wanted.subtype, parameters.allSatisfy(wanted.parameters.contains) else { return nil }
      return 2 + parameters.count
    }
  }

  private let ranges: [Range]

  /// The preference of a request; everything without the field.
  public init(_ head: HTTPHead) { self.init(accept: head.headers["accept"]) }

  init(accept: String?) {
    ranges = (accept ?? "").split(separator: ",").prefix(100).compactMap { Self.range($0) }
  }

  /// The type that the client prefers; of equal ones the first. `nil` if it accepts none.
  ///
  /// - Parameter types: Types such as `application/json`, with parameters if they have some.
  public func choose(among types: [String]) -> String? {
    guard !ranges.isEmpty else { return types.first }
    var best: (type: String, quality: Double)?
    for type in types {
      guard let wanted = Self.range(type[...]) else { continue }
      let fitting = ranges.compactMap { range in range.precision(wanted).map { ($0, range.quality) } }
      guard let quality = fitting.max(by: { $0.0 < $1.0 })?.1, quality > best?.quality ?? 0 else { continue }
      best = (type, quality)
    }
    return best?.type
  }

  private static func range(_ text: Substring) -> Range? {
    let parts = text.lowercased().split(separator: ";").map {
      $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
    }
    guard let names = parts.first?.split(separator: "/", omittingEmptySubsequences: false), names.count == 2
    else {
      return nil
    }
    var parameters: [String] = []
    var quality = 1.0
    for part in parts.dropFirst() {
      if part.hasPrefix("q=") {
        quality = Double(part.dropFirst(2)).map { $0.isFinite ? min(max($0, 0), 1) : 0 } ?? 0
        break
      }
      parameters.append(part)
    }
    return Range(type: names[0], subtype: names[1], parameters: parameters, quality: quality)
  }
}
