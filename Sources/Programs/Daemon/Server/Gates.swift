import FencepostCalendarModel
import FencepostClients
import FencepostSynchronizer
import FencepostWebServer

/// Admits pushes of accounts' servers. The path is a secret, and the message has to be encrypted with another
/// one.
struct PushGate: HTTPGate {
  let bodyLimit = 4_096
  var tooLarge: HTTPResponse { .refusal(413, "a push has at most \(bodyLimit.grouped) bytes") }

  static let unknown = HTTPResponse.refusal(404, "there is nothing at this address")

  func claims(_ head: HTTPHead) -> Bool { head.rawPath.hasPrefix(PushEndpoint.path) }

  func admit(_ head: HTTPHead) -> HTTPAdmission {
    guard head.method == "POST" else {
      return .refused(.refusal(405, "only POST is possible", headers: ["Allow": "POST"]))
    }
    return head.rawPath.utf8.count == PushEndpoint.path.utf8.count + PushEndpoint.secretCount
      ? .admitted(nil) : .refused(Self.unknown)
  }
}

/// Admits clients with a right, below a path.
struct ClientGate: HTTPGate {
  let path: String
  let right: Right
  let clients: ClientRegistry
  let bodyLimit = 4 << 20
  var tooLarge: HTTPResponse { .refusal(413, "more than \(bodyLimit >> 20) MiB; send less at once") }

  func claims(_ head: HTTPHead) -> Bool {
    let path = head.path
    return path == self.path || path.hasPrefix(self.path + "/")
  }

  /// The credentials; for apps without a field for them, a token after the path: `/positions/USER:PASSWORD`.
  private func credentials(of head: HTTPHead) -> HTTPCredentials {
    guard head.phoneCredentials.isEmpty, head.segments.count == 2 else { return head.phoneCredentials }
    return HTTPCredentials(authorization: nil, token: head.segments[1])
  }

  func admit(_ head: HTTPHead) -> HTTPAdmission {
    let refusal = HTTPResponse.refusal(
      401, "sign in with a client's user and password; see 'fencepost clients'",
      headers: ["WWW-Authenticate": "Basic realm=\"fencepost\", charset=\"UTF-8\""])
    let credentials = credentials(of: head)
    guard !credentials.isEmpty else { return .refused(refusal) }
    // A browser may have stored the password, and pages of other sites could make it send that.
    guard !head.isFromForeignPage else {
      return .refused(.refusal(403, "requests from other sites' pages are refused"))
    }
    do {
      guard let principal = try clients.principal(credentials) else { return .wrongSecret(refusal) }
      guard principal.rights.contains(right) else {
        return .refused(.refusal(403, "'\(principal.name)' has no right to \(right.rawValue)"))
      }
      guard head.method == "POST" || head.method == "GET" else {
        return .refused(.refusal(405, "use POST or GET", headers: ["Allow": "GET, POST"]))
      }
      return .admitted(principal)
    } catch {
      return .refused(.busy)
    }
  }
}
