import FencepostAlgorithms
import FencepostCalendarModel
import FencepostGeodesy
import FencepostICalendar
import FencepostJSON
import FencepostRecurrence

// Places, people and alarms.
extension JSCalendarWriter {
  func addPlaces(of item: CalendarItem, to line: inout JSONLine) {
    let place = item.structuredLocation
    if let name = item.location ?? place?.title {
      var location = JSONLine()
      location.add("@type", "Location")
      location.add("name", name)
      if let place {
        if let address = place.address { location.add("description", address) }
        if let coordinate = place.coordinate {
          location.add(
            "coordinates", "geo:\(coordinate.latitude.decimalText),\(coordinate.longitude.decimalText)")
        }
        if place.radius > 0 { location.add("fencepost:radius", place.radius) }
        if let polygons = place.polygonsJSON { location.add("fencepost:polygons", json: polygons) }
      }
      line.add("locations", JSONLine(key: "place", location))
    }
    let conferences = item.conferences
    if !conferences.isEmpty {
      var all = JSONLine()
      for conference in conferences {
        var one = JSONLine()
        one.add("@type", "VirtualLocation")
        if let label = conference.label { one.add("name", label) }
        one.add("uri", conference.address)
        if !conference.features.isEmpty {
          one.add("features", JSONLine(set: conference.features.map { $0.lowercased() }))
        }
        all.add(StableHash(of: conference.address).text, one)
      }
      line.add("virtualLocations", all)
    }
    if let url = item.url, !url.isEmpty {
      var link = JSONLine()
      link.add("@type", "Link")
      link.add("href", url)
      line.add("links", JSONLine(key: "url", link))
    }
  }

  func addPeople(of item: CalendarItem, to line: inout JSONLine) {
    var all = JSONLine()
    var isEmpty = true
    let organizer = item.organizer
    if let organizer {
      line.add("replyTo", Self.address(of: organizer))
      if !item.attendees.contains(where: { $0.key == organizer.key }) {
        all.add(organizer.key, Self.object(organizer, roles: ["owner"], canReply: true))
        isEmpty = false
      }
    }
    var seen: Set<String> = []
    for attendee in item.attendees where seen.insert(attendee.key).inserted {
      let roles = (attendee.key == organizer?.key ? ["owner"] : []) + attendee.roles
      all.add(attendee.key, Self.object(attendee, roles: roles, canReply: organizer != nil))
      isEmpty = false
    }
    if !isEmpty { line.add("participants", all) }
  }

  private static func address(of participant: Participant) -> JSONLine {
    var address = JSONLine()
    address.add(participant.url.lowercased().hasPrefix("mailto:") ? "imip" : "other", participant.url)
    return address
  }

  /// - Parameter canReply: Whether there is an organizer. Without one, `sendTo` is not allowed (RFC 8984,
  ///   section 4.4.6).
  private static func object(_ participant: Participant, roles: [String], canReply: Bool) -> JSONLine {
    var line = JSONLine()
    line.add("@type", "Participant")
    if let name = participant.name { line.add("name", name) }
    if !canReply, let email = participant.email {
      line.add("email", email)
    } else {
      line.add("sendTo", address(of: participant))
    }
    if let kind = participant.kind.word { line.add("kind", kind) }
    line.add("roles", JSONLine(set: roles))
    if let status = participant.status.word { line.add("participationStatus", status) }
    return line
  }

  func alerts(of item: CalendarItem) -> JSONLine {
    let lines = ItemJSON(resolver: resolver)
    var all = JSONLine()
    var seen: Set<String> = []
    for alarm in item.alarms where seen.insert(alarm.key).inserted {
      var alert = JSONLine()
      alert.add("@type", "Alert")
      var trigger = JSONLine()
      switch alarm.trigger {
      case .none:
        trigger.add("@type", alarm.proximity == nil ? "fencepost:Never" : "fencepost:ProximityTrigger")
      case .absolute(let instant):
        trigger.add("@type", "AbsoluteTrigger")
        trigger.add("when", instant.jsCalendarText)
      case .relative(let offset, let edge):
        trigger.add("@type", "OffsetTrigger")
        trigger.add("offset", offset.text)
        if edge == .end { trigger.add("relativeTo", "end") }
      }
      alert.add("trigger", trigger)
      if let acknowledged = alarm.acknowledged { alert.add("acknowledged", acknowledged.jsCalendarText) }
      if let original = alarm.snoozeOf {
        var relation = JSONLine()
        relation.add("@type", "Relation")
        relation.add("relation", JSONLine(set: ["parent"]))
        alert.add("relatedTo", JSONLine(key: JSCalendarKey.text(original.rawValue), relation))
      }
      if case .email = alarm.action { alert.add("action", "email") }
      if let proximity = alarm.proximity { alert.add("fencepost:proximity", lines.object(proximity)) }
      all.add(alarm.key, alert)
    }
    return all
  }
}

extension JSCalendarWriter {
  /// Properties of an alert that an alarm has.
  private static let alertNames: Set<String> = [
    "@type", "trigger", "acknowledged", "relatedTo", "action", "fencepost:proximity",
  ]

  /// Changed alerts with what a client said about them beyond what alarms have. A trigger of another type
  /// must be kept (RFC 8984, section 4.5.2), also when another alert is acknowledged.
  static func alerts(_ alerts: JSONValue, keeping kept: JSProperty) -> JSONValue {
    guard let words = try? JSONValue(reading: Array(kept.json.utf8), maxDepth: JSCalendarPatch.maxDepth)
    else {
      return alerts
    }
    var all = alerts
    for member in alerts.members ?? [] {
      for word in words[member.key]?.members ?? [] {
        let isTrigger =
          word.key == "trigger" && member.value["trigger"]?["@type"]?.text == "fencepost:Never"
        guard isTrigger || !alertNames.contains(word.key) else { continue }
        all = all.setting([member.key, word.key], to: word.value) ?? all
      }
    }
    return all
  }
}

/// Keys of JSCalendar's maps.
enum JSCalendarKey {
  /// A text as a key, which has letters, digits, `-` and `_` alone (RFC 8984, section 1.4.1). Another text
  /// becomes its hash.
  static func text(_ text: String) -> String {
    let isKey =
      (1...255).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x41...0x5A).contains(ASCII.uppercased($0)) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x5F
      }
    return isKey ? text : StableHash(of: text).text
  }
}

extension Alarm {
  /// Its key among the alerts.
  var key: String { JSCalendarKey.text(id.rawValue) }
}

extension Participant {
  /// Its key among the participants.
  var key: String { StableHash(of: url.lowercased()).text }

  /// Its roles (RFC 8984, section 4.4.6), beside that of an owner.
  var roles: [String] {
    switch role {
    case .unknown, .required: ["attendee"]
    case .optional: ["attendee", "optional"]
    case .chair: ["attendee", "chair"]
    case .nonParticipant: ["informational"]
    }
  }
}

extension Participant {
  /// The address in a plain `mailto:`; `nil` for other addresses.
  fileprivate var email: String? {
    guard url.hasPrefix("mailto:"), !url.utf8.contains(where: { $0 == 0x25 || $0 == 0x3F }) else {
      return nil
    }
    return String(url.dropFirst(7))
  }
}

extension Participant.Kind {
  /// Its word in JSCalendar; `nil` if it has none.
  var word: String? {
    switch self {
    case .unknown: nil
    case .person: "individual"
    case .room: "location"
    case .resource: "resource"
    case .group: "group"
    }
  }
}

extension Participant.Status {
  /// Its word in JSCalendar; `nil` if it has none.
  var word: String? {
    switch self {
    case .pending: "needs-action"
    case .accepted: "accepted"
    case .declined: "declined"
    case .tentative: "tentative"
    case .delegated: "delegated"
    case .unknown, .completed, .inProcess: nil
    }
  }
}
