import CFencepostCurl

/// A server, and whether a connection to it can be opened now. Nothing is sent but what opening takes: that of TCP,
/// and of TLS if the connection is encrypted.
public struct ServerCheck: Hashable, Sendable {
  /// `HOST:PORT`, for people.
  public let place: String
  private let url: String
  private let authorities: String?
  private let mayUseProxy: Bool

  /// An HTTP server; `nil` for another address. It uses the proxy of the environment, as requests do.
  ///
  /// - Parameter url: `http://…` or `https://…`; its path does not matter.
  public init?(url: String) {
    guard let colon = url.firstRange(of: "://"),
      ["http", "https"].contains(url[..<colon.lowerBound].lowercased())
    else { return nil }
    let authority = url[colon.upperBound...].prefix { !"/?#".contains($0) }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    guard !host.isEmpty else { return nil }
    place = String(host)
    self.url = "\(url[..<colon.lowerBound])://\(host)/"
    authorities = nil
    mayUseProxy = true
  }

  /// A server of another protocol.
  ///
  /// - Parameters:
  ///   - place: `HOST:PORT`, with brackets around an address of IPv6.
  ///   - isEncrypted: Whether TLS begins at once.
  ///   - authorities: A file with the certificates of trusted authorities; `nil` for the system's.
  public init(place: String, isEncrypted: Bool, authorities: String? = nil) {
    self.place = place
    url = "\(isEncrypted ? "https" : "http")://\(place)/"
    self.authorities = authorities
    mayUseProxy = false
  }

  /// Opens a connection, and closes it.
  ///
  /// - Parameter seconds: The most seconds that this may take.
  /// - Returns: Why that fails; `nil` if it does not.
  public func failure(within seconds: Double) -> String? {
    guard HTTPClient.isReady, let handle = curl_easy_init() else { return "out of memory" }
    defer { curl_easy_cleanup(handle) }
    ccurl_set_text(handle, CURLOPT_URL, url)
    ccurl_set_number(handle, CURLOPT_CONNECT_ONLY, 1)
    ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(seconds * 1_000))
    // Other protocols than HTTP have no name in this part of TLS.
    if !mayUseProxy { ccurl_set_number(handle, CURLOPT_SSL_ENABLE_ALPN, 0) }
    ccurl_set_text(
      handle, CURLOPT_NOPROXY,
      mayUseProxy ? HTTPClient.hostsWithoutProxy(besides: HTTPClient.variable("no_proxy")) : "*")
    if let authorities { ccurl_set_text(handle, CURLOPT_CAINFO, authorities) }
    var explanation = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    let code = explanation.withUnsafeMutableBufferPointer { text in
      ccurl_set_bytes(handle, CURLOPT_ERRORBUFFER, text.baseAddress)
      defer { ccurl_set_bytes(handle, CURLOPT_ERRORBUFFER, nil) }
      return curl_easy_perform(handle)
    }
    switch code {
    case CURLE_OK: return nil
    case CURLE_OPERATION_TIMEDOUT: return "no answer within \(Int(seconds)) s"
    default: return HTTPClient.reason(code, explanation)
    }
  }
}
