import CFencepostCurl

/// A connection to an IMAP server, on which a user is signed in. libcurl connects, checks the certificate and
/// signs in; what is said then is up to the caller.
///
/// Use it on one thread only. After ``init(_:timeout:)`` no call waits; wait for ``descriptor`` before the
/// next one.
public final class MailServerStream {
  /// A server and a user.
  public struct Account: Hashable, Sendable {
    /// The address, `imaps://HOST:PORT/`. With `imap:` the connection is not encrypted.
    public var url: String
    /// The user.
    public var user: String
    /// The password of the user.
    public var password: String
    /// A file with the certificates of trusted authorities; `nil` for the system's.
    public var authorities: String?

    /// An account.
    public init(url: String, user: String, password: String, authorities: String? = nil) {
      self.url = url
      self.user = user
      self.password = password
      self.authorities = authorities
    }
  }

  private let handle: UnsafeMutableRawPointer

  /// The socket, to wait for.
  public let descriptor: Int32

  /// Connects and signs in.
  ///
  /// - Parameters:
  ///   - account: The server and the user.
  ///   - timeout: The most seconds that this may take.
  /// - Throws: ``HTTPClient/Failure`` if that fails.
  public init(_ account: Account, timeout: Double = 30) throws(HTTPClient.Failure) {
    guard HTTPClient.isReady, let handle = curl_easy_init() else {
      throw HTTPClient.Failure(description: "can't create a mail client: out of memory")
    }
    ccurl_set_text(handle, CURLOPT_URL, account.url)
    ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "imaps,imap")
    ccurl_set_text(handle, CURLOPT_USERNAME, account.user)
    ccurl_set_text(handle, CURLOPT_PASSWORD, account.password)
    if let authorities = account.authorities { ccurl_set_text(handle, CURLOPT_CAINFO, authorities) }
    ccurl_set_text(
      handle, CURLOPT_NOPROXY, HTTPClient.hostsWithoutProxy(besides: HTTPClient.variable("no_proxy")))
    ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(timeout * 1_000))
    ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(timeout * 1_000))
    // It ends after signing in, and leaves the connection to us.
    ccurl_set_number(handle, CURLOPT_CONNECT_ONLY, 1)
    var explanation = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    let code = explanation.withUnsafeMutableBufferPointer { text in
      ccurl_set_bytes(handle, CURLOPT_ERRORBUFFER, text.baseAddress)
      defer { ccurl_set_bytes(handle, CURLOPT_ERRORBUFFER, nil) }
      return curl_easy_perform(handle)
    }
    let socket = ccurl_socket(handle)
    guard code == CURLE_OK, socket >= 0 else {
      curl_easy_cleanup(handle)
      throw HTTPClient.Failure(description: HTTPClient.reason(code, explanation))
    }
    self.handle = handle
    descriptor = socket
  }

  deinit { curl_easy_cleanup(handle) }

  /// Sends the start of `bytes`.
  ///
  /// - Returns: How many bytes were sent; 0 if the connection takes none now.
  public func send(_ bytes: ArraySlice<UInt8>) throws(HTTPClient.Failure) -> Int {
    var count = 0
    let code = bytes.withUnsafeBytes { curl_easy_send(handle, $0.baseAddress, $0.count, &count) }
    if code == CURLE_AGAIN { return 0 }
    guard code == CURLE_OK else { throw HTTPClient.Failure(description: HTTPClient.reason(code, [])) }
    return count
  }

  /// Receives what has arrived.
  ///
  /// - Returns: The number of bytes, 0 after the last; `nil` if nothing has arrived.
  public func receive(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPClient.Failure) -> Int? {
    var count = 0
    let code = curl_easy_recv(handle, buffer.baseAddress, buffer.count, &count)
    if code == CURLE_AGAIN { return nil }
    guard code == CURLE_OK else { throw HTTPClient.Failure(description: HTTPClient.reason(code, [])) }
    return count
  }
}
