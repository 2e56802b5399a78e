public import CalendarModel

extension CalendarItem {
  /// How to take part from elsewhere: CONFERENCE of RFC 7986, the properties of Google, Microsoft and others, and links of
  /// known services in the URL, the location and the notes; each address once.
  ///
  /// All of it stays in the item as it came, so it is exported unchanged.
  public var conferences: [Conference] {
    var found: [Conference] = []
    for line in preserved.properties
    where Self.names.contains(where: { line.prefix($0.count).uppercased() == $0 }) {
      guard let property = PreservedProperty(line), Self.names.contains(property.name) else { continue }
      let address = TextValue.decode(Array(property.value.utf8)[...])
      guard Self.isAddress(address) else { continue }
      let features = property.parameter("FEATURE")?.split(separator: ",").map { $0.uppercased() }
      found.append(
        Conference(
          address: address, label: property.parameter("LABEL") ?? JoinLink.service(of: address),
          features: features ?? []))
    }
    found += JoinLink.all(in: [url, location, structuredLocation?.title, notes])
    var seen: Set<String> = []
    return found.filter { seen.insert($0.address).inserted }
  }

  private static let names: Set<String> = [
    "CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL",
    "X-MICROSOFT-ONLINEMEETINGEXTERNALLINK",
    "X-ZOOM-JOIN-URL", "X-APPLE-CONFERENCE",
  ]

  /// Whether it is an address that people may open: of the web, or to call.
  private static func isAddress(_ text: String) -> Bool {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    return ["https", "http", "tel", "sip", "sips", "xmpp", "facetime"].contains(scheme) && text.count <= 4_000
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3C && $0 != 0x3E }
  }
}
