import CCurl
import Glibc

/// Sends HTTP requests with libcurl, and reuses the connection. Use a client on one thread only; calls block.
public final class HTTPClient {
  private let handle: UnsafeMutableRawPointer
  private var explanation = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))

  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

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
    let received = Received(limit: request.limit)
    ccurl_set_bytes(handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(received).toOpaque())
    ccurl_set_writer(handle) { bytes, size, count, received in
      guard let bytes, let received else { return 0 }
      let taken = Unmanaged<Received>.fromOpaque(received).takeUnretainedValue()
        .take(UnsafeRawBufferPointer(start: bytes, count: size * count))
      return taken ? size * count : 0
    }
    let code = withExtendedLifetime(received) { perform(request.body) }
    if received.isTooLarge, let limit = request.limit {
      throw Failure(description: "is larger than the limit of \(limit >> 20) MB")
    }
    guard code == CURLE_OK else { throw Failure(description: reason(code)) }
    let after = ccurl_offset(handle, CURLINFO_RETRY_AFTER)
    return Response(
      status: ccurl_number(handle, CURLINFO_RESPONSE_CODE), retryAfter: after > 0 ? Double(after) : nil,
      location: ccurl_text(handle, CURLINFO_REDIRECT_URL).map { String(cString: $0) },
      entityTag: header("ETag"), lastModified: header("Last-Modified"), body: received.bytes)
  }

  private func set(_ request: Request) {
    let schemes = "http,https"
    ccurl_set_text(handle, CURLOPT_URL, request.url)
    ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, schemes)
    ccurl_set_text(handle, CURLOPT_USERAGENT, "fencepost")
    ccurl_set_text(handle, CURLOPT_NOPROXY, HTTPClient.hostsWithoutProxy(besides: HTTPClient.exceptions))
    ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(request.connectTimeout * 1_000))
    ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(request.timeout * 1_000))
    // Less than a byte a second counts as no data.
    ccurl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
    ccurl_set_number(handle, CURLOPT_LOW_SPEED_TIME, max(1, Int(request.idleTimeout)))
    if request.limit != nil { ccurl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "") }
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
  }

  /// The hosts that need no proxy: this machine, and the hosts in the environment variable. libcurl reads that variable
  /// only if the caller sets no list.
  static func hostsWithoutProxy(besides exceptions: String?) -> String {
    let own = "localhost,127.0.0.1,::1"
    guard let exceptions, !exceptions.isEmpty else { return own }
    // Only a lone star means all hosts. In a list it means nothing.
    return exceptions == "*" ? exceptions : "\(own),\(exceptions)"
  }

  private static var exceptions: String? {
    (getenv("no_proxy") ?? getenv("NO_PROXY")).map { String(cString: $0) }
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

  private func reason(_ code: CURLcode) -> String {
    switch code {
    case CURLE_OPERATION_TIMEDOUT: return "the request timed out"
    case CURLE_COULDNT_RESOLVE_HOST: return "can't resolve the server's name"
    case CURLE_COULDNT_CONNECT: return "can't connect to the server"
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR:
      return "can't verify the server's certificate"
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

/// The received part of a response's body.
private final class Received {
  private let limit: Int?
  private(set) var bytes: [UInt8] = []
  private(set) var isTooLarge = false

  init(limit: Int?) { self.limit = limit }

  /// Returns false if the body exceeds the limit.
  func take(_ more: UnsafeRawBufferPointer) -> Bool {
    guard let limit else { return true }
    guard more.count <= limit - bytes.count else {
      isTooLarge = true
      bytes = []
      return false
    }
    bytes.append(contentsOf: more)
    return true
  }
}
