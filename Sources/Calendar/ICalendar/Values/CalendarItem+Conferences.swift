public import FencepostCalendarModel

extension CalendarItem {
  /// The conferences of an item: CONFERENCE of RFC 7986, the properties of Google, Microsoft and others, and
  /// links of known services in the URL, the location and the notes. Each address appears once.
  ///
  /// The item keeps all these lines, so they are exported unchanged.
  public var conferences: [Conference] {
    var found: [Conference] = []
    for line in preserved.properties {
      guard let property = PreservedProperty(line, named: Conference.propertyNames) else { continue }
      let address = JoinLink.unwrapped(TextValue.decode(Array(property.value.utf8)[...]))
      guard Conference.isAddress(address) else { continue }
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

  /// Adds a conference as CONFERENCE.
  public mutating func add(_ conference: Conference) {
    var line = "CONFERENCE;VALUE=URI"
    if !conference.features.isEmpty { line += ";FEATURE=" + conference.features.joined(separator: ",") }
    if let label = conference.label { line += ";LABEL=" + ParameterText.encode(label) }
    preserved.properties.append(line + ":" + conference.address)
  }

  /// Replaces the conferences. Links in texts stay, and count as conferences as long as the texts have them.
  public mutating func set(_ wanted: [Conference]) {
    guard wanted != conferences else { return }
    preserved.properties.removeAll { Conference.address(inLine: $0) != nil }
    let found = Set(conferences.map(\.address))
    for conference in wanted where !found.contains(conference.address) { add(conference) }
  }
}
