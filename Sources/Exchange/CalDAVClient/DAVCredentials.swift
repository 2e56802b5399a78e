import CFencepostPublicSuffix
import FoundationEssentials

/// What a user is known by, with a rule for the hosts that may receive it.
public enum DAVCredentials {
  /// A user name and password (Basic or Digest).
  case password(user: String, password: String)
  /// Access tokens (RFC 6750): a function that gives one. After the server has refused one, it is called with
  /// that one, and gives another.
  case accessToken((_ refused: String?) throws -> String)

  /// True if a server at `url` may receive the credentials for `origin`.
  func belong(to origin: URL, at url: URL) -> Bool {
    switch self {
    case .password: Self.belong(to: origin, at: url)
    // Other hosts of a domain may be those of other people, such as under googleusercontent.com.
    case .accessToken:
      origin.scheme?.lowercased() == url.scheme?.lowercased() && origin.place == url.place
    }
  }

  /// True if a server at `url` may receive the password for `origin`: the same host, or another host of
  /// its domain, for example `p42-caldav.icloud.com` for `caldav.icloud.com`. Never without TLS if the origin
  /// has it.
  static func belong(to origin: URL, at url: URL) -> Bool {
    guard let home = origin.host?.lowercased(), let host = url.host?.lowercased() else { return false }
    let isSecure = url.scheme?.lowercased() == "https"
    if origin.scheme?.lowercased() == "https" && !isSecure { return false }
    if home == host { return isSecure || origin.place == url.place }
    guard isSecure, let domain = domain(of: home) else { return false }
    return domain == self.domain(of: host)
  }

  /// The part of a host's name that somebody has registered, for example `icloud.com`; `nil` for an address
  /// and for a domain under which anybody can have one, such as `duckdns.org`.
  private static func domain(of host: String) -> String? {
    // A number is an address (RFC 3986, section 3.2.2).
    guard !host.contains(":"), host.split(separator: ".").last?.allSatisfy(\.isNumber) == false else {
      return nil
    }
    return host.withCString { psl_registrable_domain(psl_builtin(), $0).map { String(cString: $0) } }
  }
}
