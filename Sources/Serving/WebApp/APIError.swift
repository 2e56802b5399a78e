import FencepostActions
import FencepostCalendarStore
import FencepostItems
import FencepostJSON
import FencepostPhrases
import FencepostWebServer

/// Why a request of the API fails, for a problem of RFC 9457.
enum APIError: Error {
  /// The request is invalid.
  case invalid(String, pointer: String? = nil)
  /// There is nothing with that name.
  case notFound(String)
  /// The caller has no right to it, or to the list.
  case forbidden(String)
  /// It has changed since the caller read it; with the newer version as JSON.
  case changed(String, current: String)
  /// The current state does not allow it.
  case conflict(String)
  /// The client accepts no type that there is.
  case notAcceptable(String)
  /// The body has a type that can't be read here.
  case unsupported(String)
  /// What does it has no time now.
  case unavailable(String)

  /// What a person asked for is not possible.
  init(_ error: ActionError) {
    let text = "\(error)"
    self =
      switch error {
      case .unusableName, .noReminders, .notAReminder, .noPlace, .hasStarted, .notUnderstood, .unknownPlace,
        .noSibling:
        .invalid(text)
      case .nameTaken: .conflict(text)
      case .readOnly: .forbidden(text)
      }
  }

  /// The answer.
  var response: HTTPResponse {
    switch self {
    case .invalid(let text, let pointer): Self.problem(400, "Invalid request", text, pointer: pointer)
    case .notFound(let text): Self.problem(404, "Not found", text)
    case .forbidden(let text): Self.problem(403, "Forbidden", text)
    case .changed(let text, let current): Self.problem(412, "Changed since", text, current: current)
    case .conflict(let text): Self.problem(409, "Not possible now", text)
    case .notAcceptable(let text): Self.problem(406, "Not acceptable", text)
    case .unsupported(let text): Self.problem(415, "Wrong type", text)
    case .unavailable(let text): Self.problem(503, "Not available", text)
    }
  }

  /// A problem as JSON (RFC 9457).
  static func problem(
    _ status: UInt32, _ title: String, _ detail: String, pointer: String? = nil, current: String? = nil
  ) -> HTTPResponse {
    var line = JSONLine()
    line.add("type", "about:blank")
    line.add("title", title)
    line.add("status", Int(status))
    line.add("detail", detail)
    if let pointer { line.add("pointer", pointer) }
    if let current { line.add("current", json: current) }
    return HTTPResponse.json(line.line, status: status).with(["Content-Type": "application/problem+json"])
  }

  /// The answer for any error.
  static func response(to error: any Error) -> HTTPResponse {
    switch error {
    case let error as APIError: error.response
    case let error as ItemPatchError: APIError.invalid(error.sentence, pointer: error.pointer).response
    case let error as ItemError: APIError.invalid(error.description).response
    case let error as ActionError: APIError(error).response
    case let error as WordError: APIError.invalid(error.description).response
    case let error as UndoError: APIError.conflict(error.description).response
    case let error as StoreError where error.reason == .readOnly || error.reason == .replaced:
      problem(503, "Not available", "the store can't be used for now")
    default: problem(500, "Failure", "\(error)")
    }
  }
}
