import FencepostCalendarModel
import FencepostCalendarStore
import FencepostJSON
import FencepostWebClient
import FoundationEssentials

/// Sends the requests of channels, and says what a server's answer means for the delivery.
///
/// It does not follow redirects: they would send an alarm and its secrets to another server. Status 2xx means
/// delivered. A refusal of the body (400, 410, 413, 422 …) is final. All else is retried: a refusal of the
/// sender (401, 403), of the path (404), a busy server (429, 5xx; after its Retry-After), a redirect (3xx),
/// and no answer.
struct DeliveryClient {
  private let client: HTTPClient
  private let timeout: Double

  /// A sender that waits `timeout` seconds for an answer.
  init(timeout: Double = 30) throws {
    client = try HTTPClient()
    self.timeout = timeout
  }

  /// What the body of a refusal says.
  struct Explanation {
    /// The reason, in the server's words.
    var reason: String?
    /// The seconds until a retry.
    var retryAfter: Double?
    /// Whether it refuses us or our settings, whatever the status is.
    var isRefusal = false
  }

  /// The bytes of an answer that are read. The rest is ignored.
  private static let answerLimit = 65_536

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - request: The request. The answer's body is read only if `explains` is given.
  ///   - timeout: The seconds to wait; `nil` for the sender's.
  ///   - explains: Reads the body of a failure, if it is JSON.
  /// - Returns: The answer.
  func send(
    _ request: HTTPClient.Request, timeout: Double? = nil,
    explains: ((JSONValue) -> Explanation)? = nil
  ) throws(DeliveryFailure) -> HTTPClient.Response {
    var request = request
    request.timeout = timeout ?? self.timeout
    request.idleTimeout = request.timeout
    // Don't wait for "100 Continue".
    request.headers.append("Expect:")
    if explains != nil {
      request.limit = Self.answerLimit
      request.cutsBody = true
    }
    let answer: HTTPClient.Response
    do {
      answer = try client.send(request)
    } catch {
      throw DeliveryFailure("no answer: \(error.description)")
    }
    guard !(200..<300).contains(answer.status) else { return answer }
    let explanation = (try? JSONValue(reading: answer.body, maxDepth: 16)).flatMap { explains?($0) }
    throw Self.failure(answer, explanation ?? Explanation())
  }

  private static func failure(
    _ answer: HTTPClient.Response, _ explanation: Explanation
  ) -> DeliveryFailure {
    var words = "the server answered \(answer.status)"
    if let reason = explanation.reason?.withoutControls, !reason.isEmpty {
      words += " (\(reason.prefix(200)))"
    }
    if (300..<400).contains(answer.status), let location = answer.location {
      // Without the query, which may contain secrets.
      let place = URLComponents(string: location).map { url in
        "\(url.scheme ?? "")://\(url.host ?? "")\(url.port.map { ":\($0)" } ?? "")\(url.path)"
      }
      words += ", a redirect to \(place ?? "another address")"
    }
    let isRefusal = explanation.isRefusal || answer.status == 401 || answer.status == 403
    return DeliveryFailure(
      words, isFinal: !isRefusal && refusesBody(answer.status), isRefusal: isRefusal,
      retryAfter: [answer.retryAfter, explanation.retryAfter].compactMap(\.self).max())
  }

  /// True if the server rejects the body, and not the sender or the path.
  private static func refusesBody(_ status: Int) -> Bool {
    switch status {
    case 401, 403, 404, 405, 407, 408, 421, 423, 424, 425, 429: false
    default: (400..<500).contains(status)
    }
  }
}

extension String {
  /// Its start, in at most `limit` bytes of UTF-8, with an ellipsis where something is left out.
  func cut(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var kept = ""
    var count = 3
    for scalar in unicodeScalars {
      count += scalar.utf8.count
      if count > limit { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept + "…"
  }
}
