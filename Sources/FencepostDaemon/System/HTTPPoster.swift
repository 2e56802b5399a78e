import CCurl

/// Posts bytes to a URL, by libcurl, and keeps the connection for the next time. Confined to one thread.
///
/// Redirects are not followed: they would carry what is posted, and its signature, to where nobody meant it to go.
final class HTTPPoster {
  /// What a server said.
  struct Answer {
    var status: Int
    /// Retry-After, in seconds from now.
    var retryAfter: Double?
    /// Location, where it wants it sent elsewhere.
    var location: String?
  }

  /// No answer came: why, in one line.
  struct Failure: Error {
    var description: String
  }

  private let handle: UnsafeMutableRawPointer
  private var explanation = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))

  /// Seconds until a connection must stand, and until an answer must be there.
  private let connectLimit: Double
  private let timeLimit: Double

  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  init(connectLimit: Double = 10, timeLimit: Double = 30) throws(SystemFailure) {
    guard HTTPPoster.isReady, let handle = curl_easy_init() else {
      throw SystemFailure("make an HTTP client", code: 12)
    }
    self.handle = handle
    self.connectLimit = connectLimit
    self.timeLimit = timeLimit
  }

  deinit { curl_easy_cleanup(handle) }

  /// Posts `body`. Each header is a line, `Name: value`, whose text must be free of line ends.
  func post(_ body: [UInt8], to url: String, headers: [String]) throws(Failure) -> Answer {
    // Keeps the connection.
    curl_easy_reset(handle)
    var list: UnsafeMutablePointer<curl_slist>?
    for header in headers { list = curl_slist_append(list, header) }
    defer { curl_slist_free_all(list) }
    ccurl_set_headers(handle, list)
    ccurl_set_text(handle, CURLOPT_URL, url)
    ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    ccurl_set_text(handle, CURLOPT_USERAGENT, "fencepost")
    ccurl_set_text(handle, CURLOPT_NOPROXY, "localhost,127.0.0.1,::1")
    ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(connectLimit * 1_000))
    ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(timeLimit * 1_000))
    ccurl_set_number(handle, CURLOPT_POST, 1)
    ccurl_set_number(handle, CURLOPT_POSTFIELDSIZE, body.count)
    // What the server has to say beyond its status does not concern us.
    ccurl_set_writer(handle) { _, size, count, _ in size * count }
    let code = body.withUnsafeBytes { bytes in
      explanation.withUnsafeMutableBufferPointer { text in
        text[0] = 0
        ccurl_set_bytes(handle, CURLOPT_POSTFIELDS, bytes.baseAddress)
        ccurl_set_bytes(handle, CURLOPT_ERRORBUFFER, text.baseAddress)
        defer { ccurl_set_bytes(handle, CURLOPT_ERRORBUFFER, nil) }
        return curl_easy_perform(handle)
      }
    }
    guard code == CURLE_OK else {
      let words = explanation.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw Failure(
        description: words.isEmpty
          ? String(cString: curl_easy_strerror(code)) : String(decoding: words, as: UTF8.self))
    }
    let after = ccurl_offset(handle, CURLINFO_RETRY_AFTER)
    return Answer(
      status: ccurl_number(handle, CURLINFO_RESPONSE_CODE), retryAfter: after > 0 ? Double(after) : nil,
      location: ccurl_text(handle, CURLINFO_REDIRECT_URL).map { String(cString: $0) })
  }
}
