import FencepostAddresses
import FencepostClients
import FencepostWebServer

/// Decides who may use the web app, and for what.
///
/// A browser shows a session's cookie, a program a client's password. A browser's request must come from the
/// app's own pages, under a name of this server. It refuses other sites' pages, even if their name points to
/// this machine (Fetch Metadata; RFC 6454). Without a session nothing is readable, even on this machine,
/// which other users may share.
struct WebAppGate: HTTPGate {
  let app: WebApp

  /// The paths without a session: what the sign-in page needs.
  private static let open: Set<String> = [
    "/signin", "/invitation", "/manifest.webmanifest", "/sw.js", "/favicon.ico",
  ]
  /// The paths that take a form.
  private static let forms: Set<String> = ["/signin", "/invitation"]
  /// The cookie of a page for an app. Only the API below that page's path receives it.
  static let pageCookie = "fencepost-page"
  static let securePageCookie = "__Secure-fencepost-page"

  /// The name of the session's cookie. Browsers send cookies to all ports of a host (RFC 6265, section 8.5),
  /// so the name contains the port: the sessions of two stores on one machine do not replace each other.
  static func sessionCookie(for head: HTTPHead) -> String {
    if head.isSecure { return "__Host-fencepost" }
    let port = head.headers["host"]?.firstMatch(of: /:([0-9]+)$/)?.1
    return port.map { "fencepost-\($0)" } ?? "fencepost"
  }

  let bodyLimit = 1 << 20
  var tooLarge: HTTPResponse {
    APIError.problem(413, "Too large", "a body has at most \(bodyLimit >> 20) MiB")
  }

  func claims(_ head: HTTPHead) -> Bool { true }

  func admit(_ head: HTTPHead) -> HTTPAdmission {
    switch decide(head) {
    case .admitted(let principal): .admitted(principal)
    case .refused(let response): .refused(secured(response))
    case .wrongSecret(let response): .wrongSecret(secured(response))
    }
  }

  private func secured(_ response: HTTPResponse) -> HTTPResponse {
    response.with(SecurityHeaders.all(tiles: nil)).with(["Cache-Control": "no-store"])
  }

  private func decide(_ head: HTTPHead) -> HTTPAdmission {
    if let refusal = refusal(ofOrigin: head) { return .refused(refusal) }
    let path = "/" + head.segments.joined(separator: "/")
    // A page for an app only has its own right, for every signed-in user.
    if let page = WebApp.pageName(in: head.segments) {
      let secret = head.cookie(head.isSecure ? Self.securePageCookie : Self.pageCookie)
      guard let principal = secret.flatMap({ app.openPages.principal(page, secret: $0) }) else {
        return .refused(unauthorized(head))
      }
      return .admitted(principal)
    }
    if !head.credentials.isEmpty { return admitClient(head) }
    let principal: Principal?
    do {
      let key = head.cookie(Self.sessionCookie(for: head))
      principal = try key.flatMap { try app.clients.principal(sessionKey: $0) }
    } catch {
      return .refused(APIError.response(to: error))
    }
    if let principal { return .admitted(principal) }
    if path.hasPrefix("/assets/") || path.hasPrefix("/icon") || Self.open.contains(path) {
      return .admitted(nil)
    }
    // Pages show the sign-in page; programs get an error.
    if head.method == "GET", head.segments.first != "api" { return .admitted(nil) }
    return .refused(unauthorized(head))
  }

  private func admitClient(_ head: HTTPHead) -> HTTPAdmission {
    do {
      guard let principal = try app.clients.principal(head.credentials) else {
        return .wrongSecret(unauthorized(head))
      }
      return .admitted(principal)
    } catch {
      return .refused(APIError.response(to: error))
    }
  }

  private func unauthorized(_ head: HTTPHead) -> HTTPResponse {
    APIError.problem(401, "Not signed in", "sign in, or send a client's user and password")
      // A browser would ask for a password in its own window, at each view of a page.
      .with(
        head.headers["sec-fetch-site"] == nil
          ? ["WWW-Authenticate": "Basic realm=\"fencepost\", charset=\"UTF-8\""] : [:])
  }

  /// Why a request may come from another site's page; `nil` if nothing indicates that.
  private func refusal(ofOrigin head: HTTPHead) -> HTTPResponse? {
    let host = head.headers["host"] ?? ""
    guard
      HostName.isLoopback(hostHeader: host)
        || HostName.isOne(of: app.surroundings.hosts, hostHeader: host)
    else {
      return APIError.problem(
        421, "Wrong host",
        "this server has no name '\(host.filter { $0.isASCII && $0 >= " " })'; add it to 'hosts' in the settings"
      )
    }
    let isChange = !["GET", "HEAD"].contains(head.method)
    if head.headers["origin"] != nil, head.isFromForeignPage {
      return APIError.problem(403, "Forbidden", "requests from other sites are refused")
    }
    switch head.headers["sec-fetch-site"] {
    case nil, "same-origin", "none": break
    // The user followed a link to a page.
    case _ where !isChange && head.headers["sec-fetch-mode"] == "navigate" && head.segments.first != "api":
      break
    default: return APIError.problem(403, "Forbidden", "requests from other sites are refused")
    }
    guard isChange, head.length != 0 || head.contentType != nil else { return nil }
    let isForm = Self.forms.contains(head.path) && head.contentType == "application/x-www-form-urlencoded"
    let isJSON = ["application/json", "application/merge-patch+json", WebApp.jsCalendar].contains(
      head.contentType)
    guard isForm || isJSON || head.length ?? 0 == 0 && head.contentType == nil else {
      return APIError.problem(415, "Wrong type", "send JSON, with Content-Type: application/json")
    }
    return nil
  }
}
