public import CalendarModel
public import CalendarStore
public import Recurrence

/// Keeps due times right while others change items, by following the store's log of changes.
///
/// Whoever saves an item need not know when its alarms are due: the program that lets alarms go off looks at the
/// log when it starts and whenever the store has changed, and arms what changed before anything goes off. How
/// far it has come is kept in the store, in the same transaction as the due times, so that no change is passed
/// over and none counts twice, whatever happens in between.
///
/// A changed alarm is armed from the moment of the change on, since what was past then is past:
/// - `lastModified` says when that was, where it lies after the last scan;
/// - else it was just now, where this program was watching, and at the last scan where it was not.
/// - An alarm that was due and has not gone off yet stays due, unless the change moved it.
public struct ChangeFollower {
  private let store: CalendarStore
  private let schedule: AlarmSchedule
  private var scan = ChangeScan()

  /// A follower of the changes of `store`.
  public init(store: CalendarStore, schedule: AlarmSchedule) {
    self.store = store
    self.schedule = schedule
  }

  /// Arms the alarms of what has changed since the last scan. On the first scan of a store that was never
  /// armed, all alarms are armed from `now` on.
  ///
  /// Where due times were reckoned in other zones (the system's zone was set to another one since, its rules came anew,
  /// or a file brought a zone), each is moved to where its occurrence is: what has gone off is not armed again, though
  /// its wall-clock time may come a second time; what has not is due at once where its time has passed by the change.
  ///
  /// Where the settings of alarms are others than those by which due times were reckoned (of the follower, or of a list),
  /// all are reckoned again.
  ///
  /// Where the clock was ahead and was set back, what went off meanwhile is armed again, as the times of a series come
  /// a second time; of those, the ledger holds back the ones that it has.
  ///
  /// - Returns: Whether alarms or fences may have changed.
  ///
  /// Cost: microseconds where nothing has; else some tens of microseconds for each item, or, where zones have changed, for
  /// each series with an alarm of time; in transactions of some hundreds of them each. How far it has come is noted in the
  /// last one: where it is ended before, the next look begins again, and finds what was armed as it is to be.
  public mutating func catchUp(to now: Instant) throws -> Bool {
    var scan = scan
    if let seen = scan.seen, !scan.wasAhead(at: now), try store.read({ try $0.lastChange() }) == seen {
      self.scan.pass(to: now)
      return false
    }
    var isChanged = false
    try store.writeInSteps { [schedule] writer in
      if try scan.run(in: writer, by: schedule, at: now) { isChanged = true }
      return scan.isPartial
    }
    self.scan = scan
    return isChanged
  }

  /// What `body` reads of a store whose alarms are armed as ``catchUp(to:)`` would arm them, which is not kept: whoever
  /// only looks must not arm what a daemon in another zone is to arm.
  ///
  /// Cost: a read where all is armed; else a copy of the store in memory, and as ``catchUp(to:)``.
  public static func preview<Result>(
    of store: CalendarStore, by schedule: AlarmSchedule, at now: Instant,
    _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result {
    let isArmed = try store.read { reader in
      guard let mark = try ArmingMark(in: reader) else { return false }
      let defaults = DefaultsMark(try schedule.current(in: reader))
      return try DefaultsMark(in: reader) == defaults && !ChangedItems(after: mark.sequence, in: reader).isAny
    }
    if isArmed { return try store.read(body) }
    let copy = try CalendarStore(copyOf: store)
    var scan = ChangeScan()
    try copy.writeInSteps { writer in
      _ = try scan.run(in: writer, by: schedule, at: now)
      return scan.isPartial
    }
    return try copy.read(body)
  }

  /// Notes in the store that all was seen until `now`, so that the next run knows how long nobody looked.
  public mutating func finish(at now: Instant) throws {
    _ = try catchUp(to: now)
    try store.write { try ArmingMark(sequence: $0.reader.lastChange(), time: now).save(in: $0) }
  }
}
