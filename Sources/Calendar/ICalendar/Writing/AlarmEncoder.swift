import FencepostCalendarModel
import FencepostRecurrence

/// Writes an alarm as VALARM, with the place of a proximity alarm in both Apple's and RFC 9074's form.
struct AlarmEncoder {
  private let alarm: Alarm
  private let item: CalendarItem
  private let index: Int
  private let isSnoozed: Bool
  /// The acknowledgement of all alarms of the item, from its kept lines.
  private let itemAcknowledged: Instant?
  private var list: PropertyList

  /// Writes the alarms of `item` to `writer`.
  static func write(alarmsOf item: CalendarItem, to writer: inout LineWriter) {
    let snoozed = Set(item.alarms.compactMap(\.snoozeOf))
    let fromProperties = Set(PropertyAlarms(item)?.alarms ?? [])
    let written = fromProperties.isEmpty ? item.alarms : item.alarms.filter { !fromProperties.contains($0) }
    let acknowledged = written.isEmpty ? nil : LastAcknowledged.time(keptIn: item.preserved)
    for (index, alarm) in written.enumerated() {
      var encoder = AlarmEncoder(
        alarm, at: index, of: item, isSnoozed: snoozed.contains(alarm.id), acknowledged: acknowledged)
      encoder.write(to: &writer)
    }
  }

  private init(_ alarm: Alarm, at index: Int, of item: CalendarItem, isSnoozed: Bool, acknowledged: Instant?)
  {
    self.alarm = alarm
    self.index = index
    self.item = item
    self.isSnoozed = isSnoozed
    itemAcknowledged = acknowledged
    list = PropertyList(keeping: alarm.preserved.properties)
  }

  private mutating func write(to writer: inout LineWriter) {
    if needsUID { list.add(.uid, text: alarm.id.rawValue) }
    addAction()
    addTrigger()
    if alarm.repeatCount != 0 { list.add(.repeat, String(alarm.repeatCount)) }
    if let interval = alarm.repeatInterval { list.add(.duration, interval.text) }
    if alarm.acknowledged != LastAcknowledged.time(of: alarm, itemTime: itemAcknowledged) {
      list.add(.acknowledged, instant: alarm.acknowledged)
    }
    if let original = alarm.snoozeOf {
      list.add(.relatedTo, TextValue.encode(original.rawValue), parameters: ["RELTYPE=SNOOZE"])
    }
    writer.line("BEGIN:VALARM")
    addProximity()
    list.write(to: &writer) { line in
      // KDE's radius would restore a place that the user removed.
      line.name != PropertyName.kdeRadius.rawValue || alarm.proximity != nil || item.structuredLocation == nil
    }
    writePlace(to: &writer)
    writer.line("END:VALARM")
  }

  /// False if the reader finds the same identifier by itself.
  private var needsUID: Bool {
    isSnoozed || alarm.id != Identity.alarm(index, of: item)
  }

  private mutating func addAction() {
    switch alarm.action {
    case .display:
      list.add(.action, "DISPLAY")
    case .audio(let soundName):
      list.add(.action, "AUDIO")
      if let soundName, !soundName.isEmpty { list.add(.attach, soundName) }
    case .email(let addressees):
      list.add(.action, "EMAIL")
      for address in addressees { list.add(.attendee, address) }
    case .procedure(let url):
      list.add(.action, "PROCEDURE")
      if let url, !url.isEmpty { list.add(.attach, url) }
    case .other(let name):
      list.add(.action, name)
    }
    var message = alarm.message
    var summary = alarm.summary
    switch alarm.action {
    case .display: message = message ?? defaultText(.description)
    case .email:
      message = message ?? defaultText(.description)
      summary = summary ?? defaultText(.summary)
    case .audio, .procedure, .other: break
    }
    // RFC 5545 requires these even if they are empty.
    if let message { list.add(.description, TextValue.encode(message)) }
    if let summary { list.add(.summary, TextValue.encode(summary)) }
  }

  /// The text of an alarm without one of its own: the item's title, unless the file has an explicit empty
  /// text.
  private func defaultText(_ name: PropertyName) -> String { list.keepsEmpty(name) ? "" : item.title }

  private mutating func addTrigger() {
    switch alarm.trigger {
    // An unreadable trigger means the same as no trigger. An earlier version could not repair some.
    case .none where list.kept(.trigger).contains(where: Self.isInvalid): break
    case .none:
      list.add(.trigger, TimeValue.text(Sentinel.time), parameters: ["VALUE=DATE-TIME"])
    case .absolute(let instant):
      list.add(.trigger, TimeValue.text(instant), parameters: ["VALUE=DATE-TIME"])
    case .relative(let offset, let edge):
      list.add(.trigger, offset.text, parameters: edge == .end ? ["RELATED=END"] : [])
    }
  }

  /// True for a TRIGGER that breaks RFC 5545's grammar.
  private static func isInvalid(_ line: ContentLine) -> Bool {
    CalendarDuration(text: line.word) == nil && CalendarTime(basicText: line.word) == nil
  }

  private mutating func addProximity() {
    guard let proximity = alarm.proximity else { return }
    let value =
      switch proximity.event {
      case .enter, .dwell: "ARRIVE"
      case .leave: "DEPART"
      }
    list.add(.appleProximity, value)
    list.add(.proximity, value)
    for line in ProximityOptions.lines(proximity) + [AppleLocation.line(proximity.location)] {
      list.add(line: line)
    }
  }

  /// Writes the kept components, and our own VLOCATION unless one of them has the place.
  private func writePlace(to writer: inout LineWriter) {
    guard let place = alarm.proximity?.location else {
      alarm.preserved.components.forEach { writer.lines($0) }
      return
    }
    var isWritten = false
    for component in alarm.preserved.components {
      if component.hasPrefix("BEGIN:VLOCATION"), let location = LocationComponent(text: component) {
        // A component with another place is outdated, because the alarm has changed.
        guard location.agrees(with: place) else { continue }
        isWritten = true
      }
      writer.lines(component)
    }
    let isPlace = place.coordinate != nil || !place.title.isEmpty
    if !isWritten && isPlace {
      writer.lines(LocationComponent.text(place, uid: Sentinel.placeUID(of: alarm)))
    }
  }
}
