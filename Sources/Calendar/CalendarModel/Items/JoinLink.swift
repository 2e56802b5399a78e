import FencepostAlgorithms

/// Recognises the addresses of online meetings in invitations.
///
/// A service is known by its host and the form of its paths, so that pages about a service (prices, terms,
/// numbers to call) are no meetings. Servers of one's own are known by the form of their paths alone
/// (``MeetingService/ownServers``), or by the owner's word (``JoinHosts``).
public enum JoinLink {
  /// The maximum length of a text and number of addresses to check.
  private static let maximumBytes = 65_536
  private static let maximumLinks = 200

  /// The first link to a meeting in `texts`, in order; `nil` without one.
  public static func first(in texts: [String?], at hosts: JoinHosts = JoinHosts()) -> String? {
    all(in: texts, at: hosts).first?.address
  }

  /// The distinct links to meetings in `texts`, each with the name of its service as the label.
  ///
  /// - Parameter hosts: Hosts whose links are all to meetings: the setting `join-hosts`.
  public static func all(in texts: [String?], at hosts: JoinHosts = JoinHosts()) -> [Conference] {
    var found: [Conference] = []
    for case let text? in texts {
      for address in addresses(in: text).map(unwrapped) {
        guard let service = match(address, hosts), !found.contains(where: { $0.address == address }) else {
          continue
        }
        let features = service.hasVideo ? ["AUDIO", "VIDEO"] : ["AUDIO"]
        found.append(Conference(address: address, label: service.name, features: features))
      }
    }
    return found
  }

  /// The service of a link; `nil` for any other address.
  public static func service(of address: String, at hosts: JoinHosts = JoinHosts()) -> String? {
    match(address, hosts)?.name
  }

  private static func match(_ address: String, _ hosts: JoinHosts) -> MeetingService? {
    guard let link = MeetingAddress(address) else { return nil }
    return MeetingService.known.first { $0.contains(link) } ?? hosts.service(of: link)
      ?? (MeetingService.known.contains { $0.isAt(link.host) } ? nil : ownServer(link))
  }

  private static func ownServer(_ link: MeetingAddress) -> MeetingService? {
    MeetingService.ownServers.first { $0.contains(link) }
  }

  /// The `https` addresses in a text, which may be HTML.
  private static func addresses(in text: String) -> [String] {
    var rest = text.utf8.prefix(maximumBytes)
    var found: [String] = []
    let scheme = Array("https://".utf8)
    while found.count < maximumLinks, let start = rest.firstIndex(where: { $0 | 0x20 == 0x68 }) {
      rest = rest[start...]
      guard rest.count > scheme.count, zip(rest, scheme).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else {
        rest = rest.dropFirst()
        continue
      }
      let scalars = Substring(rest).unicodeScalars
      let written = Substring(scalars.prefix(while: isPartOfAddress))
      rest = rest.dropFirst(written.utf8.count)
      var address = encoded(written.replacing("&amp;", with: "&"))
      while let last = address.last, ".,;:!?*".contains(last) { address.removeLast() }
      found.append(address)
    }
    return found
  }

  /// Whether an address may contain it. People write names of rooms with their letters; in scripts without
  /// blanks between words, an address ends where they begin.
  private static func isPartOfAddress(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return scalar.value > 0x20 && !"<>\"'()[]{}|\\^`\u{7F}".unicodeScalars.contains(scalar)
    }
    let hasBlanks = scalar.value < 0x2E80 && !(0x0E00...0x0EFF).contains(scalar.value)
    let category = scalar.properties.generalCategory
    return hasBlanks && (scalar.properties.isAlphabetic || category == .nonspacingMark)
  }

  /// An address with its letters outside ASCII percent-encoded, as browsers send them.
  static func encoded(_ address: some StringProtocol) -> String {
    if address.utf8.allSatisfy({ $0 < 0x80 }) { return String(address) }
    var text = ""
    for byte in address.utf8 {
      if byte < 0x80 {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}

extension JoinLink {
  /// The address inside one that a mail filter or a search engine has wrapped: Microsoft's Safe Links,
  /// Proofpoint's URL Defense, Barracuda, Google and Slack; any other address is returned unchanged.
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
    ("google.com", "/url", "q"), ("meet.google.com", "/linkredirect", "dest"),
    ("slack-redir.net", "/link", "url"),
  ]

  private static func inner(of address: String) -> String? {
    guard address.utf8.count <= 8_192, address.lowercased().hasPrefix("https://") else { return nil }
    let rest = address.dropFirst("https://".count)
    let host = rest.prefix { !"/?#".contains($0) }.lowercased()
    let path = String(rest.dropFirst(host.count))
    func isAt(_ name: String) -> Bool { host == name || host.hasSuffix("." + name) }
    var found: String?
    if isAt("urldefense.com"), path.hasPrefix("/v3/__") {
      // The address stands between two pairs of underscores; asterisks stand for characters that follow
      // elsewhere.
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
