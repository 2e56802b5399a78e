public import FencepostCalendarModel

extension CalendarItem {
  /// The conferences of an item: CONFERENCE of RFC 7986, the properties of Google, Microsoft and others, and
  /// links of known services in the URL, the location and the notes. Each address appears once, the best first
  /// (``CalendarModel/Conference/ranked(_:)``).
  ///
  /// The item keeps all these lines, so they are exported unchanged.
  public var conferences: [Conference] { conferences(at: JoinHosts()) }

  /// The same, with links to servers that the owner names.
  ///
  /// - Parameter hosts: The setting `join-hosts`.
  public func conferences(at hosts: JoinHosts) -> [Conference] {
    var found: [Conference] = []
    for line in preserved.properties {
      guard let property = PreservedProperty(line, named: Conference.propertyNames) else { continue }
      let address = Conference.address(written: TextValue.decode(Array(property.value.utf8)[...]))
      guard Conference.isAddress(address) else { continue }
      let features = property.parameter("FEATURE")?.split(separator: ",").map { $0.uppercased() }
      found.append(
        Conference(
          address: address, label: property.parameter("LABEL") ?? JoinLink.service(of: address, at: hosts),
          features: features ?? Conference.features(of: address)))
    }
    found += JoinLink.all(in: [url, location, structuredLocation?.title, notes], at: hosts)
    let descriptions = preserved.properties.filter(Conference.isDescription)
    found += JoinLink.all(in: descriptions.map { TextValue.decode(Array($0.utf8)[...]) }, at: hosts)
    var seen: Set<String> = []
    return Conference.ranked(found.filter { seen.insert($0.address).inserted })
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

extension CalendarItem {
  /// The time that the way to an event takes, in seconds: Apple's X-APPLE-TRAVEL-DURATION; `nil` if it is not
  /// known.
  ///
  /// The item keeps the line, so it is exported unchanged.
  public var travelTime: Int? {
    get {
      for line in preserved.properties {
        if let property = Self.travelTime(line), let duration = CalendarDuration(text: property.value),
          duration.nominalSeconds > 0
        {
          return duration.nominalSeconds
        }
      }
      return nil
    }
    set {
      guard newValue != travelTime else { return }
      preserved.properties.removeAll { Self.travelTime($0) != nil }
      if let newValue, newValue > 0 {
        preserved.properties.append(
          "\(Self.travelName);VALUE=DURATION:\(CalendarDuration(seconds: newValue).text)")
      }
    }
  }

  private static let travelName = "X-APPLE-TRAVEL-DURATION"

  private static func travelTime(_ line: String) -> PreservedProperty? {
    PreservedProperty(line, named: [travelName])
  }
}

/// A property of JSCalendar (RFC 8984) that an item keeps: one that this model has no field for, or the words
/// of a client.
public struct JSProperty: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Its value, as JSON.
  public var json: String

  /// A property.
  public init(name: String, json: String) {
    self.name = name
    self.json = json
  }
}

extension CalendarItem {
  /// The kept properties of JSCalendar. Each is a line JSPROP with its name as JSPTR, so that it survives
  /// files.
  public var jsProperties: [JSProperty] {
    get {
      preserved.properties.compactMap { line in
        guard let property = PreservedProperty(line, named: ["JSPROP"]),
          let name = property.parameter("JSPTR")
        else {
          return nil
        }
        return JSProperty(name: name, json: TextValue.decode(Array(property.value.utf8)[...]))
      }
    }
    set {
      preserved.properties.removeAll { PreservedProperty($0, named: ["JSPROP"]) != nil }
      for property in newValue {
        preserved.properties.append(
          "JSPROP;JSPTR=\(ParameterText.encode(property.name)):\(TextValue.encode(property.json))")
      }
    }
  }
}
