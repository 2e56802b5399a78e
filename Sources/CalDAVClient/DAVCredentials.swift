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
    guard url.scheme?.lowercased() == "https" else { return false }
    let domain = home.split(separator: ".").dropFirst()
    guard isDomain(domain) else {
      return host.hasSuffix("." + home) && isDomain(home.split(separator: ".")[...])
    }
    return host.hasSuffix("." + domain.joined(separator: ".")) || host == domain.joined(separator: ".")
  }

  /// True for a domain with a single owner; false for public ones such as `com` and `co.uk`.
  private static func isDomain(_ labels: ArraySlice<Substring>) -> Bool {
    guard labels.count >= 2, labels.allSatisfy({ !$0.allSatisfy(\.isNumber) }) else { return false }
    guard labels.count == 2, let first = labels.first, let last = labels.last else { return true }
    return !(last.count == 2 && first.count <= 3)
  }
}
