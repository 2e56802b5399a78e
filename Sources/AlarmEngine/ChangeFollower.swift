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
/// - `lastModified` says when that was, where it lies after the last look;
/// - else it was just now, where this program was watching, and at the last look where it was not.
/// - An alarm that was due and has not gone off yet stays due, unless the change moved it.
public struct ChangeFollower {
  private let store: CalendarStore
  private let schedule: AlarmSchedule
  /// The last change that was seen; `nil` before the first look.
  private var seen: Int64?
  /// When the last look was.
  private var lastLook: Instant?
  /// In which zones due times are reckoned; `nil` before the first look.
  private var zones: ZoneMark?
  /// Seconds within which a change is noticed by somebody who watches the store.
  static let reactionTime = 2.0

  /// A follower of the changes of `store`.
  public init(store: CalendarStore, schedule: AlarmSchedule) {
    self.store = store
    self.schedule = schedule
  }

  /// Arms the alarms of what has changed since the last look. On the first look at a store that was never
  /// armed, all alarms are armed from `now` on.
  ///
  /// Where due times were reckoned in other zones (the system's zone was set to another one since, its rules came anew,
  /// or a file brought a zone), each is moved to where its occurrence is: what has gone off is not armed again, though
  /// its wall-clock time may come a second time; what has not is due at once where its time has passed by the change.
  ///
  /// Where the clock was ahead and was set back, what went off meanwhile is armed again, as the times of a series come
  /// a second time; of those, the ledger holds back the ones that it has.
  ///
  /// - Returns: Whether alarms or fences may have changed.
  ///
  /// Cost: microseconds where nothing has; else one transaction, some tens of microseconds for each item, or, where
  /// zones have changed, for each series with an alarm of time.
  public mutating func catchUp(to now: Instant) throws -> Bool {
    // The last look of an earlier run may have been before its clock was ahead.
    let wasAhead = lastLook.map { now < $0.adding(seconds: -Self.reactionTime) } ?? true
    if let seen, !wasAhead, try store.read({ try $0.lastChange() }) == seen {
      lastLook = max(now, lastLook ?? now)
      return false
    }
    let (known, looked, schedule) = (seen, lastLook, schedule)
    var zones = zones
    let (last, isChanged) = try store.write { writer in
      let mark = try ArmingMark(in: writer.reader)
      var changes = try ChangedItems(after: known ?? mark?.sequence, in: writer.reader)
      if wasAhead { changes.items.formUnion(try writer.reader.itemsThatWentOff(after: now)) }
      if zones == nil || changes.isAll {
        let definitions = try writer.reader.timeZoneDefinitions()
        for definition in definitions { schedule.resolver.zones.register(definition) }
        zones = ZoneMark(schedule.resolver, definitions)
      }
      let isElsewhere = try mark != nil && zones != ZoneMark(in: writer.reader)
      guard changes.isAny || isElsewhere else { return (try writer.reader.lastChange(), false) }
      let arming = Arming(
        schedule: schedule, now: now, lastLook: looked ?? mark?.time, isWatching: known != nil)
      if isElsewhere || changes.isAll {
        try writer.reader.forEachTimedSeries(resolver: schedule.resolver) { series in
          if isElsewhere { try arming.move(series, in: writer) }
          if changes.isAll { try arming.arm(series, in: writer) }
        }
      }
      if !changes.isAll { try arming.arm(changes.items, in: writer) }
      try ArmingMark(sequence: writer.reader.lastChange(), time: now).save(in: writer)
      try zones?.save(in: writer)
      return (try writer.reader.lastChange(), true)
    }
    seen = last
    self.zones = zones
    lastLook = wasAhead ? now : max(now, lastLook ?? now)
    return isChanged
  }

  /// Notes in the store that all was seen until `now`, so that the next run knows how long nobody looked.
  public mutating func finish(at now: Instant) throws {
    _ = try catchUp(to: now)
    try store.write { try ArmingMark(sequence: $0.reader.lastChange(), time: now).save(in: $0) }
  }
}
