import CFencepostCurl
import Glibc

/// Sends HTTP requests with libcurl, and reuses the connection. Use a client on one thread only; calls block.
public final class HTTPClient {
  private let handle: UnsafeMutableRawPointer
  private var explanation = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))

  static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// A client.
  ///
  /// - Throws: ``Failure`` if there is no memory for a client.
  public init() throws(Failure) {
    guard HTTPClient.isReady, let handle = curl_easy_init() else {
      throw Failure(description: "can't create an HTTP client: out of memory")
    }
    self.handle = handle
  }

  deinit { curl_easy_cleanup(handle) }

  /// Sends a request and waits for the response, whatever its status.
  ///
  /// - Throws: ``Failure`` if there is no response, or it exceeds the request's limits.
  public func send(_ request: Request) throws(Failure) -> Response {
    // This resets the options but keeps the connection.
    curl_easy_reset(handle)
    var list: UnsafeMutablePointer<curl_slist>?
    for header in request.headers { list = curl_slist_append(list, header) }
    defer { curl_slist_free_all(list) }
    ccurl_set_headers(handle, list)
    set(request)
    let opened = OpenedSockets(reach: AddressReach(isPublicOnly: request.isPublicOnly))
    if request.isPublicOnly || request.staysPublic, !HTTPClient.hasProxy(for: request.url) {
      checkAddresses(opened)
    }
    let received = Received(limit: request.limit, cuts: request.cutsBody)
    ccurl_set_bytes(handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(received).toOpaque())
    ccurl_set_writer(handle) { bytes, size, count, received in
      guard let bytes, let received else { return 0 }
      let taken = Unmanaged<Received>.fromOpaque(received).takeUnretainedValue()
        .take(UnsafeRawBufferPointer(start: bytes, count: size * count))
      return taken ? size * count : 0
    }
    let code = withExtendedLifetime((received, opened)) { perform(request.body) }
    if received.isTooLarge, let limit = request.limit {
      throw Failure(description: "is larger than the limit of \(limit >> 20) MB")
    }
    guard code == CURLE_OK else {
      throw Failure(
        description: opened.hasRefused
          ? "the server has no public address" : HTTPClient.reason(code, explanation))
    }
    let after = ccurl_offset(handle, CURLINFO_RETRY_AFTER)
    return Response(
      status: ccurl_number(handle, CURLINFO_RESPONSE_CODE), retryAfter: after > 0 ? Double(after) : nil,
      location: ccurl_text(handle, CURLINFO_REDIRECT_URL).map { String(cString: $0) },
      entityTag: header("ETag"), lastModified: header("Last-Modified"), headers: headers(),
      body: received.bytes)
  }

  private func set(_ request: Request) {
    let schemes = "http,https"
    ccurl_set_text(handle, CURLOPT_URL, request.url)
    ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, schemes)
    ccurl_set_text(handle, CURLOPT_USERAGENT, "fencepost")
    let withoutProxy =
      request.isPublicOnly ? "" : HTTPClient.hostsWithoutProxy(besides: HTTPClient.variable("no_proxy"))
    ccurl_set_text(handle, CURLOPT_NOPROXY, withoutProxy)
    ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(request.connectTimeout * 1_000))
    ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(request.timeout * 1_000))
    // Less than a byte a second counts as no data.
    ccurl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
    ccurl_set_number(handle, CURLOPT_LOW_SPEED_TIME, max(1, Int(request.idleTimeout)))
    if request.limit != nil && request.acceptsCompression {
      ccurl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "")
    }
    switch request.authentication {
    case .none: break
    case .basic(let user, let password): authenticate(user, password, ccurl_basic())
    case .digest(let user, let password): authenticate(user, password, ccurl_digest())
    }
    if request.followsRedirects {
      let isSecure = request.url.lowercased().hasPrefix("https:")
      ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, 1)
      ccurl_set_number(handle, CURLOPT_MAXREDIRS, 10)
      ccurl_set_text(handle, CURLOPT_REDIR_PROTOCOLS_STR, isSecure ? "https" : schemes)
    }
    if let body = request.body {
      ccurl_set_number(handle, CURLOPT_POST, 1)
      ccurl_set_number(handle, CURLOPT_POSTFIELDSIZE, body.count)
    }
    if let method = request.method { ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, method) }
  }

  private func authenticate(_ user: String, _ password: String, _ scheme: Int) {
    ccurl_set_text(handle, CURLOPT_USERNAME, user)
    ccurl_set_text(handle, CURLOPT_PASSWORD, password)
    ccurl_set_number(handle, CURLOPT_HTTPAUTH, scheme)
  }

  /// The hosts that need no proxy: this machine, and the hosts in the environment variable. libcurl reads
  /// that variable only if the caller sets no list.
  static func hostsWithoutProxy(besides exceptions: String?) -> String {
    let own = "localhost,127.0.0.1,::1"
    guard let exceptions, !exceptions.isEmpty else { return own }
    // Only a single star means all hosts. In a list it has no meaning.
    return exceptions == "*" ? exceptions : "\(own),\(exceptions)"
  }

  static func variable(_ name: String) -> String? {
    (getenv(name) ?? getenv(name.uppercased())).map { String(cString: $0) }
  }

  /// Whether libcurl asks a proxy of the environment for an address.
  private static func hasProxy(for url: String) -> Bool {
    // Of HTTP_PROXY in capitals libcurl knows nothing: a CGI program would have it from a request.
    let http: UnsafeMutablePointer<CChar>? = getenv("http_proxy")
    let isSecure = url.lowercased().hasPrefix("https:")
    let own = isSecure ? variable("https_proxy") : http.map { String(cString: $0) }
    return [own, variable("all_proxy")].contains { $0?.isEmpty == false }
  }

  /// Has each address looked at when it is known, after names are resolved.
  private func checkAddresses(_ opened: OpenedSockets) {
    ccurl_set_bytes(handle, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(opened).toOpaque())
    ccurl_set_opener(handle) { opened, _, address in
      guard let opened, let address else { return curl_socket_t(CURL_SOCKET_BAD) }
      let (family, type, number) = (
        address.pointee.family, address.pointee.socktype, address.pointee.`protocol`
      )
      let place = UnsafeRawPointer(address) + (MemoryLayout.offset(of: \curl_sockaddr.addr) ?? 0)
      let sockets = Unmanaged<OpenedSockets>.fromOpaque(opened).takeUnretainedValue()
      guard
        sockets.reach.admits(
          isPublic: PublicAddress.contains(
            UnsafeRawBufferPointer(start: place, count: Int(address.pointee.addrlen))))
      else {
        sockets.hasRefused = true
        return curl_socket_t(CURL_SOCKET_BAD)
      }
      return socket(family, type | Int32(SOCK_CLOEXEC.rawValue), number)
    }
  }

  private func perform(_ body: [UInt8]?) -> CURLcode {
    (body ?? []).withUnsafeBytes { bytes in
      explanation.withUnsafeMutableBufferPointer { text in
        text[0] = 0
        // This option turns the request into a POST.
        if body != nil { ccurl_set_bytes(handle, CURLOPT_POSTFIELDS, bytes.baseAddress) }
        ccurl_set_bytes(handle, CURLOPT_ERRORBUFFER, text.baseAddress)
        defer { ccurl_set_bytes(handle, CURLOPT_ERRORBUFFER, nil) }
        return curl_easy_perform(handle)
      }
    }
  }

  private func header(_ name: String) -> String? {
    var found: UnsafeMutablePointer<curl_header>?
    guard curl_easy_header(handle, name, 0, UInt32(CURLH_HEADER), -1, &found) == CURLHE_OK else { return nil }
    return found?.pointee.value.map { String(cString: $0) }
  }

  private func headers() -> [String: String] {
    var all: [String: String] = [:]
    var last: UnsafeMutablePointer<curl_header>?
    while let found = curl_easy_nextheader(handle, UInt32(CURLH_HEADER), -1, last) {
      last = found
      guard let name = found.pointee.name, let value = found.pointee.value else { continue }
      let text = String(cString: value)
      all.merge([String(cString: name).lowercased(): text]) { "\($0), \($1)" }
    }
    return all
  }

  /// A failure of libcurl in words.
  static func reason(_ code: CURLcode, _ explanation: [CChar]) -> String {
    switch code {
    case CURLE_OPERATION_TIMEDOUT: return "the request timed out"
    case CURLE_COULDNT_RESOLVE_HOST: return "can't resolve the server's name"
    case CURLE_COULDNT_CONNECT: return "can't connect to the server"
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR:
      return "can't verify the server's certificate"
    case CURLE_LOGIN_DENIED: return "the server refused the user or the password"
    case CURLE_TOO_MANY_REDIRECTS, CURLE_UNSUPPORTED_PROTOCOL:
      return "redirected too often or to an unsupported address"
    case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_GOT_NOTHING: return "the connection was lost"
    default:
      let words = explanation.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return words.isEmpty
        ? String(cString: curl_easy_strerror(code)) : String(decoding: words, as: UTF8.self)
    }
  }
}

/// The addresses that the connections of one request may have.
struct AddressReach {
  /// Whether only public addresses are left.
  private var isPublicOnly: Bool

  /// - Parameter isPublicOnly: Whether the first address must be public too.
  init(isPublicOnly: Bool) { self.isPublicOnly = isPublicOnly }

  /// Whether a connection may be opened. After one to a public address, all must be public.
  mutating func admits(isPublic: Bool) -> Bool {
    isPublicOnly = isPublicOnly || isPublic
    return isPublic || !isPublicOnly
  }
}

/// What happened while sockets were opened.
private final class OpenedSockets {
  var reach: AddressReach

  init(reach: AddressReach) { self.reach = reach }

  /// Whether an address was not public.
  var hasRefused = false
}

/// The received part of a response's body.
private final class Received {
  private let limit: Int?
  private let cuts: Bool
  private(set) var bytes: [UInt8] = []
  private(set) var isTooLarge = false

  init(limit: Int?, cuts: Bool) {
    self.limit = limit
    self.cuts = cuts
  }

  /// Returns false if the body exceeds the limit.
  func take(_ more: UnsafeRawBufferPointer) -> Bool {
    guard let limit else { return true }
    guard more.count <= limit - bytes.count else {
      if cuts {
        bytes.append(contentsOf: more.prefix(limit - bytes.count))
        return true
      }
      isTooLarge = true
      bytes = []
      return false
    }
    bytes.append(contentsOf: more)
    return true
  }
}
