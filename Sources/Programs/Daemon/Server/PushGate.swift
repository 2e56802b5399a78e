import FencepostSynchronizer
import FencepostWebServer

/// Admits pushes of accounts' servers. The path is a secret, and the message has to be encrypted with another one.
struct PushGate: HTTPGate {
  let bodyLimit = 4_096
  let tooLarge = HTTPResponse.refusal(413, "a push has at most 4,096 bytes")

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
