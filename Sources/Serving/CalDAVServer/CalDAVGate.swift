import FencepostCalDAV
import FencepostClients
import FencepostWebServer
import FencepostXML

/// Admits clients by user and password.
struct CalDAVGate: HTTPGate {
  let clients: ClientRegistry

  let bodyLimit = 4 << 20

  /// An object, and a report about very many of them, may be large; a list of properties is not.
  func bodyLimit(of method: String) -> Int {
    switch method {
    case "PUT", "REPORT": bodyLimit
    case "PROPPATCH", "MKCALENDAR", "MKCOL": 1 << 20
    default: 64 << 10
    }
  }

  var tooLarge: HTTPResponse { DAVRefusal(.caldav("max-resource-size"), status: 413).response }

  /// The methods, and whether they change something.
  private static let methods = [
    "OPTIONS": false, "GET": false, "HEAD": false, "PROPFIND": false, "REPORT": false, "PUT": true,
    "DELETE": true, "PROPPATCH": true, "MKCALENDAR": true, "MKCOL": true, "COPY": true, "MOVE": true,
    "POST": false,
  ]
  /// The value of the header Allow.
  static let allowed = methods.keys.sorted().joined(separator: ", ")

  /// Clients without a path start at `/` or `/principals/`, where browsers find pages.
  func claims(_ head: HTTPHead) -> Bool {
    switch head.segments.first {
    case "dav": true
    case ".well-known": head.segments == [".well-known", "caldav"]
    case nil, "principals": ["PROPFIND", "OPTIONS", "REPORT"].contains(head.method)
    // Clients look for an account at other servers' paths too, and should hear that nothing is there.
    default: head.method == "PROPFIND"
    }
  }

  func admit(_ head: HTTPHead) -> HTTPAdmission {
    // A redirection reveals nothing about the store, and clients try it without a password.
    if head.segments.first == ".well-known" {
      return .refused(
        HTTPResponse(status: 301, headers: ["Location": "/dav/", "Cache-Control": "no-cache"]))
    }
    // A certificate is no secret, and a phone that does not trust it yet has no password.
    if AuthorityProfile.isWanted(by: head) { return .admitted(nil) }
    // The key in the address is the secret.
    if AccountProfile.key(in: head) != nil, head.method == "GET" { return .admitted(nil) }
    let refusal = HTTPResponse.refusal(
      401, "sign in with a client's user and password; see 'fencepost clients'",
      headers: ["WWW-Authenticate": "Basic realm=\"fencepost\", charset=\"UTF-8\""])
    // A browser may know the password, and pages of other sites can make it send that.
    guard !head.isFromForeignPage else {
      return .refused(.refusal(403, "requests from other sites' pages are refused"))
    }
    guard !head.credentials.isEmpty else { return .refused(refusal) }
    do {
      guard let principal = try clients.principal(head.credentials) else { return .wrongSecret(refusal) }
      guard var isChange = Self.methods[head.method] else {
        return .refused(
          .refusal(405, "'\(head.method)' is not supported", headers: ["Allow": Self.allowed]))
      }
      // To end a subscription changes no item.
      if head.segments.starts(with: ["dav", DAVRequest.pushPath]) { isChange = false }
      guard principal.rights.contains(.read), !isChange || principal.rights.contains(.write) else {
        return .refused(DAVRefusal.needPrivileges.response)
      }
      return .admitted(principal)
    } catch {
      return .refused(.busy)
    }
  }
}
