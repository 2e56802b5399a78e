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
