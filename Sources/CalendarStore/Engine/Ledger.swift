public import CalendarModel
internal import Geodesy

/// A firing in the ledger.
public struct LedgerEntry: Hashable, Sendable {
  /// Its place in the ledger; later entries have greater ones.
  public var number: Int64
  /// What went off. Its ``CalendarModel/Firing/key`` is unique in the ledger, and stable: the identifier of
  /// the firing for whoever is told of it.
  public var firing: Firing
  /// What was said of the item then; `nil` where it was not in the store any more.
  public var context: FiringContext?
  /// When the user acknowledged it.
  public var acknowledged: Instant?
}

/// What one step of the engine leads to, kept in one transaction, so that a restart neither repeats nor
/// loses a part of it.
public struct LedgerStep: Sendable {
  /// What went off, in order.
  public var firings: [Firing] = []
  /// The states of devices' fences that changed, by device.
  public var fenceStates: [String: [UInt8]] = [:]
  /// The last positions of devices, by device.
  public var lastFixes: [String: Fix] = [:]
  /// All positions of devices that are to be kept, by device; empty where only the last ones are.
  public var history: [String: [Fix]] = [:]
  /// Alarms whose due time is done with or called off.
  public var disarmed: [Disarmed] = []
  /// Due times that come next; added after ``disarmed`` is taken away.
  public var armed: [DueTime] = []

  /// An alarm that is no longer waited for, or not for one device.
  public struct Disarmed: Hashable, Sendable {
    /// The item.
    public var item: Identifier<CalendarItem>
    /// Its alarm.
    public var alarm: Identifier<Alarm>
    /// For a stay, the device.
    public var device: String?

    /// The alarm that is no longer waited for.
    public init(item: Identifier<CalendarItem>, alarm: Identifier<Alarm>, device: String? = nil) {
      self.item = item
      self.alarm = alarm
      self.device = device
    }
  }

  /// A step that leads to nothing.
  public init() {}

  /// True where there is nothing to keep.
  public var isEmpty: Bool {
    firings.isEmpty && fenceStates.isEmpty && lastFixes.isEmpty && disarmed.isEmpty
      && armed.isEmpty && history.isEmpty
  }
}

extension StoreWriter {
  /// Keeps what a step led to.
  ///
  /// - Parameters:
  ///   - step: The step. Due times of an item that has been removed meanwhile are passed over.
  ///   - channels: The channels over which a firing is to be told; each gets a pending delivery.
  ///   - now: When the deliveries may first be tried.
  /// - Returns: The firings that are new. One whose key the ledger has already is passed over: it was told.
  @discardableResult
  public func record(
    _ step: LedgerStep, now: Instant = .distantPast, channels: (LedgerEntry) -> [String] = { _ in [] }
  ) throws(StoreError) -> [LedgerEntry] {
    var entries: [LedgerEntry] = []
    for firing in step.firings {
      let context = try reader.context(of: firing)
      try connection.run(Queries.add) { $0.add(firing, context) }
      guard connection.changedRows > 0 else { continue }
      let entry = LedgerEntry(number: connection.lastInsertedRow, firing: firing, context: context)
      for channel in channels(entry) { try addDelivery(of: entry.number, over: channel, at: now) }
      entries.append(entry)
    }
    for (device, state) in step.fenceStates { try saveFenceState(state, of: device) }
    for (device, fix) in step.lastFixes { try saveLastFix(fix, of: device) }
    for (device, fixes) in step.history { try addHistory(fixes, of: device) }
    for alarm in step.disarmed { try disarm(alarm) }
    for dueTime in step.armed { try arm(dueTime) }
    return entries
  }

  /// Notes that the user has acknowledged a firing.
  ///
  /// - Parameters:
  ///   - key: The firing's key.
  ///   - moment: When.
  ///   - alarm: The alarm that it was put off to, so that this can tell what it stands for when it goes off.
  /// - Returns: Whether the ledger has it.
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

  /// Removes firings that went off before a moment, with their deliveries.
  public func removeFirings(before moment: Instant) throws(StoreError) {
    try connection.run(Queries.removeBefore) { $0.add(moment) }
  }
}

extension StoreReader {
  /// Firings in the order in which they went off.
  ///
  /// - Parameters:
  ///   - start: Only those that went off then or later.
  ///   - end: Only those that went off before then.
  ///   - limit: At most so many, the latest of them.
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

  /// The items of which an alarm went off after a moment.
  public func itemsThatWentOff(after moment: Instant) throws(StoreError) -> [Identifier<CalendarItem>] {
    try connection.all(Queries.itemsAfter, { $0.add(moment) }, read: { $0.identifier() })
  }

  /// The firing with a key.
  public func firing(key: String) throws(StoreError) -> LedgerEntry? {
    try connection.first(Queries.byKey, { $0.add(key) }, read: { $0.ledgerEntry() })
  }

  /// The last firing of an alarm of an item, by which an alarm that goes off once, or once a day, is told to
  /// keep silent.
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
  /// The columns of ``LedgerColumns`` from the key on.
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
    if let place = firing.crossing?.place {
      add(place)
    } else {
      for _ in PlaceColumns.names { null() }
    }
    add(context?.itemTitle)
    add(context.map { $0.isReminder ? 1 : 0 })
    add(context?.list)
    add(context?.listTitle)
    add(context?.message)
    add(context?.particulars.start)
    add(context?.particulars.end)
    add(context?.particulars.location)
    add(context?.particulars.notes)
    add(context?.particulars.url)
    add(context?.snoozed?.kind.rawValue)
    add(context?.snoozed?.key)
    add(context?.snoozed?.time)
    add(context?.snoozed?.place)
    add(context?.snoozed?.device)
  }
}

extension RowReader {
  /// The columns of ``LedgerColumns/selection``.
  mutating func ledgerEntry() -> LedgerEntry {
    let number = int64()
    let acknowledged = optionalInstant()
    var firing = Firing(
      kind: value(or: .absolute), time: instant(), confirmedAt: optionalInstant(), alarm: identifier(),
      item: identifier(), occurrence: optionalTime(), isLate: bool(), folded: int())
    if hasValue {
      let device = text()
      let position = Coordinate(latitude: double(), longitude: double())
      let accuracy = optionalDouble()
      let isInterpolated = bool()
      let (earliest, latest) = (optionalInstant(), optionalInstant())
      let gap = earliest.flatMap { first in latest.map { first...max(first, $0) } }
      let source: CrossingSource = optionalText().flatMap(CrossingSource.init) ?? .positions
      firing.crossing = Firing.Crossing(
        place: place(), device: device, position: position, accuracy: accuracy,
        isInterpolated: isInterpolated, gap: gap, source: source)
    } else {
      skip(Int32(8 + PlaceColumns.names.count))
    }
    var context: FiringContext?
    if hasValue {
      context = firingContext()
      context?.snoozed = snoozedFiring()
    }
    return LedgerEntry(number: number, firing: firing, context: context, acknowledged: acknowledged)
  }
}

/// The columns of `firings`, in the order in which they are bound and read.
enum LedgerColumns {
  static let names =
    [
      "kind", "time_at", "confirmed_at", "alarm", "item", "occurrence", "is_late", "folded", "device",
      "latitude", "longitude", "accuracy", "is_interpolated", "earliest_at", "latest_at", "source",
    ] + PlaceColumns.names.map { "place_" + $0 }
    + [
      "item_title", "item_is_reminder", "list_id", "list_title", "message", "item_start", "item_end",
      "item_location", "item_notes", "item_url", "snoozed_kind", "snoozed_key", "snoozed_at", "snoozed_place",
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
      + "WHERE f.went_off_at >= ? AND f.went_off_at < ? ORDER BY f.went_off_at DESC, f.row DESC LIMIT ?")
  static let itemsAfter = SQL("SELECT DISTINCT item FROM firings WHERE went_off_at > ?")
  static let byKey = SQL(entries + "WHERE f.key = ?")
  static let lastOfAlarm = SQL(
    entries + "WHERE f.item = ? AND f.alarm = ? ORDER BY f.went_off_at DESC, f.row DESC LIMIT 1")
  static let acknowledge = SQL(
    "UPDATE firings SET acknowledged_at = ?, put_off_to = coalesce(?, put_off_to) WHERE key = ?")
  static let removeBefore = SQL("DELETE FROM firings WHERE went_off_at < ?")
}
