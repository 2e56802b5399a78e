import FencepostAlgorithms

/// A way to join an event remotely (`EKVirtualConferenceDescriptor`; CONFERENCE of RFC 7986, section 5.11).
public struct Conference: Hashable, Sendable {
  /// Its address: a page to join, or a number to call (`tel:`).
  public var address: String
  /// Its name for people; LABEL.
  public var label: String?
  /// Its features, in capital letters: `AUDIO`, `VIDEO`, `PHONE`, `CHAT` and so on; FEATURE.
  public var features: [String]

  /// A conference.
  public init(address: String, label: String? = nil, features: [String] = []) {
    self.address = address
    self.label = label
    self.features = features
  }

  /// The properties that hold an address to join: RFC 7986, and those of Google, Microsoft, Zoom and Apple.
  public static let propertyNames: Set<String> = [
    "CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL",
    "X-MICROSOFT-ONLINEMEETINGEXTERNALLINK", "X-ZOOM-JOIN-URL", "X-APPLE-CONFERENCE",
  ]

  /// Whether people may open an address: it is of the web, or to call.
  public static func isAddress(_ text: String) -> Bool {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    return ["https", "http", "tel", "sip", "sips", "xmpp", "facetime"].contains(scheme) && text.count <= 4_000
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3C && $0 != 0x3E }
  }

  /// The address in a content line of ``propertyNames``; `nil` for other lines.
  public static func address(inLine line: String) -> String? {
    let name = line.prefix { $0 != ";" && $0 != ":" }
    guard propertyNames.contains(name.uppercased()) else { return nil }
    var isQuoted = false
    let colon = line.firstIndex { character in
      if character == "\"" { isQuoted.toggle() }
      return character == ":" && !isQuoted
    }
    guard let colon else { return nil }
    let address = JoinLink.unwrapped(String(line[line.index(after: colon)...]))
    return isAddress(address) ? address : nil
  }
}

/// Recognises the addresses of online meetings in invitations.
public enum JoinLink {
  /// Each service's name, its host (or the end of it), and the start of the path.
  private static let services: [(name: String, host: String, path: String)] = [
    ("Zoom", "zoom.us", "/j/"), ("Zoom", "zoom.us", "/my/"), ("Zoom", "zoom.us", "/w/"),
    ("Zoom", "zoom.us", "/s/"),
    ("Zoom", "zoomgov.com", "/j/"), ("Google Meet", "meet.google.com", "/"),
    ("Microsoft Teams", "teams.microsoft.com", "/l/meetup-join/"),
    ("Microsoft Teams", "teams.microsoft.com", "/meet/"),
    ("Microsoft Teams", "teams.live.com", "/meet/"), ("Webex", "webex.com", "/meet/"),
    ("Webex", "webex.com", "/join/"),
    ("Webex", "webex.com", "/wbxmjs/"), ("Jitsi Meet", "meet.jit.si", "/"), ("8x8", "8x8.vc", "/"),
    ("Whereby", "whereby.com", "/"), ("GoTo Meeting", "gotomeeting.com", "/join/"),
    ("GoTo Meeting", "gotomeet.me", "/"),
    ("GoTo Meeting", "meet.goto.com", "/"), ("Skype", "join.skype.com", "/"),
    ("Amazon Chime", "chime.aws", "/"),
    ("FaceTime", "facetime.apple.com", "/join"), ("Slack", "app.slack.com", "/huddle/"),
    ("Element Call", "call.element.io", "/"), ("BlueJeans", "bluejeans.com", "/"),
    ("RingCentral", "v.ringcentral.com", "/join/"),
    ("StreamYard", "streamyard.com", "/"), ("Discord", "discord.gg", "/"),
    ("Around", "meet.around.co", "/r/"),
    ("BigBlueButton", "bigbluebutton.org", "/"),
  ]

  /// The maximum length of a text and number of addresses to check.
  private static let maximumBytes = 65_536
  private static let maximumLinks = 200

  /// The first link to a meeting in `texts`, in order; `nil` without one.
  public static func first(in texts: [String?]) -> String? { all(in: texts).first?.address }

  /// The distinct links to meetings in `texts`, each with the name of its service as the label.
  public static func all(in texts: [String?]) -> [Conference] {
    var found: [Conference] = []
    for case let text? in texts {
      for address in addresses(in: text).map(unwrapped) {
        guard let name = service(of: address), !found.contains(where: { $0.address == address }) else {
          continue
        }
        found.append(Conference(address: address, label: name, features: ["AUDIO", "VIDEO"]))
      }
    }
    return found
  }

  /// The service of a link; `nil` for any other address.
  public static func service(of address: String) -> String? {
    guard address.lowercased().hasPrefix("https://") else { return nil }
    let rest = address.dropFirst("https://".count)
    let host = rest.prefix { !"/?#".contains($0) }.lowercased()
    let path = rest.dropFirst(host.count).lowercased()
    // A user name before the host would disguise an address.
    guard !host.contains("@"), path.count > 1 else { return nil }
    return services.first { service in
      (host == service.host || host.hasSuffix("." + service.host)) && path.hasPrefix(service.path)
        && path.count > service.path.count - (service.path == "/join" ? 1 : 0)
    }?.name
  }

  /// The `https` addresses in a text.
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
      let end =
        rest.firstIndex { $0 <= 0x20 || $0 >= 0x7F || "<>\"'()[]{}|\\^`".utf8.contains($0) } ?? rest.endIndex
      var address = String(decoding: rest[..<end], as: UTF8.self)
      while let last = address.last, ".,;:!?".contains(last) { address.removeLast() }
      found.append(address)
      rest = rest[end...]
    }
    return found
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
