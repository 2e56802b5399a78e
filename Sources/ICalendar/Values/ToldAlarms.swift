import CalendarModel

/// Alarms that a file tells by properties of the item instead of a VALARM of their own. The lines are kept, and no
/// VALARM is written for them, in which the program that wrote the line would see another alarm.
struct ToldAlarms {
  private static let snooze = "X-MOZ-SNOOZE-TIME"
  private static let snoozeMark = "#" + snooze

  private let item: CalendarItem
  /// The kept lines that may tell an alarm.
  private let lines: [ContentLine]
  private let identifier: Identifier<CalendarItem>
  /// The alarm that is put off.
  private let original: Identifier<Alarm>?
  /// True where an alarm of the item's own is for a place.
  private let hasPlace: Bool

  /// What kept lines of `item` tell, whose own alarms are there already; `nil` where they tell of none, as nearly
  /// always.
  ///
  /// Looks at each alarm once, so that a file of many such lines and many alarms is no work for hours.
  init?(_ item: CalendarItem) {
    lines = item.preserved.properties.lazy.filter(Self.mayTell).compactMap { ContentLine($0) }
    if lines.isEmpty { return nil }
    self.item = item
    identifier = Identity.item(uid: item.uid, occurrence: item.detachment?.occurrence)
    let own = item.alarms.lazy.filter { !ToldAlarms.isTold($0) }
    original = own.first { $0.trigger != .none && $0.snoozeOf == nil }?.id
    hasPlace = own.contains { $0.proximity != nil }
  }

  /// The alarms that kept lines tell.
  ///
  /// - X-GEOFENCE-RADIUS of jtx Board: arriving at the item's own place, or being there, within so many metres;
  ///   unless an alarm of its own is for a place.
  /// - X-MOZ-SNOOZE-TIME of Thunderbird, for an occurrence with its time appended: the moment to which the alarm was
  ///   put off.
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

  /// The kept lines that tell an alarm which the item has no more.
  func outdatedLines() -> Set<String> {
    var outdated: Set<String> = []
    let alarms = Set(item.alarms.map { Told(id: $0.id, trigger: $0.trigger) })
    var places: Set<ProximityTrigger>?
    for line in lines {
      if line.name == PropertyName.geofenceRadius.rawValue {
        guard let told = GeoValue.readRadius(line.value).flatMap(geofence)?.proximity else { continue }
        let known = places ?? Set(item.alarms.compactMap(\.proximity))
        places = known
        if !known.contains(told) { outdated.insert(line.text) }
      } else if let told = snoozed(line), !alarms.contains(Told(id: told.id, trigger: told.trigger)) {
        outdated.insert(line.text)
      }
    }
    return outdated
  }

  private static func mayTell(_ line: String) -> Bool {
    line.utf8.starts(with: snooze.utf8) || line.utf8.starts(with: PropertyName.geofenceRadius.rawValue.utf8)
  }

  private struct Told: Hashable {
    var id: Identifier<Alarm>
    var trigger: Alarm.Trigger
  }

  /// True for an alarm that was made of such a line.
  static func isTold(_ alarm: Alarm) -> Bool {
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

/// X-MOZ-LASTACK of Thunderbird: when the alarms of an item, or one of them, were acknowledged.
enum LastAcknowledged {
  private static let name = "X-MOZ-LASTACK"

  /// What kept lines say; `nil` where they say nothing of it.
  static func time(keptIn preserved: PreservedContent) -> Instant? {
    preserved.properties.lazy.filter { $0.hasPrefix(name) }.compactMap { ContentLine($0) }
      .filter { $0.name == name }
      .compactMap { try? TimeValue.read($0.bytes, $0.valueRange, zone: nil).utcInstant }.max()
  }

  /// What is said of an alarm beside its own ACKNOWLEDGED, where its item says `itemTime` of all its alarms.
  static func time(of alarm: Alarm, itemTime: Instant?) -> Instant? {
    [time(keptIn: alarm.preserved), itemTime].compactMap(\.self).max()
  }
}
