public import FencepostCalendarModel
public import FencepostDatabase

extension StoreReader {
  /// The definition of a zone from a file.
  public func timeZoneDefinition(_ id: TimeZoneID) throws(StoreError) -> TimeZoneDefinition? {
    guard let text = try connection.first(Queries.text, { $0.add(id) }, read: { $0.text() }) else {
      return nil
    }
    return TimeZoneDefinition(id: id, observances: try observances(of: id), text: text)
  }

  /// The definitions of all zones from files, by name.
  public func timeZoneDefinitions() throws(StoreError) -> [TimeZoneDefinition] {
    let zones = try connection.all(Queries.all) { (TimeZoneID(rawValue: $0.text()), $0.text()) }
    var definitions: [TimeZoneDefinition] = []
    for (id, text) in zones {
      definitions.append(TimeZoneDefinition(id: id, observances: try observances(of: id), text: text))
    }
    return definitions
  }

  /// Whether items use a zone with this name.
  ///
  /// - Parameter calendar: A calendar whose items don't count; `nil` if all do.
  ///
  /// Cost: reads each item of the store, up to the first that uses it.
  public func isUsed(
    _ zone: TimeZoneID, outside calendar: Identifier<ItemCalendar>? = nil
  ) throws(StoreError) -> Bool {
    try connection.first(Queries.isUsed) {
      $0.add(zone)
      $0.add("[\(zone.rawValue)]")
      $0.add(calendar)
    } read: {
      $0.bool()
    } ?? false
  }

  private func observances(of id: TimeZoneID) throws(StoreError) -> [TimeZoneDefinition.Observance] {
    try connection.all(Queries.observances, { $0.add(id) }, read: { $0.observance() })
  }
}

extension StoreWriter {
  /// Saves a zone's definition; replaces one with the same name.
  public func save(_ zone: TimeZoneDefinition) throws(StoreError) {
    try remove(zone.id)
    try connection.run(Queries.add) {
      $0.add(zone.id)
      $0.add(zone.text)
    }
    for (position, observance) in zone.observances.enumerated() {
      try connection.run(Queries.addObservance) {
        $0.add(zone.id)
        $0.add(position)
        $0.add(observance)
      }
    }
    try log(.updated, .timeZone, zone.id.rawValue)
  }

  private func remove(_ zone: TimeZoneID) throws(StoreError) {
    try connection.run(Queries.remove) { $0.add(zone) }
  }
}

extension Binder {
  /// The columns of an observance.
  mutating func add(_ observance: TimeZoneDefinition.Observance) {
    add(observance.isDaylight)
    add(CalendarTime.floating(observance.start))
    add(observance.offsetFrom)
    add(observance.offsetTo)
    add(observance.name)
    add(observance.rules.map(\.stored))
    add(observance.dates.map { CalendarTime.floating($0).stored })
  }
}

extension RowReader {
  /// The columns of an observance.
  mutating func observance() -> TimeZoneDefinition.Observance {
    var observance = TimeZoneDefinition.Observance(
      isDaylight: bool(), start: time().civil, offsetFrom: int(), offsetTo: int(), name: optionalText())
    let rules = list()
    observance.rules = rules.compactMap(RecurrenceRule.init(stored:))
    if observance.rules.count < rules.count { fail("what is no recurrence rule") }
    let dates = list()
    observance.dates = dates.compactMap { CalendarTime(stored: $0)?.civil }
    if observance.dates.count < dates.count { fail("what is no time") }
    return observance
  }
}

private enum Queries {
  static let text = SQL("SELECT text FROM time_zone_definitions WHERE id = ?")
  static let all = SQL("SELECT id, text FROM time_zone_definitions ORDER BY id")
  static let isUsed = SQL(
    """
    SELECT EXISTS (
      SELECT 1 FROM items WHERE calendar IS NOT (SELECT row FROM calendars WHERE id = ?3)
        AND (time_zone = ?1 OR instr(start, ?2) OR instr(end_or_due, ?2) OR instr(detached_occurrence, ?2))
    ) OR EXISTS (
      SELECT 1 FROM recurrence_dates d JOIN items i ON i.row = d.item
      WHERE i.calendar IS NOT (SELECT row FROM calendars WHERE id = ?3) AND (instr(d.start, ?2) OR instr(d.ends, ?2)))
    """)
  static let observances = SQL(
    """
    SELECT is_daylight, start, offset_from, offset_to, name, rules, dates FROM time_zone_observances
    WHERE zone = ? ORDER BY position
    """)
  static let add = SQL("INSERT INTO time_zone_definitions VALUES (?, ?)")
  static let addObservance = SQL("INSERT INTO time_zone_observances VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
  static let remove = SQL("DELETE FROM time_zone_definitions WHERE id = ?")
}
