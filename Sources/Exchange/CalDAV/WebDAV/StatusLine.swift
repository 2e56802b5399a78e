/// The text of a status within a multistatus, for example `HTTP/1.1 200 OK` (RFC 4918, section 14.28).
enum StatusLine {
  /// The status code in `text`; `nil` if it has none.
  static func code(_ text: String) -> Int? {
    let parts = text.split(whereSeparator: \.isWhitespace)
    guard parts.count >= 2, parts[0].hasPrefix("HTTP/"), let code = Int(parts[1]), (100...999).contains(code)
    else { return nil }
    return code
  }

  /// The text of `code`.
  static func text(_ code: Int) -> String { "HTTP/1.1 \(code) \(reasons[code] ?? "Status")" }

  private static let reasons = [
    200: "OK", 201: "Created", 204: "No Content", 403: "Forbidden", 404: "Not Found", 409: "Conflict",
    412: "Precondition Failed", 424: "Failed Dependency", 500: "Internal Server Error",
    507: "Insufficient Storage",
  ]
}
