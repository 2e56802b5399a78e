import CalendarModel
import CalendarStore
import Recurrence

/// What a ``ChangeFollower`` saw when it last looked at a store.
struct Look {
  /// The last change that was seen; `nil` before the first look.
  private(set) var seen: Int64?
  /// When that was.
  private var time: Instant?
  /// In which zones due times are reckoned; `nil` before the first look.
  private var zones: ZoneMark?
  /// Through which change the log was trimmed; `nil` before that was done.
  private var trimmed: Int64?
  /// Seconds within which a change is noticed by somebody who watches the store.
  static let reactionTime = 2.0

  /// True where the clock was ahead when it last looked. It may have been in an earlier run, too, of which nobody knows.
  func wasAhead(at now: Instant) -> Bool {
    time.map { now < $0.adding(seconds: -Self.reactionTime) } ?? true
  }

  /// Notes that nothing has changed until `now`.
  mutating func pass(to now: Instant) { time = wasAhead(at: now) ? now : max(now, time ?? now) }

  /// Looks again, and arms what has changed; see ``ChangeFollower/catchUp(to:)``.
  ///
  /// - Returns: Whether alarms or fences may have changed.
  mutating func take(
    in writer: borrowing StoreWriter, by schedule: AlarmSchedule, at now: Instant
  ) throws -> Bool {
    let mark = try ArmingMark(in: writer.reader)
    var changes = try ChangedItems(after: seen ?? mark?.sequence, in: writer.reader)
    if wasAhead(at: now) { changes.items.formUnion(try writer.reader.itemsThatWentOff(after: now)) }
    let zones = try currentZones(schedule.resolver, haveChanged: changes.isAll, in: writer.reader)
    let isElsewhere = try mark != nil && zones != ZoneMark(in: writer.reader)
    let arming = Arming(
      schedule: schedule, now: now, lastLook: time ?? mark?.time, isWatching: seen != nil)
    let last = try writer.reader.lastChange()
    self.zones = zones
    seen = last
    pass(to: now)
    guard changes.isAny || isElsewhere else { return false }
    if isElsewhere || changes.isAll {
      try writer.reader.forEachTimedSeries(resolver: schedule.resolver) { series in
        if isElsewhere { try arming.move(series, in: writer) }
        if changes.isAll { try arming.arm(series, in: writer) }
      }
    }
    if !changes.isAll { try arming.arm(changes.items, in: writer) }
    try ArmingMark(sequence: last, time: now).save(in: writer)
    try zones.save(in: writer)
    // Whoever lets alarms go off keeps the log short for all.
    if trimmed.map({ last - $0 > ChangeLog.kept }) ?? true {
      try writer.trimChanges(at: now)
      trimmed = last
    }
    return true
  }

  /// The zones as they are, with those that files brought made known to the resolver.
  private func currentZones(
    _ resolver: TimeResolver, haveChanged: Bool, in reader: borrowing StoreReader
  ) throws -> ZoneMark {
    if let zones, !haveChanged { return zones }
    let definitions = try reader.timeZoneDefinitions()
    for definition in definitions { resolver.zones.register(definition) }
    return ZoneMark(resolver, definitions)
  }
}
