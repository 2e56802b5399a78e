/// What somebody asked over HTTP, whole.
struct HTTPRequest: Sendable {
  /// Fields of the query, decoded.
  var query: [(name: String, value: String)]
  /// The headers that are asked for here, by name in lower case.
  var headers: [String: String]
  /// What was sent along.
  var body: [UInt8]
  /// Whether it was a POST, and no GET.
  var isPost: Bool
  /// The user that signed in; `nil` for nobody.
  var user: String?

  /// The first field of the query that is called `name`.
  func field(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The fields of a body that is a form (application/x-www-form-urlencoded); `nil` where it is none.
  var form: [(name: String, value: String)]? {
    guard body.contains(0x3D), !body.contains(where: { $0 < 0x20 && $0 != 0x0D && $0 != 0x0A }) else {
      return nil
    }
    return String(decoding: body, as: UTF8.self).split(separator: "&").map { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (HTTPRequest.decoded(parts[0]), parts.count > 1 ? HTTPRequest.decoded(parts[1]) : "")
    }
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == 0x2B {
        bytes.append(0x20)
      } else if byte == 0x25, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
        rest.count >= 2
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else if byte != 0x0D && byte != 0x0A {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// What is answered.
struct HTTPResponse: Sendable {
  /// The status code (RFC 9110, section 15).
  var status: UInt32
  /// The headers beside those that stand in every answer.
  var headers: [String: String] = [:]
  /// What is sent along.
  var body = ""

  /// An answer to a program.
  static func json(_ body: String) -> HTTPResponse {
    HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: body)
  }

  /// An answer that says in a line what is wrong.
  static func refusal(_ status: UInt32, _ text: String, headers: [String: String] = [:]) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: headers.merging(["Content-Type": "text/plain; charset=utf-8"]) { $1 },
      body: text + "\n")
  }

  /// The whole message of an answer after which the connection ends.
  var lastMessage: String {
    let fields =
      headers.sorted { $0.key < $1.key } + [
        ("Connection", "close"), ("Content-Length", "\(body.utf8.count)"),
      ]
    // Nobody has to be told the status in words (RFC 9112, section 4).
    return "HTTP/1.1 \(status) \r\n" + fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n" + body
  }

  /// All is well.
  static let done = HTTPResponse(status: 200)
}
