import FencepostAlgorithms

extension JoinLink {
  /// The address inside one that a mail filter or a search engine has wrapped: Microsoft's Safe Links, Proofpoint's URL Defense,
  /// Barracuda, Google and Slack; any other address is returned unchanged.
  ///
  /// An address in an address in an address is unwrapped three times.
  public static func unwrapped(_ address: String) -> String {
    var address = address
    for _ in 0..<3 {
      guard let inner = inner(of: address) else { break }
      address = inner
    }
    return address
  }

  /// Hosts, or the ends of them, the beginnings of the paths, and the fields of the query with the address.
  private static let wrappers: [(host: String, path: String, field: String)] = [
    ("safelinks.protection.outlook.com", "/", "url"), ("linkprotect.cudasvc.com", "/url", "a"),
    ("google.com", "/url", "q"), ("slack-redir.net", "/link", "url"),
  ]

  private static func inner(of address: String) -> String? {
    guard address.utf8.count <= 8_192, address.lowercased().hasPrefix("https://") else { return nil }
    let rest = address.dropFirst("https://".count)
    let host = rest.prefix { !"/?#".contains($0) }.lowercased()
    let path = String(rest.dropFirst(host.count))
    func isAt(_ name: String) -> Bool { host == name || host.hasSuffix("." + name) }
    var found: String?
    if isAt("urldefense.com"), path.hasPrefix("/v3/__") {
      // The address stands between two pairs of underscores; asterisks stand for characters that follow elsewhere.
      let text = path.dropFirst("/v3/__".count)
      if let end = text.firstRange(of: "__;") { found = String(text[..<end.lowerBound]) }
    } else if isAt("urldefense.proofpoint.com"), path.hasPrefix("/v2/url") {
      // Percent signs are hyphens, and slashes are underscores.
      found = field("u", of: path).flatMap {
        PercentEncoding.decode($0.replacing("-", with: "%").replacing("_", with: "/"))
      }
    } else if let wrapper = wrappers.first(where: { isAt($0.host) && path.hasPrefix($0.path) }) {
      found = field(wrapper.field, of: path).flatMap { PercentEncoding.decode($0) }
    }
    guard let found, found.lowercased().hasPrefix("https://"),
      found.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3C && $0 != 0x3E })
    else { return nil }
    return found
  }

  /// A field of the query, still encoded.
  private static func field(_ name: String, of path: String) -> Substring? {
    guard let mark = path.firstIndex(of: "?") else { return nil }
    let query = path[path.index(after: mark)...].prefix { $0 != "#" }
    return query.split(separator: "&").first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
  }
}
