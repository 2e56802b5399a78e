import CalendarModel

/// Alarms that a file tells by properties of the item instead of a VALARM of their own. The lines are kept, and no
/// VALARM is written for them, in which the program that wrote the line would see another alarm.
enum ToldAlarms {
  private static let snooze = "X-MOZ-SNOOZE-TIME"
  private static let snoozeMark = "#" + snooze

  /// The alarms that kept lines of `item` tell, whose own alarms are there already.
  ///
  /// - X-GEOFENCE-RADIUS of jtx Board: arriving at the item's own place, or being there, within so many metres;
  ///   unless an alarm of its own is for a place.
  /// - X-MOZ-SNOOZE-TIME of Thunderbird, for an occurrence with its time appended: the moment to which the alarm was
  ///   put off.
  static func alarms(keptIn item: CalendarItem) -> [Alarm] {
    var alarms: [Alarm] = []
    let own = item.alarms.filter { !isTold($0) }
    for text in item.preserved.properties where text.hasPrefix("X-") {
      guard text.hasPrefix(snooze) || text.hasPrefix(PropertyName.geofenceRadius.rawValue),
        let line = ContentLine(text)
      else { continue }
      if line.name == PropertyName.geofenceRadius.rawValue {
        guard !own.contains(where: { $0.proximity != nil }), !alarms.contains(where: { $0.proximity != nil }),
          let radius = GeoValue.readRadius(line.value), let alarm = geofence(radius, of: item)
        else { continue }
        alarms.append(alarm)
      } else if let alarm = snoozed(line, of: item, own) {
        alarms.append(alarm)
      }
    }
    return alarms
  }

  /// True where `line` tells an alarm that the item has no more.
  static func isOutdated(_ line: ContentLine, of item: CalendarItem) -> Bool {
    if PropertyName(name: line.name) == .geofenceRadius {
      guard let told = GeoValue.readRadius(line.value).flatMap({ geofence($0, of: item) }) else {
        return false
      }
      return !item.alarms.contains { $0.proximity == told.proximity }
    }
    guard line.name.hasPrefix(snooze), let told = snoozed(line, of: item, item.alarms.filter { !isTold($0) })
    else {
      return false
    }
    return !item.alarms.contains { $0.id == told.id && $0.trigger == told.trigger }
  }

  /// True for an alarm that was made of such a line.
  static func isTold(_ alarm: Alarm) -> Bool {
    alarm.id.rawValue.hasSuffix("#geofence") || alarm.id.rawValue.contains(snoozeMark)
  }

  private static func geofence(_ radius: Double, of item: CalendarItem) -> Alarm? {
    guard var place = item.structuredLocation, place.coordinate != nil else { return nil }
    place.radius = radius
    return Alarm(
      id: Identifier(rawValue: "\(identifier(item))#geofence"),
      proximity: ProximityTrigger(.enter, at: place, firesIfInside: true))
  }

  private static func snoozed(_ line: ContentLine, of item: CalendarItem, _ own: [Alarm]) -> Alarm? {
    guard line.name == snooze || line.name.hasPrefix(snooze + "-"),
      let time = try? TimeValue.read(line.bytes, line.valueRange, zone: nil), case .utc(let civil) = time,
      let original = own.first(where: { $0.trigger != .none && $0.snoozeOf == nil })
    else { return nil }
    var alarm = Alarm(
      id: Identifier(rawValue: "\(identifier(item))#\(line.name)"),
      trigger: .absolute(Instant(seconds: civil.secondsSinceEpoch)))
    alarm.snoozeOf = original.id
    return alarm
  }

  private static func identifier(_ item: CalendarItem) -> Identifier<CalendarItem> {
    Identity.item(uid: item.uid, occurrence: item.detachment?.occurrence)
  }
}

/// X-MOZ-LASTACK of Thunderbird: when the alarms of an item, or one of them, were acknowledged.
enum LastAcknowledged {
  private static let name = "X-MOZ-LASTACK"

  /// What kept lines say; `nil` where they say nothing of it.
  static func time(keptIn preserved: PreservedContent) -> Instant? {
    preserved.properties.lazy.filter { $0.hasPrefix(name) }.compactMap { ContentLine($0) }
      .filter { $0.name == name }
      .compactMap { try? TimeValue.read($0.bytes, $0.valueRange, zone: nil).utcInstant }.max()
  }

  /// What is said of an alarm of `item` beside its own ACKNOWLEDGED.
  static func time(of alarm: Alarm, in item: CalendarItem) -> Instant? {
    [time(keptIn: alarm.preserved), time(keptIn: item.preserved)].compactMap(\.self).max()
  }
}
