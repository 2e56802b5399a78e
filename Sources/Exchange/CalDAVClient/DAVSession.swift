import CFencepostPublicSuffix
import FencepostCalDAV
import FencepostWebClient
import FencepostXML
public import FoundationEssentials

/// Sends requests to a WebDAV server with the credentials of an account. Use it on one thread only; calls
/// block.
///
/// Follows redirections itself, because libcurl would send the new request without its body: at most five,
/// never from `https:` to `http:`. Sends the credentials only to hosts that may receive them.
public final class DAVSession {
  private let client: HTTPClient
  private let credentials: DAVCredentials?
  /// The address from the user, which the credentials are for.
  private let origin: URL
  private var usesDigest = false
  /// Called before each request. If it throws, the request is not sent.
  private let willSend: (String, URL) throws -> Void

  private static let redirections = 5
  private static let limit = Multistatus.limits.bytes

  /// An answer with the address that it came from.
  struct Answer {
    var response: HTTPClient.Response
    var url: URL
  }

  /// A session.
  ///
  /// - Parameters:
  ///   - origin: The address that the credentials are for.
  ///   - credentials: What the user is known by; `nil` for nothing.
  ///   - willSend: Called with the method and address of each request.
  /// - Throws: ``DAVFailure`` if there is no memory for a client.
  public init(
    origin: URL, credentials: DAVCredentials?, willSend: @escaping (String, URL) throws -> Void = { _, _ in }
  ) throws {
    do { client = try HTTPClient() } catch { throw DAVFailure(.unreachable, "\(error)") }
    self.origin = origin
    self.credentials = credentials
    self.willSend = willSend
  }

  /// Sends a request and follows redirections.
  ///
  /// - Throws: ``DAVFailure`` without an answer, for a forbidden redirection, and for the statuses 401, 429
  ///   and 5xx. The   caller handles all other statuses.
  func send(
    _ method: String, _ url: URL, headers: [String] = [], body: [UInt8]? = nil, isXML: Bool = true
  ) throws -> Answer {
    var url = url
    for _ in 0...Self.redirections {
      let response = try sendOnce(method, url, headers: headers, body: body, isXML: isXML)
      guard [301, 302, 303, 307, 308].contains(response.status) else {
        try check(response, url)
        return Answer(response: response, url: url)
      }
      // libcurl's own result contains user name and password.
      guard
        let target = response.headers["location"].flatMap({ URL(string: $0, relativeTo: url)?.absoluteURL }),
        target.host?.isEmpty == false
      else {
        throw DAVFailure(.unreadable, "\(shown(url)) is redirected without an address")
      }
      if url.scheme == "https" && target.scheme != "https" {
        throw DAVFailure(
          .unreadable, "\(shown(url)) is redirected to an address without https, which is not followed")
      }
      url = target
    }
    throw DAVFailure(.unreadable, "\(shown(url)) is redirected too often")
  }

  /// - Parameter refusedToken: The access token that the server has refused for this request.
  private func sendOnce(
    _ method: String, _ url: URL, headers: [String], body: [UInt8]?, isXML: Bool, refusedToken: String? = nil
  ) throws -> HTTPClient.Response {
    try willSend(method, url)
    var request = HTTPClient.Request(url: url.absoluteString)
    request.method = method
    request.body = body
    request.headers = headers + ["Expect:"]
    if body != nil {
      request.headers.append("Content-Type: \(isXML ? "application/xml" : "text/calendar"); charset=utf-8")
    }
    request.limit = Self.limit
    request.timeout = 180
    // Behind some proxies, compression changes the ETag.
    request.acceptsCompression = method == "REPORT" || method == "PROPFIND"
    var sentToken: String?
    switch credentials.flatMap({ $0.belong(to: origin, at: url) ? $0 : nil }) {
    case .password(let user, let password):
      request.authentication =
        usesDigest ? .digest(user: user, password: password) : .basic(user: user, password: password)
    case .accessToken(let token):
      let text = try token(refusedToken)
      request.headers.append("Authorization: Bearer \(text)")
      sentToken = text
    case nil: break
    }
    do {
      let response = try client.send(request)
      if response.status == 401, let sentToken, refusedToken == nil {
        return try sendOnce(method, url, headers: headers, body: body, isXML: isXML, refusedToken: sentToken)
      }
      if response.status == 401, !usesDigest, request.authentication != .none {
        let offers = response.headers["www-authenticate"]?.lowercased() ?? ""
        if offers.contains("digest") && !offers.contains("basic") {
          usesDigest = true
          return try sendOnce(method, url, headers: headers, body: body, isXML: isXML)
        }
      }
      return response
    } catch let failure as HTTPClient.Failure {
      throw DAVFailure(.unreachable, "\(shown(url)): \(failure)")
    }
  }

  /// Retry-After in seconds, at most a day.
  private static func pause(_ response: HTTPClient.Response) -> Double? {
    response.retryAfter.map { min($0, 86_400) }
  }

  private func check(_ response: HTTPClient.Response, _ url: URL) throws {
    switch response.status {
    case 401:
      let advice =
        switch credentials {
        case .password: "refuses the user name or password; some servers need an app password"
        case .accessToken: "refuses the sign-in; \(DAVFailure.signInAdvice)"
        case nil: "asks for a user name and password; use --user"
        }
      throw DAVFailure(.unauthorized, "\(shown(url)) \(advice)")
    case 423:
      throw DAVFailure(.later, "\(shown(url)) is locked by another program", retryAfter: Self.pause(response))
    case 429:
      throw DAVFailure(.later, "\(shown(url)) asks to send fewer requests", retryAfter: Self.pause(response))
    case 501: break
    case 507: break
    case 500...:
      throw DAVFailure(
        .later, "\(shown(url)) has a problem: it answered \(response.status)",
        retryAfter: Self.pause(response)
      )
    default: break
    }
  }

  /// Sends a request that requires a multistatus as its answer.
  func multistatus(
    _ method: String, _ url: URL, depth: String, body: [UInt8]
  ) throws -> (multistatus: Multistatus, url: URL) {
    let answer = try send(method, url, headers: ["Depth: \(depth)"], body: body)
    let response = answer.response
    switch response.status {
    case 207:
      do throws(CalDAVSyntaxError) {
        return (try Multistatus(parsing: response.body), answer.url)
      } catch {
        // A server may copy characters of its data that XML forbids.
        let repaired = XMLReader.withoutForbiddenCharacters(response.body)
        if repaired != response.body, let multistatus = try? Multistatus(parsing: repaired) {
          return (multistatus, answer.url)
        }
        throw DAVFailure(.unreadable, "\(shown(url)): the answer can't be read: \(error)")
      }
    case 200..<300: throw pageInsteadOfData(url)
    case 403, 409, 412:
      let precondition = Precondition(parsing: response.body)
      if precondition?.has(.dav("valid-sync-token")) == true {
        throw DAVFailure(.invalidToken, "\(shown(url)): the sync token is out of date")
      }
      throw DAVFailure(
        .forbidden, "\(shown(url)): the server does not allow it\(DAVSession.reason(precondition))")
    case 404, 410: throw DAVFailure(.missing, "\(shown(url)): there is nothing at this address")
    case 507: throw DAVFailure(.unsupported, "\(shown(url)): the server can't answer so much at once")
    default: throw DAVFailure(.unsupported, "\(shown(url)): the server answered \(response.status)")
    }
  }

  /// The failure if a server answers with a page for people.
  func pageInsteadOfData(_ url: URL) -> DAVFailure {
    DAVFailure(
      .unreadable,
      "\(shown(url)) answers with a page instead of data: check the address, and whether it asks to sign in")
  }

  /// The names of conditions for a message, or an empty text without conditions.
  static func reason(_ precondition: Precondition?) -> String {
    guard let precondition, !precondition.conditions.isEmpty else { return "" }
    return " (\(precondition.conditions.map(\.name.local).joined(separator: ", ")))"
  }

  /// An address for messages: without user name and password.
  func shown(_ url: URL) -> String {
    var text = "\(url.scheme ?? "")://\(url.host ?? "")"
    if let port = url.port { text += ":\(port)" }
    return text + url.path
  }
}

/// What a user is known by, with a rule for the hosts that may receive it.
public enum DAVCredentials {
  /// A user name and password (Basic or Digest).
  case password(user: String, password: String)
  /// Access tokens (RFC 6750): a function that gives one. After the server has refused one, it is called with
  /// that one, and gives another.
  case accessToken((_ refused: String?) throws -> String)

  /// True if a server at `url` may receive the credentials for `origin`.
  func belong(to origin: URL, at url: URL) -> Bool {
    switch self {
    case .password: Self.belong(to: origin, at: url)
    // Other hosts of a domain may be those of other people, such as under googleusercontent.com.
    case .accessToken:
      origin.scheme?.lowercased() == url.scheme?.lowercased() && origin.place == url.place
    }
  }

  /// True if a server at `url` may receive the password for `origin`: the same host, or another host of
  /// its domain, for example `p42-caldav.icloud.com` for `caldav.icloud.com`. Never without TLS if the origin
  /// has it.
  static func belong(to origin: URL, at url: URL) -> Bool {
    guard let home = origin.host?.lowercased(), let host = url.host?.lowercased() else { return false }
    let isSecure = url.scheme?.lowercased() == "https"
    if origin.scheme?.lowercased() == "https" && !isSecure { return false }
    if home == host { return isSecure || origin.place == url.place }
    guard isSecure, let domain = domain(of: home) else { return false }
    return domain == self.domain(of: host)
  }

  /// The part of a host's name that somebody has registered, for example `icloud.com`; `nil` for an address
  /// and for a domain under which anybody can have one, such as `duckdns.org`.
  private static func domain(of host: String) -> String? {
    // A number is an address (RFC 3986, section 3.2.2).
    guard !host.contains(":"), host.split(separator: ".").last?.allSatisfy(\.isNumber) == false else {
      return nil
    }
    return host.withCString { psl_registrable_domain(psl_builtin(), $0).map { String(cString: $0) } }
  }
}

/// Why a request to a server failed.
public struct DAVFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failures.
  public enum Kind: Hashable, Sendable {
    /// No answer: the network, the name or the certificate.
    case unreachable
    /// The user name or password is wrong (401).
    case unauthorized
    /// The server does not allow it (403).
    case forbidden
    /// There is no resource at the address (404, 410).
    case missing
    /// The server asks for a later retry (429, 503 and other 5xx, 423).
    case later
    /// The sync token is no longer valid.
    case invalidToken
    /// The server does not support the method or report (400, 405, 501 and the like).
    case unsupported
    /// Not the expected answer: a sign-in page, or an incomplete text.
    case unreadable
  }

  /// The kind of failure.
  public var kind: Kind
  /// One line with the problem and its solution.
  public var description: String
  /// Retry-After, in seconds.
  public var retryAfter: Double?

  /// Whether other calendars of the account may still work.
  public var concernsOneCalendar: Bool {
    switch kind {
    case .unreachable, .unauthorized: false
    case .later: retryAfter == nil
    case .forbidden, .missing, .invalidToken, .unsupported, .unreadable: true
    }
  }

  /// What to do if a server no longer accepts a sign-in.
  public static let signInAdvice = "sign in again with 'fencepost accounts sign-in'"

  /// A failure.
  public init(_ kind: Kind, _ description: String, retryAfter: Double? = nil) {
    self.kind = kind
    self.description = description
    self.retryAfter = retryAfter
  }
}

extension URL {
  /// Host and port, as in `//example.org:443`, also if the port is the usual one.
  var place: String {
    "//\(host?.lowercased() ?? ""):\(port ?? (scheme?.lowercased() == "http" ? 80 : 443))"
  }
}
