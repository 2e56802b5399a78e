/// A host as an address names it.
enum HostName {
  /// As it stands in an address: with brackets where it is an address of IPv6 (RFC 3986, section 3.2.2).
  static func text(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

  /// A host as URLs have it, without the brackets.
  static func withoutBrackets(_ host: String) -> String {
    String(host.trimmingPrefix("[").prefix { $0 != "]" })
  }

  /// True where it is this machine, as far as the name tells: also a name that begins with `127.` may be anybody's.
  static func isLoopback(_ host: String) -> Bool {
    let digits = host.split(separator: ".", omittingEmptySubsequences: false)
    let isOfNet127 =
      digits.count == 4 && digits[0] == "127"
      && digits.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8($0) != nil }
    let name = host.lowercased()
    return isOfNet127 || host == "::1" || name == "localhost" || name == "localhost."
  }

  /// True where the header Host names this machine: `localhost`, an address of 127.0.0.0/8 or `[::1]`, and perhaps a port.
  /// Others that reach it too, such as `0.0.0.0` and `[::ffff:127.0.0.1]`, are what browsers let pages of other sites ask.
  static func isLoopback(hostHeader header: String) -> Bool {
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
