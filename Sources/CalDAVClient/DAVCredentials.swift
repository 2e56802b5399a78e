import CPublicSuffix
import FoundationEssentials

/// A user name and password, with a rule for the hosts that may receive them.
public struct DAVCredentials: Hashable, Sendable {
  /// The user name.
  public var user: String
  /// The password.
  public var password: String

  /// Credentials.
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// True if a server at `url` may receive the credentials for `origin`: the same host, or another host of
  /// its domain, for example `p42-caldav.icloud.com` for `caldav.icloud.com`. Never without TLS if the origin
  /// has it.
  static func belong(to origin: URL, at url: URL) -> Bool {
    guard let home = origin.host?.lowercased(), let host = url.host?.lowercased() else { return false }
    if origin.scheme?.lowercased() == "https" && url.scheme?.lowercased() != "https" { return false }
    if home == host { return origin.scheme == url.scheme && origin.port == url.port || url.scheme == "https" }
    guard url.scheme?.lowercased() == "https", let domain = domain(of: home) else { return false }
    return domain == self.domain(of: host)
  }

  /// The part of a host's name that somebody has registered, for example `icloud.com`; `nil` for an address and for a domain
  /// under which anybody can have one, such as `duckdns.org`.
  private static func domain(of host: String) -> String? {
    // A number is an address (RFC 3986, section 3.2.2).
    guard !host.contains(":"), host.split(separator: ".").last?.allSatisfy(\.isNumber) == false else {
      return nil
    }
    return host.withCString { psl_registrable_domain(psl_builtin(), $0).map { String(cString: $0) } }
  }
}
