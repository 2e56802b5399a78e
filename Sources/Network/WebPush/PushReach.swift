import FencepostWebClient

/// The addresses that pushes may go to.
///
/// Clients choose the address, and could make this program ask machines of its own network. So it must be
/// `https:` at a host with a public address. The sender checks again after the name is resolved. The owner
/// can allow hosts by name.
public struct PushReach: Hashable, Sendable {
  /// Hosts that are allowed at any address, in lower case: `push.home.arpa`, or with a port
  /// `push.home.arpa:8443`. On this machine they may also use `http:`.
  public var allowedHosts: Set<String>

  /// Public addresses, and the hosts that the owner allows.
  public init(allowedHosts: Set<String> = []) {
    self.allowedHosts = Set(allowedHosts.map { $0.lowercased() })
  }

  /// - Throws: ``PushRefusal`` if pushes may not go to an address.
  func check(_ endpoint: String) throws(PushRefusal) {
    guard endpoint.utf8.count <= 2_000, let address = Address(endpoint) else {
      throw PushRefusal(field: "endpoint", "must be an address https://HOST/PATH of at most 2,000 characters")
    }
    let isAllowed = allows(address)
    guard address.isSecure || isAllowed && Self.isLoopback(address.host) else {
      throw PushRefusal(field: "endpoint", "must begin with https://")
    }
    let isInside = Self.isLoopback(address.host) || PublicAddress.contains(address.host) == false
    guard isAllowed || !isInside && address.host.contains(where: { $0 == "." || $0 == ":" }) else {
      throw PushRefusal(
        field: "endpoint", "must be at a public host; the owner can allow others with 'allow-host'")
    }
  }

  /// Whether the owner allows the host of an address everywhere.
  func allows(_ endpoint: String) -> Bool { Address(endpoint).map(allows) ?? false }

  private func allows(_ address: Address) -> Bool {
    allowedHosts.contains(address.host) || allowedHosts.contains(address.place)
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.") && PublicAddress.contains(host) == false
  }

  /// Scheme, host and port of an address. Only plain names and addresses: users, escapes and whatever
  /// programs read differently are invalid.
  struct Address {
    let isSecure: Bool
    /// Host and port as written, in lower case.
    let place: String
    /// The host without brackets.
    let host: String

    /// Scheme and host, as in tokens for a server (RFC 6454, section 6.2).
    var origin: String { (isSecure ? "https://" : "http://") + place }

    init?(_ text: String) {
      let scheme = text.prefix { $0 != ":" }.lowercased()
      guard scheme == "https" || scheme == "http", text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        return nil
      }
      let rest = text.dropFirst(scheme.count)
      guard rest.hasPrefix("://"), !rest.contains("#"), !rest.contains("\\") else { return nil }
      place = rest.dropFirst(3).prefix { $0 != "/" && $0 != "?" }.lowercased()
      guard let match = place.wholeMatch(of: /(?:([a-z0-9.-]+)|\[([0-9a-f:.]+)\])(?::[0-9]{1,5})?/),
        let name = match.1 ?? match.2
      else { return nil }
      isSecure = scheme == "https"
      host = String(name)
      // A name that ends in a number is an old spelling of an address, for example 127.1.
      let last = host.split(separator: ".").last ?? ""
      guard
        last.contains(where: { !"0123456789abcdefx".contains($0) }) || !(last.first?.isNumber ?? true)
          || PublicAddress.contains(host) != nil
      else { return nil }
    }
  }
}
