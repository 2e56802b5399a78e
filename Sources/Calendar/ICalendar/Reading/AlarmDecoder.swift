import FencepostCalendarModel

/// Decodes a VALARM into one alarm, or one for each of its places.
struct AlarmDecoder {
  private let component: RawComponent
  private let text: ComponentText
  private let item: CalendarItem
  private let zones: FileZones
  private let diagnostics: Diagnostics
  private var alarm: Alarm
  private var values = PropertyValues()
  private var proximity = ProximityProperties()
  private var uid: String?
  private var appleUID: String?
  private var actionName = "DISPLAY"
  private var attachment: ContentLine?
  private var addressees: [ContentLine] = []
  private var hasTrigger = false

  /// The alarms of an item's component. `item` has everything except them.
  static func alarms(
    of component: RawComponent, in text: ComponentText, item: CalendarItem, zones: FileZones,
    diagnostics: Diagnostics
  ) -> [Alarm] {
    var alarms: [Alarm] = []
    var taken: Set<Identifier<Alarm>> = []
    for child in component.children where child.name == "VALARM" {
      var decoder = AlarmDecoder(child, in: text, item: item, zones: zones, diagnostics: diagnostics)
      for alarm in decoder.decode(index: alarms.count, taken: taken) {
        taken.insert(alarm.id)
        alarms.append(alarm)
      }
    }
    return alarms
  }

  private init(
    _ component: RawComponent, in text: ComponentText, item: CalendarItem, zones: FileZones,
    diagnostics: Diagnostics
  ) {
    self.component = component
    self.text = text
    self.item = item
    self.zones = zones
    values.zones = zones
    self.diagnostics = diagnostics
    alarm = Alarm(id: .init(rawValue: ""))
  }

  private mutating func decode(index: Int, taken: Set<Identifier<Alarm>>) -> [Alarm] {
    for lineIndex in component.properties {
      guard let line = ContentLine(text.lines[lineIndex], in: text) else {
        diagnostics.warn(text.lines[lineIndex].number, "skipped a line that is not a property")
        continue
      }
      do {
        try read(line)
      } catch {
        diagnostics.warn(line.number, "\(line.name) of an alarm: \(error.message)")
        values.preserve(line)
      }
    }
    for remark in values.remarks { diagnostics.warn(remark.line, remark.message) }
    alarm.id = (uid ?? appleUID).map { .init(rawValue: $0) } ?? Identity.alarm(index, of: item)
    if taken.contains(alarm.id) {
      // Two alarms have the same UID. Identify the second by its position in the item, and keep its UID line.
      if let uid { values.preserved.properties.append("UID:\(TextValue.encode(uid))") }
      alarm.id = Identity.alarm(index, of: item)
    }
    finishAction()
    return finishProximity()
  }

  private mutating func read(_ line: ContentLine) throws(InvalidValue) {
    let property = line.property
    switch property {
    case .uid where uid == nil: uid = values.text(line)
    case .appleAlarmUID:
      appleUID = TextValue.decode(line.bytes[line.valueRange])
      if appleUID?.isEmpty == true { appleUID = nil }
      values.preserve(line)
    case .action:
      let isKnown = AlarmDecoder.actions.contains(line.word.uppercased())
      actionName = isKnown ? line.word : line.value
      values.preserve(line, isNoncanonical: isKnown && line.value != line.word.uppercased())
    case .trigger where !hasTrigger: try readTrigger(line)
    case .description where alarm.message == nil:
      if line.valueRange.isEmpty && line.parameterRange.isEmpty && item.title.isEmpty { return }
      alarm.message = values.text(line)
    case .summary where alarm.summary == nil:
      if line.valueRange.isEmpty && line.parameterRange.isEmpty && item.title.isEmpty { return }
      alarm.summary = values.text(line)
    case .repeat:
      alarm.repeatCount = try values.integer(line, in: 0...Int(Int32.max), default: 0)
    case .duration where alarm.repeatInterval == nil:
      let (interval, isRepaired) = try values.duration(line)
      alarm.repeatInterval = interval
      values.preserve(
        line,
        isNoncanonical: !isRepaired && (!line.parameterRange.isEmpty || interval.text != line.value))
    case .attach where attachment == nil: attachment = line
    case .attendee: addressees.append(line)
    case .acknowledged: alarm.acknowledged = try values.instant(line)
    case .relatedTo where alarm.snoozeOf == nil:
      let type = line.parameters.first { $0.name == "RELTYPE" }?.value.uppercased()
      guard type == "SNOOZE", !line.valueRange.isEmpty else { return values.preserve(line) }
      alarm.snoozeOf = .init(rawValue: TextValue.decode(line.bytes[line.valueRange]))
      values.preserveParameters(of: line, except: ["RELTYPE"])
    default:
      if try !proximity.read(line, property) { values.preserve(line) }
    }
  }

  private mutating func readTrigger(_ line: ContentLine) throws(InvalidValue) {
    let related = line.parameters.first { $0.name == "RELATED" }?.value.uppercased()
    let value = ContentLine.trimmed(line.bytes, line.valueRange)
    if let first = line.bytes[value].first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) {
      let zone = line.timeZone
      if let zone { zones.use(zone, line: line.number) }
      let (time, isRepaired) = try TimeValue.reading(line.bytes, line.valueRange, zone: zone)
      if time.civil != Sentinel.time.civil {
        alarm.trigger = .absolute(zones.instant(of: time, in: item.timeZone))
      }
      let isUTC = time.utcInstant != nil || time.civil == Sentinel.time.civil
      let isUsual =
        time.utcInstant != nil && !line.isNoncanonicalTime
        && (line.bytes[line.parameterRange].elementsEqual("VALUE=DATE-TIME".utf8)
          || line.parameters.filter { $0.name != "RELATED" }.map(\.text) == ["VALUE=DATE-TIME"])
      values.preserve(
        line, isNoncanonical: isUTC && !isRepaired && !isUsual, except: ["VALUE", "TZID", "RELATED"])
    } else {
      let text = line.word
      guard let duration = CalendarDuration(repairing: text) else {
        throw InvalidValue(message: "'\(line.value.prefix(40))' is neither a duration nor a time")
      }
      alarm.trigger = .relative(duration, to: related == "END" ? .end : .start)
      if CalendarDuration(text: text) == nil {
        values.remark(line, readAs: duration.text)
        values.preserveParameters(of: line, except: related == "END" ? ["RELATED"] : [])
        hasTrigger = true
        return
      }
      // Keep an explicit default, so that the writer writes it again.
      values.preserve(
        line,
        isNoncanonical: duration.text != line.value
          || (related == "END" && line.parameters.first?.name != "RELATED"),
        except: related == "END" ? ["RELATED"] : [])
    }
    hasTrigger = true
  }

  /// The actions in capitals, without blanks.
  private static let actions = ["DISPLAY", "AUDIO", "EMAIL", "PROCEDURE"]

  private mutating func finishAction() {
    let action = actionName.uppercased()
    // RFC 5545 requires these texts. The item's title means that nothing was chosen.
    if action == "DISPLAY" || action == "EMAIL", alarm.message == item.title { alarm.message = nil }
    if action == "EMAIL", alarm.summary == item.title { alarm.summary = nil }
    switch action {
    case "DISPLAY": alarm.action = .display
    case "AUDIO":
      alarm.action = .audio(soundName: removeAttachment())
    case "EMAIL":
      alarm.action = .email(to: addressees.map(\.value))
      for line in addressees where !line.parameterRange.isEmpty { values.preserve(line) }
      addressees = []
    case "PROCEDURE":
      alarm.action = .procedure(url: removeAttachment())
    default: alarm.action = .other(actionName)
    }
    if let attachment { values.preserve(attachment) }
    for line in addressees { values.preserve(line) }
  }

  /// The attachment's value, unless it is empty or inline.
  private mutating func removeAttachment() -> String? {
    guard let line = attachment, !line.valueRange.isEmpty,
      !line.parameters.contains(where: { $0.name == "ENCODING" })
    else { return nil }
    attachment = nil
    values.preserveParameters(of: line)
    return line.value
  }

  private mutating func finishProximity() -> [Alarm] {
    let number = text.lines[component.lines.lowerBound].number
    let children = component.children.map { child in
      let content = text.joined(child.lines)
      return PlaceComponent(
        text: content, location: child.name == "VLOCATION" ? LocationComponent(text: content) : nil)
    }
    let places = children.filter { $0.location != nil }
    let triggers = proximity.triggers(
      components: places.compactMap(\.location?.place), itemPlace: item.structuredLocation)
    if triggers.isEmpty {
      for line in proximity.lines { values.preserve(line) }
      if !proximity.lines.isEmpty {
        diagnostics.warn(number, "an alarm without both a place and a proximity never goes off at a place")
      }
    }
    if !hasTrigger && triggers.isEmpty {
      diagnostics.warn(number, "an alarm without a readable TRIGGER never goes off")
    }
    values.preserved.components += children.map(\.text)
    alarm.preserved = values.preserved
    if triggers.isEmpty { return [alarm] }
    if let line = proximity.appleLine, let place = proximity.apple, !AppleLocation.writes(place, as: line) {
      alarm.preserved.properties.append(line.text)
    }
    if triggers.count == 1 { return [placed(alarm, triggers[0], keeping: children)] }
    // Each alarm keeps its own component and all other kept content, unless the copies would be too large.
    let others = children.filter { $0.location == nil }
    let isBounded = triggers.count * (alarm.preserved.properties.count + others.count) <= Self.copyLimit
    return triggers.enumerated().map { index, trigger in
      var alarm = alarm
      if index > 0 {
        alarm.id = .init(rawValue: "\(alarm.id.rawValue)/\(index + 1)")
        if !isBounded { alarm.preserved = PreservedContent() }
      }
      return placed(alarm, trigger, keeping: (index == 0 || isBounded ? others : []) + [places[index]])
    }
  }

  /// The most kept lines and components that the alarms of one VALARM repeat.
  private static let copyLimit = 100_000

  /// A component of a VALARM, and its place.
  private struct PlaceComponent {
    var text: String
    var location: LocationComponent?
  }

  /// `alarm` at a place. It keeps the components that the writer would not write itself and that describe no
  /// other place.
  private func placed(
    _ alarm: Alarm, _ trigger: ProximityTrigger, keeping components: [PlaceComponent]
  ) -> Alarm {
    var alarm = alarm
    alarm.proximity = trigger
    if components.isEmpty {
      alarm.preserved.components = []
      return alarm
    }
    let own = LocationComponent.text(trigger.location, uid: Sentinel.placeUID(of: alarm))
    alarm.preserved.components = components.lazy
      .filter { $0.location.map { $0.agrees(with: trigger.location) } ?? true && $0.text != own }.map(\.text)
    return alarm
  }
}
