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
