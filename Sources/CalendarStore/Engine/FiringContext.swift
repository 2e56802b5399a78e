public import CalendarModel

/// What is said of a firing's item when the user is told of it.
public struct FiringContext: Hashable, Sendable {
  /// The item's title.
  public var itemTitle: String
  /// True for a reminder, false for an event.
  public var isReminder: Bool
  /// The calendar or list that it is in.
  public var list: Identifier<ItemCalendar>
  /// The name of that.
  public var listTitle: String
  /// The alarm's own text; `nil` for the item's title.
  public var message: String?
  /// Start, end, place, notes and URL, as they are for the occurrence.
  public var particulars: ItemParticulars
  /// What had gone off and was put off until now; `nil` where this is no snooze.
  public var snoozed: SnoozedFiring?

  /// A context.
  public init(
    itemTitle: String, isReminder: Bool, list: Identifier<ItemCalendar>, listTitle: String, message: String?,
    particulars: ItemParticulars = ItemParticulars(),
    snoozed: SnoozedFiring? = nil
  ) {
    self.itemTitle = itemTitle
    self.isReminder = isReminder
    self.list = list
    self.listTitle = listTitle
    self.message = message
    self.particulars = particulars
    self.snoozed = snoozed
  }
}

/// An alarm that went off and was put off: what it was at first, however often that happened.
public struct SnoozedFiring: Hashable, Sendable {
  /// Why it went off.
  public var kind: Firing.Kind
  /// The key of the firing; `nil` where the ledger does not have it, as what another program put off.
  public var key: String?
  /// When the boundary was crossed, or the due time; `nil` where the ledger does not have it.
  public var time: Instant?
  /// For the proximity kinds, the name of the place.
  public var place: String?
  /// For the proximity kinds, the name of the device.
  public var device: String?

  /// A firing that was put off.
  public init(
    kind: Firing.Kind, key: String? = nil, time: Instant? = nil, place: String? = nil, device: String? = nil
  ) {
    self.kind = kind
    self.key = key
    self.time = time
    self.place = place
    self.device = device
  }

  init(_ entry: LedgerEntry) {
    let firing = entry.firing
    self =
      entry.context?.snoozed
      ?? SnoozedFiring(
        kind: firing.kind, key: firing.key, time: firing.time, place: firing.crossing?.place.title,
        device: firing.crossing?.device)
  }
}

extension LedgerEntry {
  /// Why it went off at first: a firing that was put off is of the kind of what was.
  public var originalKind: Firing.Kind { context?.snoozed?.kind ?? firing.kind }
}

extension StoreReader {
  /// What is to be said of an item, whatever alarm of it goes off; `nil` where it is not in the store.
  ///
  /// Cost: some 5 microseconds.
  public func context(of item: Identifier<CalendarItem>) throws(StoreError) -> FiringContext? {
    try connection.first(Queries.ofItem, { $0.add(item) }) { row in
      let place = row.optionalText()
      var context = row.firingContext()
      context.particulars.location = ItemParticulars.location(context.particulars.location, place: place)
      return context
    }
  }

  /// What is to be said of a firing; `nil` where its item is not in the store.
  public func context(of firing: Firing) throws(StoreError) -> FiringContext? {
    let found = try connection.first(Queries.context) {
      $0.add(firing.alarm)
      $0.add(firing.item)
    } read: { row in
      (
        snoozeOf: row.optionalText().map { Identifier<Alarm>(rawValue: $0) }, place: row.optionalText(),
        context: row.firingContext()
      )
    }
    guard let (snoozeOf, place, context) = found else { return nil }
    var told = context
    told.particulars = told.particulars.taking(place: firing.occurrence)
    told.particulars.location = ItemParticulars.location(told.particulars.location, place: place)
    if firing.crossing == nil { told.snoozed = try snoozed(firing, of: snoozeOf) }
    return told
  }

  /// What was put off until an alarm of time goes off: what somebody answered here; where another program put it off,
  /// the last firing of the alarm that it names, or what that alarm would go off for.
  private func snoozed(
    _ firing: Firing, of original: Identifier<Alarm>?
  ) throws(StoreError) -> SnoozedFiring? {
    let answered = try connection.first(Queries.putOff) {
      $0.add(firing.alarm)
      $0.add(firing.item)
    } read: {
      $0.ledgerEntry()
    }
    if let answered { return SnoozedFiring(answered) }
    guard let original else { return nil }
    if let last = try lastFiring(alarm: original, item: firing.item) { return SnoozedFiring(last) }
    guard let alarm = try item(firing.item)?.alarms.first(where: { $0.id == original }) else { return nil }
    switch (alarm.proximity?.event, alarm.trigger) {
    case (.enter, _): return SnoozedFiring(kind: .enter, place: alarm.proximity?.location.title)
    case (.leave, _): return SnoozedFiring(kind: .leave, place: alarm.proximity?.location.title)
    case (.dwell, _): return SnoozedFiring(kind: .dwell, place: alarm.proximity?.location.title)
    case (nil, .relative): return SnoozedFiring(kind: .relative)
    case (nil, _): return nil
    }
  }
}

extension RowReader {
  /// The columns of a context, but for what was put off.
  mutating func firingContext() -> FiringContext {
    FiringContext(
      itemTitle: text(), isReminder: bool(), list: identifier(), listTitle: text(), message: optionalText(),
      particulars: ItemParticulars(
        start: optionalTime(), end: optionalTime(), location: optionalText(), notes: optionalText(),
        url: optionalText()))
  }

  /// What was put off.
  mutating func snoozedFiring() -> SnoozedFiring? {
    guard hasValue else { return nil }
    return SnoozedFiring(
      kind: value(or: .absolute), key: optionalText(), time: optionalInstant(), place: optionalText(),
      device: optionalText())
  }
}

private enum Queries {
  /// What ``RowReader/firingContext()`` reads, after the name of the item's place.
  private static func columns(message: String) -> String {
    """
    (SELECT l.title FROM structured_locations l WHERE l.item = i.row AND l.alarm IS NULL),
      i.title, i.is_reminder, c.id, c.title, \(message), i.start, i.end_or_due, i.location, i.notes, i.url
    """
  }
  static let ofItem = SQL(
    "SELECT \(columns(message: "NULL")) FROM items i JOIN calendars c ON c.row = i.calendar WHERE i.id = ?")
  static let context = SQL(
    """
    SELECT a.snooze_of, \(columns(message: "a.message"))
    FROM items i JOIN calendars c ON c.row = i.calendar LEFT JOIN alarms a ON a.item = i.row AND a.id = ?
    WHERE i.id = ? LIMIT 1
    """)
  static let putOff = SQL(
    """
    SELECT \(LedgerColumns.list) FROM firings f WHERE f.put_off_to = ? AND f.item = ?
    ORDER BY f.acknowledged_at DESC, f.row DESC LIMIT 1
    """)
}
