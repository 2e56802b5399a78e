/// The host of an address.
public enum HostName {
  /// The host in an address: an IPv6 address has brackets (RFC 3986, section 3.2.2).
  public static func text(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

  /// A host without brackets.
  public static func withoutBrackets(_ host: String) -> String {
    String(host.trimmingPrefix("[").prefix { $0 != "]" })
  }

  /// True if the name means this machine. A name that only begins with `127.` does not.
  public static func isLoopback(_ host: String) -> Bool {
    let digits = host.split(separator: ".", omittingEmptySubsequences: false)
    let isOfNet127 =
      digits.count == 4 && digits[0] == "127"
      && digits.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8($0) != nil }
    let name = host.lowercased()
    return isOfNet127 || host == "::1" || name == "localhost" || name == "localhost."
  }

  /// True if an address can't be read on the network: with TLS, or on this machine.
  public static func isPrivate(scheme: String?, host: String?) -> Bool {
    switch scheme?.lowercased() {
    case "https": host?.isEmpty == false
    case "http": isLoopback(withoutBrackets(host ?? ""))
    default: false
    }
  }

  /// True if the header Host is one of `names`. A name without a port stands for all ports.
  public static func isOne(of names: [String], hostHeader header: String) -> Bool {
    let header = header.lowercased()
    return names.contains { name in
      let name = name.lowercased()
      let port = header.dropFirst(name.count + 1)
      return header == name
        || header.hasPrefix(name + ":") && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
  }

  /// True if the header Host names this machine: `localhost`, an address of 127.0.0.0/8 or `[::1]`, with an
  /// optional port. Not `0.0.0.0` or `[::ffff:127.0.0.1]`, because browsers let pages of other sites use
  /// them.
  public static func isLoopback(hostHeader header: String) -> Bool {
    let isBracketed = header.hasPrefix("[")
    let host = header.prefix { $0 != (isBracketed ? "]" : ":") }.dropFirst(isBracketed ? 1 : 0)
    let rest = header.dropFirst(host.count + (isBracketed ? 2 : 0))
    let port = rest.dropFirst()
    guard rest.isEmpty || rest.first == ":" && port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return false
    }
    return isBracketed ? header.hasPrefix("[::1]") : isLoopback(String(host))
  }
}
