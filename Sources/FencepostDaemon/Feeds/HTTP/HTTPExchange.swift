import CMicroHTTPD
import CalendarModel
import Glibc

/// A request that is being answered.
///
/// `@unchecked Sendable`: libmicrohttpd's thread alone reads and changes it, but while it waits for its answer: then
/// `request` stays as it is, and ``HTTPIntake`` sets `response` under its lock.
final class HTTPExchange: @unchecked Sendable {
  let connection: OpaquePointer
  let isPost: Bool
  /// Who sent it, as far as is known.
  var sender: HTTPSenders.Sender?
  /// What somebody showed.
  var credentials = HTTPAccess.Credentials()
  /// What came of the body so far.
  var body: [UInt8] = []
  /// Why it is none of ours.
  var refusal: HTTPResponse?
  /// The request, once it is whole.
  var request: HTTPRequest?
  /// The answer, once there is one.
  var response: HTTPResponse?

  init(_ connection: OpaquePointer, isPost: Bool) {
    self.connection = connection
    self.isPost = isPost
  }

  /// Its connection, to be told from others.
  var id: ConnectionID { ConnectionID(connection) }

  /// A header; `nil` where there is none.
  func header(_ name: String) -> String? {
    MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
  }

  /// What the last of the headers called `name` says, in small letters or not; `nil` where there is none.
  func lastHeader(_ name: String) -> String? {
    final class Search {
      let name: String
      var value: String?
      init(_ name: String) { self.name = name }
    }
    let search = Search(name)
    MHD_get_connection_values(
      connection, .HEADER_KIND,
      { data, _, name, value in
        guard let data, let name, let value else { return .YES }
        let search = Unmanaged<Search>.fromOpaque(data).takeUnretainedValue()
        if strcasecmp(name, search.name) == 0 { search.value = String(cString: value) }
        return .YES
      }, Unmanaged.passUnretained(search).toOpaque())
    return search.value
  }

  /// The first field of the query that is called `name`.
  func queryField(_ name: String) -> String? {
    MHD_lookup_connection_value(connection, .GET_ARGUMENT_KIND, name).map { String(cString: $0) }
  }

  /// How long the body is to be; `nil` where that isn't said.
  var length: Int? { header("Content-Length").flatMap { Int($0) } }

  /// Why a request without a secret may come from a page in a browser on this machine that has no business here.
  /// `nil` where nothing speaks for that.
  ///
  /// Browsers say where a page comes from; and one whose name was made to stand for this machine says that name.
  var reasonToDistrust: String? {
    if header("Origin") != nil || header("Sec-Fetch-Site").map({ $0 != "none" }) == true {
      return "requests from browser pages are refused"
    }
    guard let host = header("Host"), !HostName.isLoopback(hostHeader: host) else { return nil }
    return "wrong host '\(host.withoutControls)'"
  }

  /// The request, which is whole now.
  func makeRequest(headers names: [String]) -> HTTPRequest {
    final class Fields { var all: [(name: String, value: String)] = [] }
    let fields = Fields()
    MHD_get_connection_values_n(
      connection, .GET_ARGUMENT_KIND,
      { data, _, name, nameSize, value, valueSize in
        guard let data, let name else { return .YES }
        let fields = Unmanaged<Fields>.fromOpaque(data).takeUnretainedValue()
        func text(_ start: UnsafePointer<CChar>?, _ size: Int) -> String {
          String(
            decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size), as: UTF8.self)
        }
        if fields.all.count < 1_000 { fields.all.append((text(name, nameSize), text(value, valueSize))) }
        return .YES
      }, Unmanaged.passUnretained(fields).toOpaque())
    var headers: [String: String] = [:]
    for name in names { headers[name] = header(name) }
    return HTTPRequest(
      query: fields.all, headers: headers, body: body, isPost: isPost, user: credentials.user)
  }

  /// Sends `response`.
  func queue(_ response: HTTPResponse) -> MHD_Result {
    var bytes = Array(response.body.utf8)
    guard let answer = MHD_create_response_from_buffer(bytes.count, &bytes, .RESPMEM_MUST_COPY) else {
      return .NO
    }
    defer { MHD_destroy_response(answer) }
    for (name, value) in response.headers { MHD_add_response_header(answer, name, value) }
    return MHD_queue_response(connection, response.status, answer)
  }
}

extension HTTPExchange: Hashable {
  static func == (a: HTTPExchange, b: HTTPExchange) -> Bool { a === b }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
