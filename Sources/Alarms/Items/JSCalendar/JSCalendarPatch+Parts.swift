import FencepostCalendarModel
import FencepostGeodesy
import FencepostICalendar
import FencepostJSON
import FencepostRecurrence

// Places and alarms.
extension JSCalendarPatch {
  /// The first location with a coordinate is the place; otherwise the first one is the location as text.
  func applyLocations(_ reader: PatchReader, to item: inout CalendarItem) throws(ItemPatchError) {
    let all = try reader.map(most: 100)
    guard let chosen = all.first(where: { $0.value["coordinates"]?.text != nil }) ?? all.first else {
      item.location = nil
      item.structuredLocation = nil
      return
    }
    let path = "locations/\(JSONPointer.escaped(chosen.key))"
    func part(_ name: String) -> PatchReader {
      PatchReader(chosen.value[name], key: "\(path)/\(name)")
    }
    let name = try part("name").plainText(maximumBytes: 10_000)
    let outline = try StructuredLocation.outline(part("fencepost:polygons"))
    let coordinates = part("coordinates")
    guard !coordinates.value.isNull || !outline.isEmpty else {
      item.location = name
      item.structuredLocation = nil
      return
    }
    var place = item.structuredLocation ?? StructuredLocation(title: "")
    if (item.location ?? place.title) != name {
      place.title = name ?? ""
      item.location = name
    }
    place.address = try part("description").plainText(maximumBytes: 100_000)
    place.outline = outline
    if let text = try coordinates.optionalText() {
      guard let coordinate = Self.coordinate(text) else {
        throw coordinates.fail("must be an address such as \"geo:52.52,13.405\"")
      }
      place.coordinate = coordinate
    } else {
      place.coordinate = outline.first?.exterior.first
    }
    let radius = part("fencepost:radius")
    place.radius = radius.value.isNull ? 0 : try radius.number(in: StructuredLocation.possibleRadius)
    item.structuredLocation = place
  }

  /// The coordinate of a geo URI (RFC 5870) on WGS 84.
  private static func coordinate(_ text: String) -> Coordinate? {
    guard text.lowercased().hasPrefix("geo:") else { return nil }
    let parts = text.dropFirst(4).prefix { $0 != ";" }.split(separator: ",")
    guard (2...3).contains(parts.count), let latitude = Double(parts[0]), let longitude = Double(parts[1])
    else {
      return nil
    }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    return coordinate.isValid ? coordinate : nil
  }

  func applyVirtualLocations(_ reader: PatchReader, to item: inout CalendarItem) throws(ItemPatchError) {
    var wanted: [Conference] = []
    for (key, value) in try reader.map(most: 20).map({ ($0.key, $0.value) }) {
      let path = "virtualLocations/\(JSONPointer.escaped(key))"
      guard let address = value["uri"]?.text, Conference.isAddress(address) else {
        throw ItemPatchError("/\(path)/uri", "must be an address such as https://meet.example.org/room")
      }
      let label = value["name"]?.text
      let features = (value["features"]?.members ?? []).filter { $0.value.flag == true }.map {
        $0.key.uppercased()
      }
      guard features.allSatisfy({ $0.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == 0x2D } }),
        label?.utf8.count ?? 0 <= 1_000, label?.utf8.contains(where: { $0 < 0x20 }) != true
      else {
        throw ItemPatchError("/\(path)", "has a name or a feature with characters that can't be kept")
      }
      wanted.append(Conference(address: address, label: label, features: features))
    }
    // An unchanged set in another order is no change.
    let old = item.conferences
    let order = Dictionary(old.enumerated().map { ($1.address, $0) }) { first, _ in first }
    item.set(wanted.sorted { order[$0.address] ?? old.count < order[$1.address] ?? old.count })
  }

  // MARK: Alarms

  func applyAlerts(_ reader: PatchReader, to item: inout CalendarItem) throws(ItemPatchError) {
    let members = try reader.map(most: 100)
    var alarms: [Alarm] = []
    for member in members {
      let old = item.alarms.first { $0.key == member.key }
      do throws(ItemPatchError) { alarms.append(try alarm(member, from: old, in: item)) } catch {
        throw error.below("/alerts/\(JSONPointer.escaped(member.key))")
      }
    }
    let old = Dictionary(item.alarms.enumerated().map { ($1.key, $0) }) { first, _ in first }
    item.alarms = alarms.enumerated().sorted {
      (old[$0.element.key] ?? old.count, $0.offset) < (old[$1.element.key] ?? old.count, $1.offset)
    }.map(\.element)
  }

  private func alarm(_ member: JSONMember, from old: Alarm?, in item: CalendarItem) throws(ItemPatchError)
    -> Alarm
  {
    var alarm = old ?? Alarm(id: Identifier(rawValue: member.key))
    let trigger = member.value["trigger"]
    switch trigger?["@type"]?.text ?? (trigger?["when"] == nil ? "OffsetTrigger" : "AbsoluteTrigger") {
    case "AbsoluteTrigger":
      alarm.trigger = .absolute(try part("when", of: trigger).instant())
    case "OffsetTrigger":
      let edge = part("relativeTo", of: trigger)
      let isEnd = edge.value.isNull ? false : try edge.word(["start": false, "end": true])
      alarm.trigger = .relative(try part("offset", of: trigger).duration(), to: isEnd ? .end : .start)
      guard item.anchor != nil || allowsSilentAlarms else {
        throw ItemPatchError("/trigger", "needs a due time of the task")
      }
    // An unknown trigger must be kept, and never goes off (RFC 8984, section 4.5.2).
    default: alarm.trigger = .none
    }
    let acknowledged = part("acknowledged", of: member.value)
    alarm.acknowledged = acknowledged.value.isNull ? nil : try acknowledged.instant()
    let isEmail = try part("action", of: member.value).optionalText() == "email"
    if case .email = alarm.action {
      if !isEmail { alarm.action = .display }
    } else if isEmail {
      alarm.action = .email(to: [])
    }
    let original = member.value["relatedTo"]?.members?.first {
      $0.value["relation"]?["parent"]?.flag == true
    }?.key
    alarm.snoozeOf = original.map { key in
      item.alarms.first { $0.key == key }?.id
        ?? alarm.snoozeOf.flatMap { JSCalendarKey.text($0.rawValue) == key ? $0 : nil }
        ?? Identifier(rawValue: key)
    }
    alarm.proximity = try proximity(of: member.value)
    return alarm
  }

  private func part(_ name: String, of json: JSONValue?) -> PatchReader {
    PatchReader(json?[name], key: name)
  }

  private func proximity(of alert: JSONValue) throws(ItemPatchError) -> ProximityTrigger? {
    guard let json = alert["fencepost:proximity"], !json.isNull else { return nil }
    let patch = AlarmPatch(
      times: TimeReader(resolver: resolver), anchorZone: nil, allowsUnknownPlaces: allowsSilentAlarms)
    do throws(ItemPatchError) { return try patch.alarm(json, among: []).proximity } catch {
      throw error.below("/fencepost:proximity")
    }
  }
}
