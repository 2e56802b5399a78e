import FencepostCalendarModel

/// Alarms that a file defines with properties of the item instead of a VALARM. The lines are kept, and no
/// VALARM is written for them: the program that wrote the line would see a second alarm.
struct PropertyAlarms {
  private static let snooze = "X-MOZ-SNOOZE-TIME"
  private static let snoozeMark = "#" + snooze

  private let item: CalendarItem
  /// The kept lines that may define an alarm.
  private let lines: [ContentLine]
  private let identifier: Identifier<CalendarItem>
  /// The snoozed alarm.
  private let original: Identifier<Alarm>?
  /// True if one of the item's own alarms is at a place.
  private let hasPlace: Bool

  /// The alarms in kept lines of `item`, which already has its own alarms; `nil` if no line defines one,
  /// which is usual.
  ///
  /// It checks each alarm once, so that a file with many such lines and alarms is quick.
  init?(_ item: CalendarItem) {
    lines = item.preserved.properties.lazy.filter(Self.mayDefineAlarm).compactMap { ContentLine($0) }
    if lines.isEmpty { return nil }
    self.item = item
    identifier = Identity.item(uid: item.uid, occurrence: item.detachment?.occurrence)
    let own = item.alarms.lazy.filter { !PropertyAlarms.isFromProperty($0) }
    original = own.first { $0.trigger != .none && $0.snoozeOf == nil }?.id
    hasPlace = own.contains { $0.proximity != nil }
  }

  /// The alarms in kept lines.
  ///
  /// - X-GEOFENCE-RADIUS of jtx Board: arriving within this many metres of the item's own place, or being
  ///   there; unless one of its own alarms is at a place.
  /// - X-MOZ-SNOOZE-TIME of Thunderbird, with the time appended for an occurrence: the instant until which
  ///   the alarm is snoozed.
  var alarms: [Alarm] {
    var alarms: [Alarm] = []
    var hasPlace = hasPlace
    for line in lines {
      if line.name == PropertyName.geofenceRadius.rawValue {
        guard !hasPlace, let radius = GeoValue.readRadius(line.value), let alarm = geofence(radius) else {
          continue
        }
        alarms.append(alarm)
        hasPlace = true
      } else if let alarm = snoozed(line) {
        alarms.append(alarm)
      }
    }
    return alarms
  }

  /// The kept lines whose alarm the item no longer has.
  func outdatedLines() -> Set<String> {
    var outdated: Set<String> = []
    let alarms = Set(item.alarms.map { Key(id: $0.id, trigger: $0.trigger) })
    var places: Set<ProximityTrigger>?
    for line in lines {
      if line.name == PropertyName.geofenceRadius.rawValue {
        guard let found = GeoValue.readRadius(line.value).flatMap(geofence)?.proximity else { continue }
        let known = places ?? Set(item.alarms.compactMap(\.proximity))
        places = known
        if !known.contains(found) { outdated.insert(line.text) }
      } else if let found = snoozed(line), !alarms.contains(Key(id: found.id, trigger: found.trigger)) {
        outdated.insert(line.text)
      }
    }
    return outdated
  }

  private static func mayDefineAlarm(_ line: String) -> Bool {
    line.utf8.starts(with: snooze.utf8) || line.utf8.starts(with: PropertyName.geofenceRadius.rawValue.utf8)
  }

  private struct Key: Hashable {
    var id: Identifier<Alarm>
    var trigger: Alarm.Trigger
  }

  /// True for an alarm that came from a kept line.
  static func isFromProperty(_ alarm: Alarm) -> Bool {
    alarm.id.rawValue.hasSuffix("#geofence") || alarm.id.rawValue.contains(snoozeMark)
  }

  private func geofence(_ radius: Double) -> Alarm? {
    guard var place = item.structuredLocation, place.coordinate != nil else { return nil }
    place.radius = radius
    return Alarm(
      id: Identifier(rawValue: "\(identifier)#geofence"),
      proximity: ProximityTrigger(.enter, at: place, firesIfInside: true))
  }

  private func snoozed(_ line: ContentLine) -> Alarm? {
    guard line.name == Self.snooze || line.name.hasPrefix(Self.snooze + "-"), let original,
      let time = try? TimeValue.read(line.bytes, line.valueRange, zone: nil), case .utc(let civil) = time
    else { return nil }
    var alarm = Alarm(
      id: Identifier(rawValue: "\(identifier)#\(line.name)"),
      trigger: .absolute(Instant(seconds: civil.secondsSinceEpoch)))
    alarm.snoozeOf = original
    return alarm
  }
}

/// X-MOZ-LASTACK of Thunderbird: the last acknowledgement of an item's alarms, or of one alarm.
enum LastAcknowledged {
  private static let name = "X-MOZ-LASTACK"

  /// The time in kept lines; `nil` if there is no such line.
  static func time(keptIn preserved: PreservedContent) -> Instant? {
    preserved.properties.lazy.filter { $0.hasPrefix(name) }.compactMap { ContentLine($0) }
      .filter { $0.name == name }
      .compactMap { try? TimeValue.read($0.bytes, $0.valueRange, zone: nil).utcInstant }.max()
  }

  /// The latest acknowledgement of an alarm in kept lines; `itemTime` is that of its item.
  static func time(of alarm: Alarm, itemTime: Instant?) -> Instant? {
    [time(keptIn: alarm.preserved), itemTime].compactMap(\.self).max()
  }
}
