import FencepostAddresses

/// Where the server is for the sender, and whether a page of another site sent the request.
extension HTTPHead {
  /// Whether the sender uses TLS, perhaps up to a proxy (`X-Forwarded-Proto`).
  public var isSecureOutside: Bool { isSecure || headers["x-forwarded-proto"]?.lowercased() == "https" }

  /// Scheme, host and port as the sender knows them.
  public var origin: String { "\(scheme)://\(headers["host"] ?? "localhost")" }

  /// Whether an authority, a host with an optional port, is this server's: that of the request, or the one
  /// that a proxy reports (`X-Forwarded-Host`). A page can't invent that header: browsers ask before they
  /// send it to another site, and the server never agrees.
  public func isOwn(authority: some StringProtocol) -> Bool {
    let wanted = withoutUsualPort(authority)
    return ["host", "x-forwarded-host"].contains { name in
      headers[name].map { withoutUsualPort($0) == wanted } ?? false
    }
  }

  /// Whether the sender says that a page of another site sent the request; false for programs that say
  /// nothing. Thunderbird is built on a browser, and says that it is of the same origin as the server.
  public var isFromForeignPage: Bool {
    if !["none", "same-origin", nil].contains(headers["sec-fetch-site"]) { return true }
    guard let origin = headers["origin"] else { return false }
    let prefix = scheme + "://"
    return !(origin.lowercased().hasPrefix(prefix) && isOwn(authority: origin.dropFirst(prefix.count)))
  }

  /// The reason why a request without a secret may come from a foreign page in a browser on this machine;
  /// `nil` if nothing indicates that.
  ///
  /// Browsers send the origin of a page. If a foreign host name resolves to this machine, the browser sends
  /// that name as the host.
  public var reasonToDistrust: String? {
    if isFromForeignPage { return "requests from other sites' pages are refused" }
    guard let host = headers["host"], !HostName.isLoopback(hostHeader: host) else { return nil }
    return "wrong host '\(host.filter { $0.isASCII && $0 >= " " })'"
  }

  private var scheme: String { isSecureOutside ? "https" : "http" }

  /// In lower case. Browsers leave the usual port out of an origin; programs may send it as the host.
  private func withoutUsualPort(_ authority: some StringProtocol) -> String {
    let text = authority.lowercased()
    let port = isSecureOutside ? ":443" : ":80"
    return text.hasSuffix(port) ? String(text.dropLast(port.count)) : text
  }
}
