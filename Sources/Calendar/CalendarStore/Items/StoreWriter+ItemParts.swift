internal import FencepostCalendarModel
internal import FencepostDatabase
internal import FencepostGeodesy

extension StoreWriter {
  /// Saves the parts of an item that are in other tables than `items`.
  ///
  /// - Parameter before: The parts that already have rows.
  func saveParts(of item: CalendarItem, row: Int64, before: ItemParts) throws(StoreError) {
    let stays = before.contains(.alarms) ? try stays(atItem: row) : [:]
    // Remove all places first, with those of alarms; they are added again below.
    if !before.isDisjoint(with: [.place, .alarms]) {
      try connection.run(Queries.removePlaces) { $0.add(row) }
    }
    var extents = Extents()
    if let place = item.structuredLocation { try add(place, item: row, alarm: nil, extents: &extents) }
    if before.contains(.alarms) || !item.alarms.isEmpty {
      try save(
        item.alarms, item: row, hadAlarms: before.contains(.alarms), stays: stays, extents: &extents)
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

  /// The alarms of an item that wait for a stay, by row, with their triggers.
  private func stays(atItem row: Int64) throws(StoreError) -> [Int64: ProximityTrigger] {
    let stays = try connection.all(Queries.stays, { $0.add(row) }, read: { ($0.int64(), $0.proximity()) })
    return Dictionary(stays.compactMap { row, stay in stay.map { (row, $0) } }) { first, _ in first }
  }

  private func save(
    _ alarms: [Alarm], item: Int64, hadAlarms: Bool, stays: [Int64: ProximityTrigger],
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
      var kept = rows[alarm.id.rawValue]?.first
      if let row = kept, !alarm.isFence(of: stays[row]) { kept = nil }
      if let kept {
        rows[alarm.id.rawValue]?.removeFirst()
        try moveStays(of: kept, to: alarm, from: stays[kept])
      }
      try connection.run(kept == nil ? Queries.addAlarm : Queries.changeAlarm) {
        $0.add(item)
        $0.add(position)
        $0.add(alarm)
        if let kept { $0.add(kept) }
      }
      if let place = alarm.proximity?.location {
        try add(place, item: item, alarm: kept ?? connection.lastInsertedRow, extents: &extents)
      }
    }
    for row in rows.values.joined() { try connection.run(Queries.removeAlarm) { $0.add(row) } }
  }

  /// A running stay ends after the alarm's new duration, counted from its begin.
  private func moveStays(of row: Int64, to alarm: Alarm, from stay: ProximityTrigger?) throws(StoreError) {
    guard case .dwell(let old) = stay?.event, case .dwell(let new) = alarm.proximity?.event, old != new else {
      return
    }
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
  /// Whether a device's state at the fence of an alarm with the stay `stay` applies to this alarm too.
  ///
  /// A stay applies to one place only. If it does not apply, the alarm is new for the engine: the stay of a
  /// device inside begins with its next position.
  fileprivate func isFence(of stay: ProximityTrigger?) -> Bool {
    guard let proximity, case .dwell = proximity.event else { return stay == nil }
    return stay.map { $0.location.region == proximity.location.region } ?? false
  }
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
  static let stays = SQL(
    """
    SELECT a.row, \((AlarmColumns.proximityNames.map { "a." + $0 } + PlaceColumns.names.map { "l." + $0 })
      .joined(separator: ", "))
    FROM alarms a JOIN structured_locations l ON l.alarm = a.row
    WHERE a.item = ? AND a.dwell_seconds IS NOT NULL
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
  static let removeAlarm = SQL("DELETE FROM alarms WHERE row = ?")

  static let removeRules = SQL("DELETE FROM recurrence_rules WHERE item = ?")
  static let removeDates = SQL("DELETE FROM recurrence_dates WHERE item = ?")
  static let addRule = SQL("INSERT INTO recurrence_rules VALUES (?, ?, ?, ?)")
  static let addDate = SQL("INSERT INTO recurrence_dates VALUES (?, ?, ?, ?, ?)")

  static let removeParticipants = SQL("DELETE FROM participants WHERE item = ?")
  static let addParticipant = SQL("INSERT INTO participants VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
}
