import FencepostCalendarModel
import FencepostItems
import FencepostJSON
import FencepostWebServer

/// A line of the API's table: the request, the right, what goes in and out, and the function.
struct Route: Sendable {
  /// The parameters of the handler.
  struct Call: Sendable {
    let request: HTTPRequest
    /// The variable parts of the path, by name.
    let parameters: [String: String]
    /// The sender.
    let principal: Principal

    /// A field of the query.
    func field(_ name: String) -> String? { request.head.field(name) }

    /// All fields of the query with a name.
    func fields(_ name: String) -> [String] { request.head.query.filter { $0.name == name }.map(\.value) }

    /// A part of the path.
    subscript(_ name: String) -> String { parameters[name] ?? "" }

    /// A whole number of the query.
    func integer(_ name: String, in range: ClosedRange<Int>, otherwise: Int) throws(APIError) -> Int {
      guard let text = field(name) else { return otherwise }
      guard let number = Int(text), range.contains(number) else {
        throw .invalid("'\(name)' must be a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }

    /// Whether a condition (If-Match, If-None-Match) names a version, or any.
    func names(_ tag: String, in header: String) -> Bool {
      guard let text = request.head.headers[header] else { return false }
      // RFC 9110, section 8.8.3.2: whether a tag is weak says nothing here.
      return text.split(separator: ",").contains { part in
        let part = part.trimmingPrefix { $0 == " " }.trimmingPrefix("W/")
        return part.prefix { $0 != " " } == tag || part.prefix { $0 != " " } == "*"
      }
    }

    /// The body as JSON.
    func json() throws(APIError) -> JSONValue {
      do throws(JSONFailure) {
        return try JSONValue(reading: request.body, maxDepth: 16)
      } catch {
        throw .invalid("the body is no JSON: line \(error.line): \(error.complaint)")
      }
    }
  }

  /// How pages of apps may use a route (``PageRight``).
  enum Pages: Sendable {
    /// Not at all.
    case none
    /// Like all other senders, within their right.
    case also
    /// Only pages may use it.
    case only
  }

  /// The method, in upper case.
  var method: String
  /// The path below `/api/v1`, its variable parts in braces: `/items/{id}`.
  var template: String
  /// The necessary right.
  var right: Right
  /// Whether it also concerns lists outside a limited client's lists.
  var needsAllLists: Bool
  /// Whether only the owner, in a browser, may use it.
  var isOwners: Bool
  /// Whether pages of apps may use it, and whether only they may.
  var pages: Pages
  /// Whether it answers the alarm `{id}`, which a token from a notification allows too.
  var answersAlarm: Bool
  /// Whether it waits for another server or program.
  var isSlow: Bool
  /// Its effect, in a sentence.
  var summary: String
  /// The fields of the query that it reads.
  var query: [String]
  /// The body that it takes; `nil` for none.
  var body: JSONSchema?
  /// What it answers; `nil` for nothing.
  var answer: JSONSchema?
  /// The status of success.
  var status: Int
  /// The media type of the answer, and of a body if it is JSCalendar.
  var type: String
  /// Its function.
  var run: @Sendable (WebApp, Call) throws -> HTTPResponse

  /// A route. Without an `answer` its status is 204, otherwise 200 unless `status` says another.
  init(
    _ method: String, _ template: String, _ right: Right, needsAllLists: Bool = false, isOwners: Bool = false,
    answersAlarm: Bool = false, isSlow: Bool = false, pages: Pages = .none, query: [String] = [],
    _ summary: String, body: JSONSchema? = nil, answer: JSONSchema? = nil, status: Int? = nil,
    type: String = "application/json",
    run: @escaping @Sendable (WebApp, Call) throws -> HTTPResponse
  ) {
    self.method = method
    self.template = template
    self.right = right
    self.needsAllLists = needsAllLists
    self.isOwners = isOwners
    self.pages = pages
    self.answersAlarm = answersAlarm
    self.isSlow = isSlow
    self.query = query
    self.summary = summary
    self.body = body
    self.answer = answer
    self.status = status ?? (answer == nil ? 204 : 200)
    self.type = type
    self.run = run
  }

  /// Why a sender may not use it; `nil` if it may.
  func refusal(of principal: Principal, _ parameters: [String: String]) -> APIError? {
    if answersAlarm, case .answer(let notice, _) = principal.way, notice == parameters["id"],
      !needsAllLists || principal.lists == nil
    {
      return nil
    }
    guard principal.rights.contains(right) else {
      return .forbidden("'\(principal.name)' has no right to \(right.rawValue)")
    }
    let isPage = principal.isPage
    guard isPage ? pages != .none : pages != .only else {
      return .forbidden(
        isPage ? "a page for an app may not do this" : "this is for pages that apps asked for")
    }
    if needsAllLists, principal.lists != nil { return .forbidden("this needs the right to all lists") }
    if isOwners, !principal.isOwner {
      return .forbidden("only the owner may, signed in with a browser")
    }
    return nil
  }

  /// The variable parts of a path that matches this route's template; `nil` if it does not match.
  func parameters(of segments: some Collection<String>) -> [String: String]? {
    let parts = template.split(separator: "/")
    guard parts.count == segments.count else { return nil }
    var parameters: [String: String] = [:]
    for (part, segment) in zip(parts, segments) {
      if part.hasPrefix("{") {
        parameters[String(part.dropFirst().dropLast())] = segment
      } else if part != segment {
        return nil
      }
    }
    return parameters
  }
}
