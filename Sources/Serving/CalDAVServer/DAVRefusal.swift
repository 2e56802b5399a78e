import FencepostCalDAV
import FencepostWebServer
import FencepostXML

/// Why a request is refused: a status, and conditions that clients understand.
struct DAVRefusal: Error {
  var status: UInt32
  var precondition: Precondition
  /// One line for people.
  var message: String?

  /// A failed condition.
  init(_ condition: XMLName, status: UInt32 = 403, _ message: String? = nil) {
    self.init([XMLElement(condition)], status: status, message)
  }

  /// Failed conditions.
  init(_ conditions: [XMLElement], status: UInt32, _ message: String? = nil) {
    self.status = status
    precondition = Precondition(conditions)
    self.message = message
  }

  /// A status and a sentence.
  init(status: UInt32, _ message: String) { self.init([], status: status, message) }

  static let notFound = DAVRefusal(status: 404, "nothing is here")
  static let needPrivileges = DAVRefusal(.dav("need-privileges"), "this client has no right to do that")
  static let failedCondition = DAVRefusal(status: 412, "it has changed since")

  /// The failure as an answer.
  var response: HTTPResponse {
    guard !precondition.conditions.isEmpty else { return .refusal(status, message ?? "refused") }
    var precondition = precondition
    if let message {
      precondition.conditions.append(XMLElement(.fencepost("message"), text: message))
    }
    return .xml(precondition.document, status: status)
  }
}

extension HTTPResponse {
  static func xml(_ body: [UInt8], status: UInt32) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: ["Content-Type": "application/xml; charset=utf-8", "Cache-Control": "no-store"],
      body: body)
  }

  static func multistatus(_ multistatus: Multistatus) -> HTTPResponse {
    .xml(multistatus.document, status: 207)
  }
}
