public import FencepostCalendarModel
public import FencepostDatabase
internal import FencepostGeodesy

/// A firing in the ledger.
public struct LedgerEntry: Hashable, Sendable {
  /// Its number in the ledger, which grows.
  public var number: Int64
  /// The firing. Its ``CalendarModel/Firing/key`` is unique in the ledger and stable; receivers use it as the
  /// firing's identifier.
  public var firing: Firing
  /// The details of the item at that time; `nil` if it was no longer in the store.
  public var context: FiringContext?
  /// When the user acknowledged it.
  public var acknowledged: Instant?

  /// An entry.
  public init(number: Int64, firing: Firing, context: FiringContext?, acknowledged: Instant? = nil) {
    self.number = number
    self.firing = firing
    self.context = context
    self.acknowledged = acknowledged
  }

  /// What identifies it for a receiver: the firing's key; or its number in this store, because a key contains
  /// the name of the device, for a receiver that may not learn of devices.
  public func id(hidingDevices: Bool) -> String { hidingDevices ? "\(number)" : firing.key }
}

extension StoreWriter {
  /// Saves the results of a step.
  ///
  /// - Parameters:
  ///   - step: The step. Due times of removed items are ignored.
  ///   - channels: The channels for the firings; each gets a pending delivery.
  ///   - now: When the deliveries may first be tried.
  /// - Returns: The new firings. A firing whose key is already in the ledger is ignored.
  @discardableResult
  public func record(
    _ step: LedgerStep, now: Instant = .distantPast, channels: (LedgerEntry) -> [String] = { _ in [] }
  ) throws(StoreError) -> [LedgerEntry] {
    var entries: [LedgerEntry] = []
    for firing in step.firings {
      let context: FiringContext?
      do throws(StoreError) {
        context = try reader.context(of: firing)
      } catch {
        // It rings with what can be read.
        guard error.isOfOneValue else { throw error }
        context = try reader.heading(of: firing.item)
      }
      if let entry = try record(firing, context, now: now, channels: channels) { entries.append(entry) }
    }
    for (device, fix) in step.lastFixes { try saveLastFix(fix, of: device) }
    for (device, state) in step.fenceStates {
      // One with a position in this step is there by now.
      if step.lastFixes[device] == nil { try addDevice(device) }
      try saveFenceState(state, arrivals: step.arrivals[device] ?? ArrivalTimes(), ofKnown: device)
    }
    for (device, changes) in step.silences { try save(changes, of: device) }
    for (device, fixes) in step.history { try addHistory(fixes, of: device) }
    for alarm in step.disarmed { try disarm(alarm) }
    for dueTime in step.armed { try arm(dueTime) }
    try record(step.decisions, step.observations)
    return entries
  }

  /// Lets alarms of time go off again that went off much too early, because the clock was wrong: their keys in
  /// the ledger no longer stand for their due times.
  ///
  /// A clock that is set back by less than ten minutes repeats nothing.
  public func releaseEarlyFirings(at now: Instant) throws(StoreError) {
    try connection.run(Queries.releaseEarly) {
      $0.add(now)
      $0.add(now.adding(seconds: 600))
    }
  }

  /// Adds a firing to the ledger.
  ///
  /// - Parameters:
  ///   - firing: The firing.
  ///   - context: What channels tell of it.
  ///   - now: When the deliveries may first be tried.
  ///   - channels: The channels for it; each gets a pending delivery.
  /// - Returns: The entry; `nil` if the ledger already has the firing's key.
  private func record(
    _ firing: Firing, _ context: FiringContext?, now: Instant, channels: (LedgerEntry) -> [String]
  ) throws(StoreError) -> LedgerEntry? {
    try connection.run(Queries.add) { $0.add(firing, context) }
    guard connection.changedRows > 0 else { return nil }
    let entry = LedgerEntry(number: connection.lastInsertedRow, firing: firing, context: context)
    try add(deliveriesOfFiring: entry.number, over: channels(entry), at: now)
    return entry
  }

  /// Records that the user acknowledged a firing.
  ///
  /// - Parameters:
  ///   - key: The firing's key.
  ///   - moment: The time.
  ///   - alarm: The snooze alarm, if the firing was snoozed, so that the snooze can refer to this firing.
  /// - Returns: Whether the firing is in the ledger.
  @discardableResult
  public func acknowledge(
    firing key: String, at moment: Instant, puttingOffTo alarm: Identifier<Alarm>? = nil
  ) throws(StoreError) -> Bool {
    try connection.run(Queries.acknowledge) {
      $0.add(moment)
      $0.add(alarm)
      $0.add(key)
    }
    return connection.changedRows > 0
  }

  /// Records that the user has answered all firings of an item: who completes a reminder has answered them.
  public func acknowledgeFirings(
    of item: Identifier<CalendarItem>, at moment: Instant
  ) throws(StoreError) {
    try connection.run(Queries.acknowledgeAll) {
      $0.add(moment)
      $0.add(item)
    }
  }

  /// Removes the firings before a moment, with their deliveries.
  public func removeFirings(before moment: Instant) throws(StoreError) {
    try connection.run(Queries.removeBefore) { $0.add(moment) }
  }

  /// Removes old firings, with their deliveries. It keeps those of alarms that go off only once, because the
  /// engine would let them go off again.
  ///
  /// - Parameters:
  ///   - moment: Only firings before this time.
  ///   - limit: The maximum number.
  /// - Returns: Whether there may be more.
  public func removeFirings(before moment: Instant, atMost limit: Int) throws(StoreError) -> Bool {
    try connection.run(Queries.removeSomeBefore) {
      $0.add(moment)
      $0.add(limit)
    }
    return connection.changedRows == limit
  }
}

extension StoreReader {
  /// The alarms that went off, in order.
  ///
  /// - Parameters:
  ///   - start: Only firings from this time on.
  ///   - end: Only firings before this time.
  ///   - limit: The maximum number; the latest ones are returned.
  public func firings(
    from start: Instant = .distantPast, until end: Instant = .distantFuture, limit: Int = 1_000
  ) throws(StoreError) -> [LedgerEntry] {
    try connection.all(Queries.between) {
      $0.add(start)
      $0.add(end)
      $0.add(limit)
    } read: {
      $0.ledgerEntry()
    }.reversed()
  }

  /// The alarms of an item that went off in a time, in order.
  public func firings(
    of item: Identifier<CalendarItem>, in span: Range<Instant>
  ) throws(StoreError) -> [LedgerEntry] {
    try connection.all(Queries.ofItem) {
      $0.add(item)
      $0.add(span.lowerBound)
      $0.add(span.upperBound)
    } read: {
      $0.ledgerEntry()
    }
  }

  /// The alarms that went off and wait for an answer, the latest first: not those of completed, cancelled or
  /// removed items.
  ///
  /// - Parameters:
  ///   - moment: Those of events only from this time on, because events pass without an answer.
  ///   - limit: The maximum number.
  ///
  /// Cost: a walk through the ledger, about a microsecond for each firing.
  public func waitingFirings(
    ofEventsFrom moment: Instant, limit: Int
  ) throws(StoreError) -> [LedgerEntry] {
    try connection.all(Queries.waiting) {
      $0.add(moment)
      $0.add(limit)
    } read: {
      $0.ledgerEntry()
    }
  }

  /// The items with an alarm that went off after a moment.
  public func itemsThatWentOff(after moment: Instant) throws(StoreError) -> [Identifier<CalendarItem>] {
    try connection.all(Queries.itemsAfter, { $0.add(moment) }, read: { $0.identifier() })
  }

  /// The firing with a key.
  public func firing(key: String) throws(StoreError) -> LedgerEntry? {
    try connection.first(Queries.byKey, { $0.add(key) }, read: { $0.ledgerEntry() })
  }

  /// The firing with an ``LedgerEntry/id(hidingDevices:)``.
  public func firing(id: String) throws(StoreError) -> LedgerEntry? {
    // A key contains slashes.
    guard let number = Int64(id) else { return try firing(key: id) }
    return try connection.first(Queries.byNumber, { $0.add(number) }, read: { $0.ledgerEntry() })
  }

  /// The last firing of an item's alarm, trials aside. An alarm that goes off once, or once a day, uses it for
  /// suppression.
  public func lastFiring(
    alarm: Identifier<Alarm>, item: Identifier<CalendarItem>
  ) throws(StoreError) -> LedgerEntry? {
    try connection.first(Queries.lastOfAlarm) {
      $0.add(item)
      $0.add(alarm)
    } read: {
      $0.ledgerEntry()
    }
  }
}

extension Binder {
  /// The columns of ``LedgerColumns``, starting with the key.
  fileprivate mutating func add(_ firing: Firing, _ context: FiringContext?) {
    add(firing.key)
    add(firing.wentOffAt)
    add(firing.kind.rawValue)
    add(firing.time)
    add(firing.confirmedAt)
    add(firing.alarm)
    add(firing.item)
    add(firing.occurrence)
    add(firing.isLate)
    add(firing.folded)
    add(firing.crossing?.device)
    add(firing.crossing?.position.latitude)
    add(firing.crossing?.position.longitude)
    add(firing.crossing?.accuracy)
    add(firing.crossing.map { $0.isInterpolated ? 1 : 0 })
    add(firing.crossing?.gap?.lowerBound)
    add(firing.crossing?.gap?.upperBound)
    add(firing.crossing?.source.rawValue)
    if let place = firing.place {
      add(place)
    } else {
      for _ in PlaceColumns.names { null() }
    }
    add(context?.itemTitle)
    add(context.map { $0.isReminder ? 1 : 0 })
    add(context?.list)
    add(context?.listTitle)
    add(context?.message)
    add(context?.details.start)
    add(context?.details.end)
    add(context?.details.location)
    add(context?.details.notes)
    add(context?.details.url)
    add(context?.details.conference)
    add(context?.snoozed?.kind.rawValue)
    add(context?.snoozed?.key)
    add(context?.snoozed?.time)
    add(context?.snoozed?.place)
    add(context?.snoozed?.device)
  }
}

extension RowReader {
  /// The columns of ``LedgerColumns/list``.
  mutating func ledgerEntry() -> LedgerEntry {
    let number = int64()
    let acknowledged = optionalInstant()
    let (kind, time, confirmedAt): (Firing.Kind, _, _) = (value(or: .absolute), instant(), optionalInstant())
    let (alarm, item): (Identifier<Alarm>, Identifier<CalendarItem>) = (identifier(), identifier())
    let (occurrence, isLate, folded) = (optionalTime(), bool(), int())
    var (place, crossing): (StructuredLocation?, Firing.Crossing?)
    if hasValue {
      let device = text()
      let position = Coordinate(latitude: double(), longitude: double())
      let accuracy = optionalDouble()
      let isInterpolated = bool()
      let (earliest, latest) = (optionalInstant(), optionalInstant())
      let gap = earliest.flatMap { first in latest.map { first...max(first, $0) } }
      let source: CrossingSource = optionalText().flatMap(CrossingSource.init) ?? .positions
      crossing = Firing.Crossing(
        device: device, position: position, accuracy: accuracy, isInterpolated: isInterpolated, gap: gap,
        source: source)
      place = self.place()
    } else {
      skip(Int32(8 + PlaceColumns.names.count))
    }
    var context: FiringContext?
    if hasValue {
      context = firingContext()
      context?.snoozed = snoozedFiring()
    }
    let firing = Firing(
      kind: kind, time: time, confirmedAt: confirmedAt, alarm: alarm, item: item, occurrence: occurrence,
      place: place, crossing: crossing, isLate: isLate, folded: folded)
    return LedgerEntry(number: number, firing: firing, context: context, acknowledged: acknowledged)
  }
}

/// The columns of `firings`, in the order of binding and reading.
enum LedgerColumns {
  /// The number of columns in ``list``.
  static let count = Int32(names.count + 2)

  static let names =
    [
      "kind", "time_at", "confirmed_at", "alarm", "item", "occurrence", "is_late", "folded", "device",
      "latitude", "longitude", "accuracy", "is_interpolated", "earliest_at", "latest_at", "source",
    ] + PlaceColumns.names.map { "place_" + $0 }
    + [
      "item_title", "item_is_reminder", "list_id", "list_title", "message", "item_start", "item_end",
      "item_location", "item_notes", "item_url", "item_conference", "snoozed_kind", "snoozed_key",
      "snoozed_at", "snoozed_place",
      "snoozed_device",
    ]

  /// Columns of firings `f`, for ``RowReader/ledgerEntry()``.
  static let list =
    "f.row, f.acknowledged_at, " + names.map { "f." + $0 }.joined(separator: ", ")
}

private enum Queries {
  static let add = SQL(
    "INSERT INTO firings (key, went_off_at, \(LedgerColumns.names.joined(separator: ", "))) VALUES (?, ?, "
      + LedgerColumns.names.map { _ in "?" }.joined(separator: ", ") + ") ON CONFLICT (key) DO NOTHING")
  private static let entries = "SELECT \(LedgerColumns.list) FROM firings f "
  static let between = SQL(
    entries
      + """
      WHERE f.went_off_at >= ? AND f.went_off_at < ?
      ORDER BY f.went_off_at DESC, f.row DESC LIMIT ?
      """)
  static let ofItem = SQL(
    entries + "WHERE f.item = ? AND f.went_off_at >= ? AND f.went_off_at < ? ORDER BY f.went_off_at, f.row")
  static let waiting = SQL(
    entries
      + """
      JOIN items i ON i.id = f.item
      WHERE f.acknowledged_at IS NULL AND f.kind <> 'suggestion' AND NOT i.is_silenced
        AND (i.is_reminder OR f.went_off_at >= ?)
      ORDER BY f.went_off_at DESC, f.row DESC LIMIT ?
      """)
  static let itemsAfter = SQL("SELECT DISTINCT item FROM firings WHERE went_off_at > ?")
  static let byKey = SQL(entries + "WHERE f.key = ?")
  static let byNumber = SQL(entries + "WHERE f.row = ?")
  static let lastOfAlarm = SQL(
    entries
      + """
      WHERE f.item = ? AND f.alarm = ? AND (f.device IS NULL OR f.device NOT GLOB '\(Trial.devicePrefix)*')
      ORDER BY f.went_off_at DESC, f.row DESC LIMIT 1
      """)
  static let releaseEarly = SQL(
    """
    UPDATE firings SET key = key || '/early/' || row
    WHERE went_off_at > ? AND time_at > ? AND kind IN ('absolute', 'relative')
    """)
  static let acknowledge = SQL(
    "UPDATE firings SET acknowledged_at = ?, put_off_to = coalesce(?, put_off_to) WHERE key = ?")
  static let acknowledgeAll = SQL(
    "UPDATE firings SET acknowledged_at = max(?, time_at) WHERE item = ? AND acknowledged_at IS NULL")
  static let removeBefore = SQL("DELETE FROM firings WHERE went_off_at < ?")
  static let removeSomeBefore = SQL(
    """
    DELETE FROM firings WHERE row IN (
      SELECT f.row FROM firings f WHERE f.went_off_at < ? AND NOT EXISTS (
        SELECT 1 FROM items i JOIN alarms a ON a.item = i.row
        WHERE i.id = f.item AND a.id = f.alarm AND a.frequency = '\(ProximityTrigger.Frequency.once.rawValue)')
      LIMIT ?)
    """)
}
