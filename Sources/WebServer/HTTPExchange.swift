import CMicroHTTPD
import Glibc

/// A request that is being answered.
///
/// `@unchecked Sendable`: libmicrohttpd's thread alone reads and changes it, but while it waits for its answer: then
/// `request` stays as it is, and ``HTTPIntake`` sets `response` under its lock.
public final class HTTPExchange: @unchecked Sendable {
  let connection: OpaquePointer
  /// The target as it was sent.
  let target: String
  private let intake: HTTPIntake
  /// Who may send it, once the head has come.
  var gate: (any HTTPGate)?
  /// Where it waits for its answer.
  var queue: HTTPQueue?
  /// The head, once it has come.
  var head: HTTPHead?
  /// Who signed in.
  var principal: Principal?
  /// What came of the body so far.
  var body: [UInt8] = []
  /// Why it is not taken.
  var refusal: HTTPResponse?
  /// The request, once it is whole.
  public internal(set) var request: HTTPRequest?
  /// The answer, once there is one.
  var response: HTTPResponse?

  init(_ connection: OpaquePointer, target: String, intake: HTTPIntake) {
    self.connection = connection
    self.target = target
    self.intake = intake
  }

  /// Its connection, to be told from others.
  var id: ConnectionID { ConnectionID(connection) }

  /// Answers it. A second answer is passed over.
  public func answer(_ response: HTTPResponse) { intake.answer(self, response) }

  /// The headers that have come.
  var headers: [String: String] {
    final class Headers { var all: [String: String] = [:] }
    let headers = Headers()
    MHD_get_connection_values(
      connection, .HEADER_KIND,
      { data, _, name, value in
        guard let data, let name, let value else { return .YES }
        let headers = Unmanaged<Headers>.fromOpaque(data).takeUnretainedValue()
        let key = String(cString: name).lowercased()
        let text = String(cString: value)
        headers.all[key] = headers.all[key].map { "\($0), \(text)" } ?? text
        return .YES
      }, Unmanaged.passUnretained(headers).toOpaque())
    return headers.all
  }

  /// Sends `response`.
  func queue(_ response: HTTPResponse) -> MHD_Result {
    let answer: OpaquePointer?
    switch response.body {
    case .bytes(var bytes): answer = MHD_create_response_from_buffer(bytes.count, &bytes, .RESPMEM_MUST_COPY)
    case .events(let stream): answer = HTTPEventSender.makeResponse(stream, to: id)
    }
    guard let answer else { return .NO }
    defer { MHD_destroy_response(answer) }
    for (name, value) in response.headers { MHD_add_response_header(answer, name, value) }
    for cookie in response.cookies { MHD_add_response_header(answer, "Set-Cookie", cookie) }
    return MHD_queue_response(connection, response.status, answer)
  }
}

/// Hands the events of a stream to libmicrohttpd, which asks for them on its own thread.
private final class HTTPEventSender {
  let stream: HTTPEventStream
  let connection: ConnectionID

  private init(_ stream: HTTPEventStream, _ connection: ConnectionID) {
    self.stream = stream
    self.connection = connection
  }

  static func makeResponse(_ stream: HTTPEventStream, to connection: ConnectionID) -> OpaquePointer? {
    let sender = Unmanaged.passRetained(HTTPEventSender(stream, connection)).toOpaque()
    return MHD_create_response_from_callback(
      cmicrohttpd_size_unknown, 4_096,
      { data, _, buffer, size in
        guard let data, let buffer else { return cmicrohttpd_end_of_stream }
        let sender = Unmanaged<HTTPEventSender>.fromOpaque(data).takeUnretainedValue()
        let count = sender.stream.take(.init(start: buffer, count: size), of: sender.connection)
        return count.map { $0 } ?? cmicrohttpd_end_of_stream
      }, sender,
      { data in
        guard let data else { return }
        let sender = Unmanaged<HTTPEventSender>.fromOpaque(data).takeRetainedValue()
        sender.stream.close()
      })
  }
}

extension HTTPExchange: Hashable {
  /// Whether both are the same exchange.
  public static func == (a: HTTPExchange, b: HTTPExchange) -> Bool { a === b }

  /// By identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
