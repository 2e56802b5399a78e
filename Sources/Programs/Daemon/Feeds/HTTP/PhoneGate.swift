import FencepostCryptography
import FencepostWebServer

/// The access check for posted positions.
struct PhoneGate: HTTPGate {
  private let address: HTTPAddress

  /// The maximum bytes of a body.
  var bodyLimit = 4 << 20

  init(_ address: HTTPAddress) { self.address = address }

  /// Whether no secret is needed.
  private var isOpen: Bool { !address.asksForSecret }

  func claims(_ head: HTTPHead) -> Bool { true }

  func admit(_ head: HTTPHead) -> HTTPAdmission {
    let credentials = head.credentials
    guard admits(credentials) else {
      let challenge = address.user == nil ? "Bearer" : "Basic realm=\"fencepost\", charset=\"UTF-8\""
      let refusal = HTTPResponse.refusal(
        401,
        credentials.isEmpty ? "missing secret: send a token, or a user and a password" : "wrong secret",
        headers: ["WWW-Authenticate": challenge])
      return credentials.isEmpty ? .refused(refusal) : .wrongSecret(refusal)
    }
    if isOpen, let reason = head.reasonToDistrust {
      return .refused(.refusal(403, "\(reason); add a secret to the feed, with ?token= in its address"))
    }
    if let only = address.path, head.path != only {
      return .refused(.refusal(404, "send positions to \(only)"))
    }
    if let refusal = refusal(ofMethod: head.method) { return .refused(refusal) }
    let user = credentials.basic?.user
    return .admitted(user.map { Principal(name: $0, way: .address, rights: [.positions]) })
  }

  private func admits(_ credentials: HTTPCredentials) -> Bool {
    if isOpen { return true }
    // Always compare all of them, so that the time reveals nothing.
    var isAdmitted = false
    if let token = address.token {
      for offered in [credentials.token, credentials.bearer] {
        if let offered, MessageDigest.areEqual(offered, token) { isAdmitted = true }
      }
    }
    if let user = address.user, let password = address.password, let offered = credentials.basic {
      let isUser = MessageDigest.areEqual(offered.user, user)
      let isPassword = MessageDigest.areEqual(offered.password, password)
      if isUser && isPassword { isAdmitted = true }
    }
    return isAdmitted
  }

  /// The response to an unsuitable method; `nil` if the method is fine.
  private func refusal(ofMethod method: String) -> HTTPResponse? {
    switch method {
    case "POST": return nil
    // Any web page can make a browser send a GET request to this machine, without its origin.
    case "GET" where isOpen:
      return .refusal(
        405,
        "use POST; for an app that uses GET, add a token to the feed, with ?token= in its address",
        headers: ["Allow": "POST"])
    case "GET": return nil
    default:
      let methods = isOpen ? ["POST"] : ["GET", "POST"]
      return .refusal(
        405, "use \(methods.reversed().joined(separator: " or "))",
        headers: ["Allow": methods.joined(separator: ", ")])
    }
  }

  var tooLarge: HTTPResponse {
    .refusal(413, "more than \(bodyLimit >> 20) MiB; send fewer positions at once")
  }
}
