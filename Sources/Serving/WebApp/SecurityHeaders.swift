/// The headers that keep other sites and injected text out (OWASP Secure Headers; CSP Level 3).
enum SecurityHeaders {
  /// The headers of each answer.
  ///
  /// - Parameter tiles: The address of street tiles, from whose origin pictures may come.
  static func all(tiles: String?) -> [String: String] {
    let images = ["'self'", "data:"] + (tiles.flatMap(origin).map { [$0] } ?? [])
    return [
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src \(images.joined(separator: " "));"
        + " connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none';"
        + " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types fencepost",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": tiles == nil ? "same-origin" : "strict-origin-when-cross-origin",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Permissions-Policy": "geolocation=(self), camera=(), microphone=()",
    ]
  }

  /// `https://tile.example.org` from an address of tiles, with `*` for a variable part.
  private static func origin(_ address: String) -> String? {
    guard let scheme = address.firstRange(of: "://") else { return nil }
    let host = String(address[scheme.upperBound...].prefix { $0 != "/" }).replacing("{s}", with: "*")
    guard host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".-:*".contains($0)) }) else {
      return nil
    }
    return address[..<scheme.upperBound] + host
  }
}
