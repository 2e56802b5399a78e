internal import FencepostCalendarModel
internal import FencepostDatabase
internal import FencepostGeodesy

extension StoreWriter {
  /// Saves the parts of an item that are in other tables than `items`.
  ///
  /// - Parameter before: The parts that already have rows.
  func saveParts(of item: CalendarItem, row: Int64, before: ItemParts) throws(StoreError) {
    let triggers = before.contains(.alarms) ? try triggers(atItem: row) : [:]
    // Remove all places first, with those of alarms; they are added again below.
    if !before.isDisjoint(with: [.place, .alarms]) {
      try connection.run(Queries.removePlaces) { $0.add(row) }
    }
    var extents = Extents()
    if let place = item.structuredLocation { try add(place, item: row, alarm: nil, extents: &extents) }
    if before.contains(.alarms) || !item.alarms.isEmpty {
      try save(
        item.alarms, item: row, hadAlarms: before.contains(.alarms), triggers: triggers, extents: &extents)
    }
    try add(extents)
    if before.contains(.recurrenceRules) { try connection.run(Queries.removeRules) { $0.add(row) } }
    if before.contains(.recurrenceDates) { try connection.run(Queries.removeDates) { $0.add(row) } }
    if let recurrence = item.recurrence { try add(recurrence, item: row) }
    if before.contains(.participants) { try connection.run(Queries.removeParticipants) { $0.add(row) } }
    if let organizer = item.organizer { try add(organizer, item: row, position: -1) }
    for (position, attendee) in item.attendees.enumerated() {
      try add(attendee, item: row, position: position)
    }
  }

  /// The triggers of an item's alarms at places, by the row of the alarm.
  private func triggers(atItem row: Int64) throws(StoreError) -> [Int64: ProximityTrigger] {
    let found = try connection.all(Queries.triggers, { $0.add(row) }, read: { ($0.int64(), $0.proximity()) })
    return Dictionary(found.compactMap { row, trigger in trigger.map { (row, $0) } }) { first, _ in first }
  }

  private func save(
    _ alarms: [Alarm], item: Int64, hadAlarms: Bool, triggers: [Int64: ProximityTrigger],
    extents: inout Extents
  ) throws(StoreError) {
    // The existing rows by identifier; several if a file gave several alarms one identifier.
    var rows: [String: [Int64]] = [:]
    if hadAlarms {
      try connection.forEach(Queries.alarmRows) {
        $0.add(item)
      } _: { row in
        rows[row.text(), default: []].append(row.int64())
        return true
      }
    }
    for (position, alarm) in alarms.enumerated() {
      let before = rows[alarm.id.rawValue]?.first
      let kept = before.flatMap { alarm.keepsFence(of: triggers[$0]) ? $0 : nil }
      if let kept {
        rows[alarm.id.rawValue]?.removeFirst()
        try moveStays(of: kept, to: alarm, from: triggers[kept])
      }
      try connection.run(kept == nil ? Queries.addAlarm : Queries.changeAlarm) {
        $0.add(item)
        $0.add(position)
        $0.add(alarm)
        if let kept { $0.add(kept) }
      }
      let row = kept ?? connection.lastInsertedRow
      if kept == nil, let before, let old = triggers[before], old.ringsAtOnce,
        alarm.proximity?.ringsAtOnce ?? false
      {
        try connection.run(Queries.addMoved) {
          $0.add(row)
          $0.add(before)
          $0.add(old.location)
        }
      }
      if let place = alarm.proximity?.location {
        try add(place, item: item, alarm: row, extents: &extents)
      }
    }
    for row in rows.values.joined() { try connection.run(Queries.removeAlarm) { $0.add(row) } }
  }

  /// A running stay ends after the alarm's new duration, counted from its begin.
  private func moveStays(of row: Int64, to alarm: Alarm, from trigger: ProximityTrigger?) throws(StoreError) {
    guard let old = trigger?.stay, let new = alarm.proximity?.stay, old != new else { return }
    try connection.run(Queries.moveStays) {
      $0.add(new)
      $0.add(old)
      $0.add(row)
    }
  }

  private func add(
    _ place: StructuredLocation, item: Int64, alarm: Int64?, extents: inout Extents
  ) throws(StoreError) {
    try connection.run(Queries.addPlace) {
      $0.add(item)
      $0.add(alarm)
      $0.add(place)
    }
    if let region = place.region { extents.add(region, of: connection.lastInsertedRow) }
  }

  private func add(_ extents: Extents) throws(StoreError) {
    for (location, region) in extents.regions {
      for part in BoundingBox(region)?.unwrapped ?? [] {
        try connection.run(Queries.addExtent) {
          $0.add(location)
          $0.add(GeometryBlob.box(part))
        }
      }
    }
  }

  private func add(_ recurrence: Recurrence, item: Int64) throws(StoreError) {
    for (isException, rules) in [(false, recurrence.rules), (true, recurrence.exceptionRules)] {
      for (position, rule) in rules.enumerated() {
        try connection.run(Queries.addRule) {
          $0.add(item)
          $0.add(isException)
          $0.add(position)
          $0.add(rule.stored)
        }
      }
    }
    for (position, date) in recurrence.dates.enumerated() {
      try addDate(date.start, date.end, item: item, isException: false, position: position)
    }
    for (position, date) in recurrence.exceptionDates.enumerated() {
      try addDate(date, nil, item: item, isException: true, position: position)
    }
  }

  private func addDate(
    _ start: CalendarTime, _ end: CalendarTime?, item: Int64, isException: Bool, position: Int
  ) throws(StoreError) {
    try connection.run(Queries.addDate) {
      $0.add(item)
      $0.add(isException)
      $0.add(position)
      $0.add(start)
      $0.add(end)
    }
  }

  private func add(_ participant: Participant, item: Int64, position: Int) throws(StoreError) {
    try connection.run(Queries.addParticipant) {
      $0.add(item)
      $0.add(participant, position: position)
    }
  }
}

extension Binder {
  /// The columns of a participant; the organizer's position is -1.
  mutating func add(_ participant: Participant, position: Int) {
    add(position)
    add(participant.url)
    add(participant.name)
    add(participant.kind.rawValue)
    add(participant.role.rawValue)
    add(participant.status.rawValue)
    add(participant.isCurrentUser)
    add(participant.preservedParameters)
  }
}

/// The regions of an item's places, for the spatial index.
///
/// Two circles around one point, of consecutive places, share the larger one: most items with a place have an
/// alarm for arriving there and one for leaving. See ``SpatialIndex/places``.
private struct Extents {
  private(set) var regions: [(location: Int64, region: Region)] = []

  mutating func add(_ region: Region, of location: Int64) {
    if let last = regions.last, last.location == location - 1,
      case .circle(let center, let before) = last.region, case .circle(center, let radius) = region,
      before.isFinite, radius.isFinite
    {
      regions[regions.count - 1].region = .circle(center: center, radius: max(before, radius))
    } else {
      regions.append((location, region))
    }
  }
}

extension Alarm {
  /// Whether what a device knows of the fence of an alarm with the trigger `old` applies to this alarm too.
  ///
  /// If not, the alarm is new for the engine, and gets a new number: it was moved, is to go off if a device is
  /// inside already, or begins or ends to wait for a stay.
  fileprivate func keepsFence(of old: ProximityTrigger?) -> Bool {
    guard let proximity else { return old?.stay == nil }
    guard let old else { return false }
    return old.location.isWhere(proximity.location) && (old.stay == nil) == (proximity.stay == nil)
      && (old.ringsAtOnce || !proximity.ringsAtOnce)
  }
}

extension StructuredLocation {
  /// Whether another place covers the same. Other programs round coordinates.
  fileprivate func isWhere(_ other: StructuredLocation) -> Bool {
    guard case .circle(let center, let radius) = region,
      case .circle(let otherCenter, let otherRadius) = other.region, center.isValid, otherCenter.isValid
    else { return region == other.region }
    return abs(radius - otherRadius) <= 1 && Geodesic.distance(from: center, to: otherCenter) <= 1
  }
}

extension ProximityTrigger {
  /// The seconds of the stay that it waits for; `nil` if it waits for none.
  fileprivate var stay: Int? { if case .dwell(let seconds) = event { seconds } else { nil } }

  /// Whether it goes off at once for a device that is inside.
  fileprivate var ringsAtOnce: Bool { firesIfInside && event == .enter }
}

private enum Queries {
  private static func marks(_ names: [String]) -> String { names.map { _ in "?" }.joined(separator: ", ") }

  static let removePlaces = SQL("DELETE FROM structured_locations WHERE item = ?")
  static let addPlace = SQL(
    """
    INSERT INTO structured_locations (item, alarm, \(PlaceColumns.names.joined(separator: ", ")))
    VALUES (?, ?, \(marks(PlaceColumns.names)))
    """)
  static let addExtent = SQL("INSERT INTO location_extents (location, extent) VALUES (?, ?)")

  static let alarmRows = SQL("SELECT id, row FROM alarms WHERE item = ? ORDER BY position")
  static let triggers = SQL(
    """
    SELECT a.row, \((AlarmColumns.proximityNames.map { "a." + $0 } + PlaceColumns.names.map { "l." + $0 })
      .joined(separator: ", "))
    FROM alarms a JOIN structured_locations l ON l.alarm = a.row
    WHERE a.item = ? AND a.proximity IS NOT NULL
    """)
  // In floating point, because the sum of a user's value may overflow an integer.
  static let moveStays = SQL(
    """
    UPDATE due_times SET due_at = CAST(due_at + 1e6 * (?1 - ?2) AS INTEGER) WHERE alarm = ?3 AND kind = 'dwell'
    """)
  static let addAlarm = SQL(
    """
    INSERT INTO alarms (item, position, \(AlarmColumns.names.joined(separator: ", ")))
    VALUES (?, ?, \(marks(AlarmColumns.names)))
    """)
  static let changeAlarm = SQL(
    "UPDATE alarms SET "
      + (["item", "position"] + AlarmColumns.names).map { "\($0) = ?" }.joined(separator: ", ")
      + " WHERE row = ?")
  static let addMoved = SQL(
    """
    INSERT INTO moved_fences (alarm, earlier, \(PlaceColumns.names.joined(separator: ", ")))
    VALUES (?, ?, \(marks(PlaceColumns.names)))
    """)
  static let removeAlarm = SQL("DELETE FROM alarms WHERE row = ?")

  static let removeRules = SQL("DELETE FROM recurrence_rules WHERE item = ?")
  static let removeDates = SQL("DELETE FROM recurrence_dates WHERE item = ?")
  static let addRule = SQL("INSERT INTO recurrence_rules VALUES (?, ?, ?, ?)")
  static let addDate = SQL("INSERT INTO recurrence_dates VALUES (?, ?, ?, ?, ?)")

  static let removeParticipants = SQL("DELETE FROM participants WHERE item = ?")
  static let addParticipant = SQL("INSERT INTO participants VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
}
