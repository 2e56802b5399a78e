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

  /// Whether it shows pictures, or may: what is not said of a page to join.
  private var isForEyes: Bool {
    features.isEmpty || features.contains("VIDEO") || features.contains("SCREEN")
  }

  /// The conferences in the order in which people want them: pages with video, other pages, then numbers to
  /// call. Those of one kind keep their order.
  public static func ranked(_ conferences: [Conference]) -> [Conference] {
    func rank(_ conference: Conference) -> Int {
      if conference.address.lowercased().hasPrefix("tel:") { return 3 }
      return conference.isForEyes ? 0 : conference.features.contains("PHONE") ? 2 : 1
    }
    return (0...3).flatMap { wanted in conferences.filter { rank($0) == wanted } }
  }

  /// What an address offers that does not say it: a number to call is for the ears.
  public static func features(of address: String) -> [String] {
    let scheme = address.prefix { $0 != ":" }.lowercased()
    return scheme == "tel" ? ["AUDIO", "PHONE"] : []
  }

  /// Whether people may open an address: it is of the web, or to call.
  public static func isAddress(_ text: String) -> Bool {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    return ["https", "http", "tel", "sip", "sips", "xmpp", "facetime"].contains(scheme) && text.count <= 4_000
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3C && $0 != 0x3E }
  }

  /// The address in a content line of ``propertyNames``; `nil` for other lines.
  public static func address(inLine line: String) -> String? { Conference(line: line)?.address }

  /// The address to join among content lines: that of the best conference, else a link in a description
  /// (X-ALT-DESC, which is HTML); `nil` without one.
  ///
  /// - Parameter texts: Texts of the item. A link in them goes before one in the description, so then this is `nil`.
  public static func address(inLines lines: [String], before texts: [String?] = []) -> String? {
    if let best = ranked(lines.compactMap(Conference.init(line:))).first { return best.address }
    guard JoinLink.first(in: texts) == nil else { return nil }
    return JoinLink.first(
      in: lines.filter(isDescription).map { $0.replacing("\\;", with: ";").replacing("\\,", with: ",") })
  }

  /// Whether a content line is a description in HTML.
  public static func isDescription(_ line: String) -> Bool {
    line.utf8.count > 10 && line.prefix(10).uppercased() == "X-ALT-DESC"
  }

  /// The conference of a content line of ``propertyNames``, without its label.
  private init?(line: String) {
    let name = line.prefix { $0 != ";" && $0 != ":" }
    guard Self.propertyNames.contains(name.uppercased()) else { return nil }
    var isQuoted = false
    let colon = line.firstIndex { character in
      if character == "\"" { isQuoted.toggle() }
      return character == ":" && !isQuoted
    }
    guard let colon else { return nil }
    let address = Self.address(written: String(line[line.index(after: colon)...]))
    guard Self.isAddress(address) else { return nil }
    let parameters = line[name.endIndex..<colon].uppercased().split(separator: ";")
    let features = parameters.first { $0.hasPrefix("FEATURE=") }?.dropFirst(8).split(separator: ",").map(
      String.init)
    self.init(address: address, features: features ?? Self.features(of: address))
  }

  /// An address as people may open it, of one as programs write it.
  public static func address(written text: String) -> String {
    JoinLink.unwrapped(JoinLink.encoded(text.replacing("&amp;", with: "&")))
  }
}
