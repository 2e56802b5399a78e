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
    return host == "::1" || host == "localhost"
      || (digits.count == 4 && digits[0] == "127" && digits.allSatisfy { UInt8($0) != nil })
  }
}
